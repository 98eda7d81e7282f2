"""Rotated spaces: projections aligned to each other, prototype A on the left, two spaces on one
plane.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import orthogonal_procrustes

from slp_core.methods.protocols import HasLines
from slp_core.views.plane import Plane, principal_axes, two_axes
from slp_core.views.projection import Projection


def aligned(projection: Projection, to: Projection) -> Projection:
    """A projection rotated and mirrored onto another's rows by orthogonal Procrustes analysis."""
    if projection.exact:
        return projection
    middle = projection.points.mean(axis=0)
    turn, _ = orthogonal_procrustes(projection.points - middle, to.points - to.points.mean(axis=0))
    return _turned(projection, np.asarray(turn))


def left_to_right(projection: Projection, model: object) -> Projection:
    """Mirrored if need be, but for data of two dimensions: A of the first line is left of B."""
    if projection.exact or not isinstance(model, HasLines):
        return projection
    ends = projection.transform(model.prototypes_.reshape(-1, projection.vectors.shape[1]))
    first, second = ends[:, 0].reshape(-1, 2).T
    apart = np.flatnonzero(first != second)
    if not len(apart) or first[apart[0]] < second[apart[0]]:
        return projection
    return _turned(projection, np.diag([-1.0, 1.0]))


def _turned(projection: Projection, turn: np.ndarray) -> Projection:
    """By an orthogonal (2, 2) matrix: points = (X − origin) · axesᵀ · turn."""
    plane = projection.plane
    if plane is not None:
        plane = Plane(plane.origin, turn.T @ plane.axes)
    return replace(projection, points=projection.points @ turn, plane=plane)


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
    width = max(before.shape[1], after.shape[1])
    first, second = (
        np.pad(_centred(X), ((0, 0), (0, width - X.shape[1]))) for X in (before, after)
    )
    second = second @ orthogonal_procrustes(second, first)[0]
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


def _centred(X: np.ndarray) -> np.ndarray:
    X = np.asarray(X, dtype=np.float64)
    centred = X - X.mean(axis=0)
    if np.abs(centred).max() <= _ROUNDING * np.abs(X).max():  # all rows are one point
        return np.zeros_like(centred)
    return centred
