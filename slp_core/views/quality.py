"""How much of the space a projection keeps."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from slp_core.views.checks import one_place, unit_of

TRUSTWORTHINESS_ROWS = 1_000
TRUSTWORTHINESS_NEIGHBOURS = 8


@dataclass(frozen=True, eq=False)
class ProjectionQuality:
    """How much of the space a projection keeps."""

    exact: bool
    n_features: int
    explained_variance: tuple[float, float] | None
    _vectors: np.ndarray = field(repr=False)
    _points: np.ndarray = field(repr=False)
    _seed: int = field(default=0, repr=False)

    @cached_property
    def one_place(self) -> bool:
        """Whether all vectors are one point, but for rounding, so that there is no variance."""
        return one_place(self._vectors)

    @cached_property
    def trustworthiness(self) -> float:
        """Whether neighbours on the map are neighbours in the space: 1 if all are."""
        from sklearn.manifold import trustworthiness

        n = len(self._points)
        if not self.neighbours:
            return float("nan")
        rows: np.ndarray | slice = slice(None)
        if n > TRUSTWORTHINESS_ROWS:
            rows = np.random.default_rng(self._seed).choice(n, TRUSTWORTHINESS_ROWS, replace=False)
        vectors, points = self._vectors[rows], self._points[rows]
        return float(trustworthiness(vectors, points, n_neighbors=self.neighbours))

    @property
    def neighbours(self) -> int:
        """Over how many neighbours trustworthiness is taken; 0 where there are too few points."""
        n = min(len(self._points), TRUSTWORTHINESS_ROWS)
        return min(TRUSTWORTHINESS_NEIGHBOURS, (n - 1) // 2) if n >= 4 else 0


def shares_of_variance(vectors: np.ndarray, points: np.ndarray) -> tuple[float, float]:
    """Share of the variance of vectors (n, d) along either axis of their points (n, 2)."""
    if one_place(vectors):
        return 1.0, 0.0
    unit = unit_of(vectors)
    total = (vectors / unit).var(axis=0).sum()
    first, second = (points / unit).var(axis=0)
    return float(first / total), float(second / total)
