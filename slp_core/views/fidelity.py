"""Fidelity of a map: how often it shows the method's prediction, and which map is most faithful."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from slp_core.errors import Cancelled
from slp_core.lines import distances
from slp_core.methods.protocols import HasProbabilities
from slp_core.methods.tables import check_fitted, class_indices, nameless, without_names
from slp_core.views.projection import (
    LAYOUTS,
    Inverse,
    Projection,
    ProjectionMethod,
    fit_projection,
)

HELD_OUT_ROWS = 1_000  # enough to tell a share to a few percent
HELD_OUT_FOLDS = 5


@dataclass(frozen=True, eq=False)
class Fidelity:
    """The predictions that a map shows at n examples, and the method's own."""

    classes: tuple[str, ...]
    shown: np.ndarray = field(repr=False)  # (n,)
    predicted: np.ndarray = field(repr=False)  # (n,)

    @property
    def n(self) -> int:
        """How many examples."""
        return len(self.predicted)

    @property
    def disagreeing(self) -> np.ndarray:
        """(b,) the examples at which the map shows another class."""
        return np.flatnonzero(self.shown != self.predicted)

    @property
    def n_agreeing(self) -> int:
        """At how many of them the map shows the method's own prediction."""
        return self.n - len(self.disagreeing)

    @property
    def overall(self) -> float:
        """The share of these; NaN where there are no examples."""
        return self.n_agreeing / self.n if self.n else float("nan")

    @property
    def counts(self) -> np.ndarray:
        """(K,) predictions of each class."""
        return np.bincount(self.predicted, minlength=len(self.classes))

    @property
    def majority(self) -> float:
        """Share of the most frequent prediction: what a map of one colour shows."""
        return int(self.counts.max()) / self.n if self.n else float("nan")

    @property
    def per_class(self) -> np.ndarray:
        """(K,) fidelity at the examples predicted as each class; NaN where there are none."""
        agrees = self.shown == self.predicted
        with np.errstate(invalid="ignore"):
            return np.bincount(self.predicted, agrees, len(self.classes)) / self.counts


@dataclass(frozen=True, eq=False)
class HeldOut(Fidelity):
    """At n examples that were not used to make the map."""

    rows: np.ndarray = field(repr=False)  # (n,)
    fold: np.ndarray = field(repr=False)  # (n,)
    folds: int  # of all examples; a half may lack some

    def half(self, which: int) -> HeldOut:
        """The first (0) or second (1) half of the examples, of each fold as many."""
        each = "shown", "predicted", "rows", "fold"
        return replace(self, **{name: getattr(self, name)[which::2] for name in each})


def landscape_fidelity(
    model: HasProbabilities, projection: Projection, inverse: Inverse | None = None
) -> Fidelity:
    """A landscape against the method's own prediction at each projected example."""
    # A surface would pass through an example's own vector, so each is left out of it first;
    # `held_out_fidelity` leaves it out of everything.
    check_fitted(model)
    model, kind = nameless(model), projection.resolve_inverse(inverse)
    if kind == "surface":
        vectors = projection.surface.without_each()
    else:
        vectors = projection.inverse(projection.points, kind)
    return Fidelity(
        tuple(map(str, model.classes_)),
        class_indices(model, vectors),
        class_indices(model, projection.vectors),
    )


def held_out_fidelity(
    model: HasProbabilities,
    X: np.ndarray,
    method: ProjectionMethod,
    inverse: Inverse | None = None,
    rows: np.ndarray | None = None,
    seed: int = 0,
    cancelled: Callable[[], bool] = lambda: False,
    **options: Any,
) -> HeldOut:
    """Cross-validate a map on examples whose vectors and predictions it was made without.

    In each of five folds the projection is fitted to the rows of the other folds and to those that
    may not be held out. The rows held out are projected by their vectors alone, and what the map
    shows there is compared with the method's predictions. Rows beyond the first 1,000 are in no
    fold and in no projection.

    Parameters
    ----------
    model : fitted method
    X : (n, d) array
    method, seed, **options
        As in :func:`fit_projection`.
    inverse : {"plane", "offset", "surface"}, optional
        The projection's default if not given.
    rows : (q,) int array, optional
        The rows that may be held out, of which at most 1,000 are, drawn with the seed; the rows
        others are in every projection. A centroid plane is fitted to the support set, so only query
        rows are held out of it. All rows if not given.
    cancelled : callable, optional
        Asked before each fold.

    Raises
    ------
    NotFittedError
    SLPError
        Where the rest is too small for the projection.
    Cancelled

    Examples
    --------
    >>> import slp_core as slp
    >>> dataset = slp.load_dataset("iris")
    >>> X, episode = dataset.examples.features, dataset.draw(shots=8, draw=0)
    >>> model = slp.NearestCentroidClassifier().fit(X[episode.support], episode.y_support)
    >>> slp.held_out_fidelity(model, X, "centroid_plane", rows=episode.query).overall
    1.0
    """
    by_inverse = held_out_by_inverse(model, X, method, [inverse], rows, seed, cancelled, **options)
    return next(iter(by_inverse.values()))


def held_out_by_inverse(
    model: HasProbabilities,
    X: np.ndarray,
    method: ProjectionMethod,
    inverses: Sequence[Inverse | None] | None = None,
    rows: np.ndarray | None = None,
    seed: int = 0,
    cancelled: Callable[[], bool] = lambda: False,
    **options: Any,
) -> dict[Inverse, HeldOut]:
    """As :func:`held_out_fidelity` for several inverses, all of them if not given."""
    check_fitted(model)
    model, X = without_names(model, X)
    everything = np.arange(len(X))
    free = everything if rows is None else np.array(rows)  # NumPy shuffles an empty one in place
    held = np.random.default_rng(seed).permutation(free)[:HELD_OUT_ROWS]
    kept = np.delete(everything, free)
    classes = tuple(map(str, model.classes_))
    parts = np.array_split(held, min(HELD_OUT_FOLDS, len(held))) if len(held) else []
    fold = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    predicted = class_indices(model, X[held]) if len(held) else np.empty(0, dtype=np.int64)
    bent = method in LAYOUTS and X.shape[1] > 2
    every: tuple[Inverse, ...] = ("surface",) if bent else ("plane", "offset", "surface")
    kinds = [kind or every[0] for kind in inverses or every]
    shown: dict[Inverse, list[np.ndarray]] = {kind: [np.empty(0, dtype=np.int64)] for kind in kinds}
    for part in parts:
        if cancelled():
            raise Cancelled
        rest = np.concatenate([kept, np.setdiff1d(held, part)])
        projection = fit_projection(X[rest], method, model, seed, **options)
        places = projection.transform(X[part])
        for kind in kinds:
            shown[kind].append(class_indices(model, projection.inverse(places, kind)))
    return {
        kind: HeldOut(classes, np.concatenate(found), predicted, held, fold, len(parts))
        for kind, found in shown.items()
    }


ON_PLANE = 0.01  # of the median distance between centroids

ProjectionView = tuple[ProjectionMethod, Inverse]


HeldOutByView = dict[ProjectionView, HeldOut]


def best_view(found: HeldOutByView) -> ProjectionView:
    """The one with the highest fidelity on half of the examples; the first one on a tie."""
    return max(found, key=lambda view: found[view].half(0).n_agreeing)


def better_view(found: HeldOutByView, here: ProjectionView) -> ProjectionView | None:
    """The best, if it is more faithful than this one on the half it was not chosen on."""
    best = best_view(found)
    more = found[best].half(1).n_agreeing > found[here].half(1).n_agreeing
    return best if more else None


def recommend_projection(
    model: HasProbabilities,
    X: np.ndarray,
    candidates: Sequence[ProjectionMethod] = ("pca", "centroid_plane", "decision_plane"),
    rows: np.ndarray | None = None,
    seed: int = 0,
    cancelled: Callable[[], bool] = lambda: False,
) -> HeldOutByView:
    """Held-out fidelity of several projections, each with all of its inverses, on the same rows."""
    found: HeldOutByView = {}
    for method in candidates:
        each = held_out_by_inverse(model, X, method, None, rows, seed, cancelled)
        found |= {(method, inverse): held_out for inverse, held_out in each.items()}
    return found


def opening_projection(
    model: HasProbabilities, X: np.ndarray, rows: np.ndarray | None = None
) -> ProjectionView:
    """The projection to open on: cheap, and of its inverses the one with the highest fidelity."""
    method: ProjectionMethod = (
        "centroid_plane" if hasattr(model, "centroids_") else "decision_plane"
    )
    if X.shape[1] <= 2:
        return "pca", "plane"
    return best_view(recommend_projection(model, X, [method], rows))


def centroids_on_plane(projection: Projection, centroids: np.ndarray) -> int:
    """How many centroids lie on the projection's plane, within 1% of their median distance."""
    if projection.plane is None:
        return 0
    lifted = projection.plane.lift(projection.plane.coordinates(centroids))
    away = np.linalg.norm(lifted - centroids, axis=1)
    between = distances(centroids, centroids)[np.triu_indices(len(centroids), 1)]
    scale = float(np.median(between)) if len(between) else 0.0
    return int((away <= ON_PLANE * scale + 1e-12).sum())
