"""Which picture to believe: the one that shows most answers at points that it was made without."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from slp_core.facts import Facts, Listed, Stated, fact
from slp_core.lines import distances
from slp_core.methods.protocols import HasProbabilities
from slp_core.methods.tables import without_names
from slp_core.views.checks import check_model
from slp_core.views.fidelity import HeldOut, held_out_by_inverse
from slp_core.views.projection import (
    INVERSE_TITLES,
    LAYOUTS,
    PICTURE_TITLES,
    Inverse,
    Projection,
    ProjectionMethod,
)

IN_PLACE = 0.01  # of the median distance between centroids

Picture = tuple[ProjectionMethod, Inverse]


@dataclass(frozen=True)
class Recommendation:
    """Some pictures of the same data and method, judged at the same points held out of each."""

    held_out: dict[Picture, HeldOut]

    @property
    def best(self) -> Picture:
        """The picture that shows most answers; the first one on a tie."""
        return max(self.held_out, key=lambda picture: self.held_out[picture].right)

    def joined(self, other: Recommendation) -> Recommendation:
        """All pictures that either has tried."""
        return Recommendation(self.held_out | other.held_out)

    def better_than(self, here: Picture) -> Picture | None:
        """The best picture, if it shows more than this one does, which was tried as well."""
        best = self.held_out[self.best]
        return self.best if best.right > self.held_out[here].right else None

    def not_enough_facts(self, enough: float) -> Facts:
        """That none of them shows a certain share."""
        template = "None of the linear pictures shows {enough:.0%} of the points held out."
        return (fact("pictures.not_enough", template, enough=enough),)

    def none_better_facts(self, here: Picture, every: Iterable[ProjectionMethod]) -> Facts:
        """Among which pictures this one is the best, and which were not tried."""
        tried = dict.fromkeys(method for method, _ in self.held_out)
        others = [picture for picture in self.held_out if picture != here]
        left = [PICTURE_TITLES[method] for method in every if method not in tried]
        told = []
        if others:
            template = (
                "None of the other pictures tried ({others}) shows more of the answers to points "
                "held out."
            )
            listed = Listed([picture_title(picture) for picture in others])
            told.append(fact("pictures.none_better", template, others=listed, here=here))
        if left:
            template = "{left} {were} not compared here."
            were = "were" if len(left) > 1 else "was"
            told.append(fact("pictures.not_tried", template, left=Listed(left), were=were))
        return tuple(told)

    def better_facts(self, picture: Picture) -> Facts:
        """What a better picture shows, for the button that leads to it."""
        held = self.held_out[picture]
        template = "More faithful: {picture}, {right:,} of {n:,} held out"
        values = {"right": held.right, "n": held.n}
        title = picture_title(picture)
        return (fact("pictures.better", template, picture=title, which=picture, **values),)


def picture_title(picture: Picture) -> str:
    """What a picture is called: its projection, and the way back where there are two."""
    method, inverse = picture
    bent = method in LAYOUTS
    return PICTURE_TITLES[method] + ("" if bent else f" as a {INVERSE_TITLES[inverse]}")


def recommend_projection(
    model: HasProbabilities,
    X: np.ndarray,
    candidates: Sequence[ProjectionMethod] = ("pca", "centroid_plane", "decision_plane"),
    rows: np.ndarray | None = None,
    seed: int = 0,
    cancelled: Callable[[], bool] = lambda: False,
) -> Recommendation:
    """Judge pictures of the data by what they show of the answers to points held out of them.

    Parameters
    ----------
    model : fitted method
        With ``centroids_`` if the centroid plane is a candidate.
    X : (n, d) array
    candidates : sequence of str
        Those with a plane are judged as a slice and as a surface.
    rows, seed, cancelled
        As in :func:`held_out_fidelity`: the rows held out are the same for every picture.
    """
    given = model
    model, X = without_names(model, X)
    for method in candidates:
        check_model(method, given, X.shape[-1])
    return Recommendation(
        {
            (method, inverse): held_out
            for method in candidates
            for inverse, held_out in held_out_by_inverse(
                model, X, method, None, rows, seed, cancelled
            ).items()
        }
    )


@dataclass(frozen=True)
class InPlace(Stated):
    """How many centroids lie on a picture's plane."""

    n: int
    k: int
    tolerance: float = IN_PLACE

    def facts(self) -> Facts:
        """Whether the marks of centroids stand at the centroids."""
        values = {"n": self.n, "k": self.k, "tolerance": self.tolerance}
        within = " (to {tolerance:.0%} of their median distance from each other)"
        foot = "of a centroid off it, the mark is where its perpendicular meets the slice."
        if self.n == self.k:
            who = "The one class centroid lies" if self.k == 1 else "All {k:,} class centroids lie"
            template = who + " on this slice" + (within if self.k > 1 else "") + "."
        elif not self.n:
            who = "The one class centroid does not lie" if self.k == 1 else "No class centroid lies"
            template = who + " on this slice" + (within if self.k > 1 else "") + "; " + foot
        else:
            are = "lies" if self.n == 1 else "lie"
            template = "{n:,} of {k:,} class centroids " + are + " on this slice" + within
            template += "; " + foot
        return (fact("pictures.centroids_on_slice", template, **values),)


def centroids_in_place(projection: Projection, centroids: np.ndarray) -> InPlace:
    """How many centroids lie on the picture's plane, so that they are drawn where they are."""
    if projection.plane is None:
        return InPlace(0, len(centroids))
    lifted = projection.plane.lift(projection.plane.coordinates(centroids))
    away = np.linalg.norm(lifted - centroids, axis=1)
    between = distances(centroids, centroids)[np.triu_indices(len(centroids), 1)]
    scale = float(np.median(between)) if len(between) else 0.0
    return InPlace(int((away <= IN_PLACE * scale + 1e-12).sum()), len(centroids))
