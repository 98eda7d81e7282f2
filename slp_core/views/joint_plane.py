"""The same rows in two spaces, on one plane."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.errors import SLPError
from slp_core.views.plane import principal_axes, two_axes

_ROUNDING = 1e-12  # of the largest coordinate


@dataclass(frozen=True, eq=False)
class JointPlane:
    """Where n rows are before and after, on one plane."""

    before: np.ndarray  # (n, 2)
    after: np.ndarray  # (n, 2)
    explained_variance: float
    moved: np.ndarray  # (n,)


def joint_plane(before: np.ndarray, after: np.ndarray, y: np.ndarray | None = None) -> JointPlane:
    """Lay one space over the other, and find the plane that shows most of both."""
    if len(before) != len(after):
        raise SLPError(f"{len(before)} rows cannot be laid over {len(after)}.")
    first, second = _centred(before), _centred(after)
    # The turn has the singular vectors of the narrower times the wider space, and needs no others.
    if first.shape[1] < second.shape[1]:
        first = first @ _turn(first, second)
    else:
        second = second @ _turn(second, first)
    both = np.concatenate([first, second])
    shown = both
    if y is not None:
        means = [X[y == k].mean(axis=0) for X in (first, second) for k in np.unique(y)]
        spread = np.array(means) - both.mean(axis=0)
        if np.abs(spread).max() > _ROUNDING * np.abs(both).max():  # else one class, or one mean
            shown = spread
    plane = two_axes(principal_axes(shown), both).T
    total = np.square(both).sum()
    explained_variance = float(np.square(both @ plane).sum() / total) if total > 0 else 1.0
    moved = np.linalg.norm(second - first, axis=1)
    return JointPlane(first @ plane, second @ plane, min(explained_variance, 1.0), moved)


def _turn(narrow: np.ndarray, wide: np.ndarray) -> np.ndarray:
    """The isometry from d to e ≥ d dimensions that brings the rows nearest: (d, e)."""
    left, _, right = np.linalg.svd(narrow.T @ wide, full_matrices=False)
    return left @ right


def _centred(X: np.ndarray) -> np.ndarray:
    X = np.asarray(X, dtype=np.float64)
    centred = X - X.mean(axis=0)
    if np.abs(centred).max() <= _ROUNDING * np.abs(X).max():  # all rows are one point
        return np.zeros_like(centred)
    return centred
