"""Shepard interpolation: values between scattered points, which keep their own values exactly."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.spatial import cKDTree

NEIGHBOURS = 8

# Places that share this few neighbours are mixed by one dense product, which does some ten times
# the additions of a sparse one in the same time.
_DENSE = 160


def shepard_weights(reach: np.ndarray, indices: np.ndarray, n_points: int) -> csr_array:
    """Franke and Little's weights ((R − h) / (R h))² at distances h, the last of which is R."""
    near, bound = reach[:, :-1], reach[:, -1:]
    inside = np.isfinite(near)
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = np.where(np.isfinite(bound), 1.0 / near - 1.0 / bound, 1.0 / near) ** 2
    on_top = near == 0.0
    weight = np.where(on_top.any(axis=1, keepdims=True), on_top, weight)
    weight = np.where(inside, weight, 0.0)
    total = weight.sum(axis=1, keepdims=True)
    # All neighbours as far as the bound: none is nearer than another.
    weight = np.where(total > 0, weight, inside)
    weight = weight / weight.sum(axis=1, keepdims=True)
    rows = np.arange(0, near.size + 1, near.shape[1])
    shape = (len(near), n_points)
    return csr_array((weight.ravel(), indices[:, :-1].ravel(), rows), shape=shape)


class Surface:
    """Smooth values over the plane through the values of n drawn points."""

    def __init__(self, points: np.ndarray, values: np.ndarray):
        self._tree = cKDTree(points)
        self._values = values

    def __call__(self, places: np.ndarray) -> np.ndarray:
        """Values at any (m, 2) places: (m, d)."""
        reach, indices = self._tree.query(places, k=NEIGHBOURS + 1)
        return self._mixed(reach, indices)

    def without_each(self) -> np.ndarray:
        """Values at the drawn points themselves, each computed from the others only: (n, d)."""
        n = self._tree.n
        if n == 1:
            return self._values.copy()
        reach, indices = self._tree.query(self._tree.data, k=NEIGHBOURS + 2)
        own = indices == np.arange(n)[:, None]
        # Itself last; where coincident points crowd it out, the furthest goes instead.
        kept = np.argsort(own, axis=1, kind="stable")[:, :-1]
        reach = np.take_along_axis(reach, kept, axis=1)
        indices = np.take_along_axis(indices, kept, axis=1)
        return self._mixed(reach, indices)

    def _mixed(self, reach: np.ndarray, indices: np.ndarray) -> np.ndarray:
        used, compact = np.unique(np.minimum(indices, self._tree.n - 1), return_inverse=True)
        weights = shepard_weights(reach, compact.reshape(indices.shape), len(used))
        if len(used) <= _DENSE:
            return weights.toarray() @ self._values[used]
        return weights @ self._values[used]
