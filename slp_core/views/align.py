"""Two pictures of the same rows, turned so that they can be compared by eye."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.linalg import orthogonal_procrustes

from slp_core.errors import SLPError
from slp_core.views.plane import Plane
from slp_core.views.projection import Projection


def aligned(projection: Projection, to: Projection) -> Projection:
    """The picture turned and mirrored onto another's rows by orthogonal Procrustes analysis."""
    if len(projection.points) != len(to.points):
        raise SLPError(
            f"Pictures of {len(projection.points)} and {len(to.points)} rows cannot be aligned."
        )
    if projection.exact:
        return projection
    middle = projection.points.mean(axis=0)
    turn, _ = orthogonal_procrustes(projection.points - middle, to.points - to.points.mean(axis=0))
    points = projection.points @ turn
    plane = projection.plane
    if plane is not None:
        # points = (X − origin) · axesᵀ · turn, so that the axes turn with them.
        plane = Plane(plane.origin, np.asarray(turn.T @ plane.axes))
    return replace(projection, points=points, plane=plane)
