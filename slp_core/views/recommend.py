"""Which projection to use: the one with the highest held-out fidelity."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from slp_core.lines import distances
from slp_core.methods.protocols import HasProbabilities
from slp_core.methods.tables import without_names
from slp_core.views.checks import check_model
from slp_core.views.fidelity import HeldOut, held_out_by_inverse
from slp_core.views.projection import Inverse, Projection, ProjectionMethod

ON_PLANE = 0.01  # of the median distance between centroids

ProjectionView = tuple[ProjectionMethod, Inverse]


@dataclass(frozen=True)
class Recommendation:
    """Held-out fidelity of several projections of the same data and method."""

    held_out: dict[ProjectionView, HeldOut]

    @property
    def best(self) -> ProjectionView:
        """The one with the highest fidelity; the first one on a tie."""
        return max(self.held_out, key=lambda view: self.held_out[view].n_agreeing)

    def joined(self, other: Recommendation) -> Recommendation:
        """All that either has evaluated."""
        return Recommendation(self.held_out | other.held_out)

    def better_than(self, here: ProjectionView) -> ProjectionView | None:
        """The best, if its fidelity is higher than that of this one, which was evaluated too."""
        best = self.held_out[self.best]
        return self.best if best.n_agreeing > self.held_out[here].n_agreeing else None

    def untried(self, every: Iterable[ProjectionMethod]) -> list[ProjectionMethod]:
        """Those of some projections that were not evaluated."""
        tried = {method for method, _ in self.held_out}
        return [method for method in every if method not in tried]


def recommend_projection(
    model: HasProbabilities,
    X: np.ndarray,
    candidates: Sequence[ProjectionMethod] = ("pca", "centroid_plane", "decision_plane"),
    rows: np.ndarray | None = None,
    seed: int = 0,
    cancelled: Callable[[], bool] = lambda: False,
) -> Recommendation:
    """Cross-validate projections of the data by their fidelity at held-out examples.

    Parameters
    ----------
    model : fitted method
        With ``centroids_`` if the centroid plane is a candidate.
    X : (n, d) array
    candidates : sequence of str
        Each with all of its inverses.
    rows, seed, cancelled
        As in :func:`held_out_fidelity`; the same rows are held out of each.
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


def opening_projection(
    model: HasProbabilities, X: np.ndarray, rows: np.ndarray | None = None
) -> ProjectionView:
    """The projection to open on: cheap, and of its inverses the one with the highest fidelity."""
    method: ProjectionMethod = (
        "centroid_plane" if hasattr(model, "centroids_") else "decision_plane"
    )
    if X.shape[1] <= 2:
        return "pca", "plane"
    return recommend_projection(model, X, [method], rows).best


def centroids_on_plane(projection: Projection, centroids: np.ndarray) -> int:
    """How many centroids lie on the projection's plane, within 1% of their median distance."""
    if projection.plane is None:
        return 0
    lifted = projection.plane.lift(projection.plane.coordinates(centroids))
    away = np.linalg.norm(lifted - centroids, axis=1)
    between = distances(centroids, centroids)[np.triu_indices(len(centroids), 1)]
    scale = float(np.median(between)) if len(between) else 0.0
    return int((away <= ON_PLANE * scale + 1e-12).sum())
