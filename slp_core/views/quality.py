"""What a projection keeps of the space it was made from."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

TRUSTWORTHINESS_ROWS = 1_000
TRUSTWORTHINESS_NEIGHBOURS = 8


@dataclass(frozen=True, eq=False)
class ProjectionQuality:
    """How much of the space a picture keeps.

    Attributes
    ----------
    exact : bool
        The data have two features or one, and are drawn as they are.
    n_features : int
        d, the dimensions of the space.
    explained_variance : tuple of float, or None
        Share of the total variance along either axis; None where axes are not directions of
        the space (UMAP).
    """

    exact: bool
    n_features: int
    explained_variance: tuple[float, float] | None
    _vectors: np.ndarray = field(repr=False)
    _points: np.ndarray = field(repr=False)
    _seed: int = field(default=0, repr=False)

    @cached_property
    def trustworthiness(self) -> float:
        """Whether neighbours on the picture are neighbours in the space: 1 if they all are.

        Venna and Kaski's measure over 8 neighbours, on at most 1,000 rows drawn with the
        projection's seed; NaN below 4 points. Computed when first asked for.
        """
        from sklearn.manifold import trustworthiness

        n = len(self._points)
        if n < 4:
            return float("nan")
        rows: np.ndarray | slice = slice(None)
        if n > TRUSTWORTHINESS_ROWS:
            rows = np.random.default_rng(self._seed).choice(n, TRUSTWORTHINESS_ROWS, replace=False)
        vectors, points = self._vectors[rows], self._points[rows]
        neighbours = min(TRUSTWORTHINESS_NEIGHBOURS, (len(points) - 1) // 2)
        return float(trustworthiness(vectors, points, n_neighbors=neighbours))

    def sentence(self) -> str:
        """What the picture keeps, in one sentence."""
        if self.exact:
            return "Nothing is lost: the picture shows the data as they are."
        if self.explained_variance is not None:
            share = sum(self.explained_variance)
            return (
                f"The picture keeps {share:.0%} of the variance of {self.n_features} dimensions; "
                "the rest is not seen."
            )
        return (
            "The picture keeps neighbourhoods rather than distances: "
            f"{self.trustworthiness:.2f} of 1 (trustworthiness) over "
            f"{TRUSTWORTHINESS_NEIGHBOURS} neighbours."
        )
