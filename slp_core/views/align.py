"""Projections turned or mirrored: onto another one, or so that prototype A is on the left."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.linalg import orthogonal_procrustes

from slp_core.errors import SLPError
from slp_core.methods.protocols import has_lines
from slp_core.views.plane import Plane
from slp_core.views.projection import Projection


def aligned(projection: Projection, to: Projection) -> Projection:
    """A projection rotated and mirrored onto another's rows by orthogonal Procrustes analysis."""
    if len(projection.points) != len(to.points):
        raise SLPError(
            f"Projections of {len(projection.points)} and {len(to.points)} rows cannot be aligned."
        )
    if projection.exact:
        return projection
    middle = projection.points.mean(axis=0)
    turn, _ = orthogonal_procrustes(projection.points - middle, to.points - to.points.mean(axis=0))
    return _turned(projection, np.asarray(turn))


def left_to_right(projection: Projection, model: object) -> Projection:
    """Mirrored if need be, but for data of two dimensions: A of the first line is left of B."""
    if projection.exact or not has_lines(model):
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
