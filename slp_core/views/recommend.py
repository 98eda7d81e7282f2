"""Which picture to believe: the one on which a method's own answers are shown most often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from slp_core.lines import distances
from slp_core.methods.protocols import HasProbabilities
from slp_core.views.fidelity import landscape_fidelity
from slp_core.views.projection import (
    Inverse,
    Projection,
    ProjectionMethod,
    fit_projection,
)

ROWS = 1_000  # enough to tell a share to a few percent
IN_PLACE = 0.01  # of the median distance between centroids


@dataclass(frozen=True)
class Recommendation:
    """Fidelity of some pictures of the same data and method.

    Attributes
    ----------
    fidelity : dict of (str, str) to float
        By projection and way back into the space, in the order tried.
    """

    fidelity: dict[tuple[ProjectionMethod, Inverse], float]

    @property
    def best(self) -> tuple[ProjectionMethod, Inverse]:
        """The picture with the highest fidelity; the first one on a tie."""
        return max(self.fidelity, key=lambda picture: self.fidelity[picture])


def recommend_projection(
    model: HasProbabilities,
    X: np.ndarray,
    candidates: Sequence[ProjectionMethod] = ("pca", "centroid_plane", "decision_plane"),
    seed: int = 0,
) -> Recommendation:
    """Judge pictures of the data by the fidelity of the method's landscape on them.

    Parameters
    ----------
    model : fitted method
        With ``centroids_`` if the centroid plane is a candidate.
    X : (n, d) array
        At most 1,000 rows of it are looked at, drawn with the seed.
    candidates : sequence of str
        Those with a plane are judged as a slice and as a surface.
    seed : int
    """
    if len(X) > ROWS:
        X = X[np.random.default_rng(seed).choice(len(X), ROWS, replace=False)]
    projections = [fit_projection(X, name, model, seed) for name in candidates]
    return Recommendation(
        {
            (projection.method, kind): landscape_fidelity(model, projection, kind).overall
            for projection in projections
            for kind in projection.inverses
        }
    )


def centroids_in_place(projection: Projection, centroids: np.ndarray) -> int:
    """How many centroids lie on the picture's plane, so that they are drawn where they are.

    On it means within 1 % of the median distance between centroids. A bent layout has none; data
    drawn as they are have all.

    Parameters
    ----------
    projection : Projection
    centroids : (K, d) array
    """
    if projection.plane is None:
        return 0
    lifted = projection.plane.lift(projection.plane.coordinates(centroids))
    away = np.linalg.norm(lifted - centroids, axis=1)
    between = distances(centroids, centroids)[np.triu_indices(len(centroids), 1)]
    scale = float(np.median(between)) if len(between) else 0.0
    return int((away <= IN_PLACE * scale + 1e-12).sum())
