"""The same rows in two spaces, in one picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.errors import SLPError
from slp_core.views.plane import principal_axes, two_axes

_ROUNDING = 1e-12  # of the largest coordinate


@dataclass(frozen=True, eq=False)
class JointPlane:
    """Where n rows are before and after, on one plane.

    Attributes
    ----------
    before, after : (n, 2) arrays
    explained_variance : float
        The plane's share of the variance of all 2n points, from 0 to 1.
    moved : (n,) array
        How far each row moved, in the whole space.
    """

    before: np.ndarray
    after: np.ndarray
    explained_variance: float
    moved: np.ndarray


def joint_plane(before: np.ndarray, after: np.ndarray, y: np.ndarray | None = None) -> JointPlane:
    """Lay one space over the other, and find the plane that shows most of both.

    Both are centred, and the narrower is turned onto the wider by orthogonal Procrustes analysis
    (Schönemann 1966): of all ways that keep its distances, the one nearest to the other rows.

    Parameters
    ----------
    before : (n, d) array
    after : (n, e) array
        The same rows in another space.
    y : (n,) int array, optional
        Classes: the plane is then the one that shows most of the class means, of both spaces.
        Where these leave a direction open, the one in which the rows vary most fills it.

    Raises
    ------
    SLPError
        Where they have different numbers of rows.
    """
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
