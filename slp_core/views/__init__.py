"""Projections to the plane, and what methods predict on them."""

from slp_core.views.fidelity import (
    Fidelity,
    HeldOut,
    held_out_fidelity,
    landscape_fidelity,
    recommend_projection,
)
from slp_core.views.landscape import Landscape, decision_landscape
from slp_core.views.projection import (
    PROJECTION_TITLES,
    Inverse,
    Projection,
    ProjectionMethod,
    fit_projection,
)
from slp_core.views.quality import ProjectionQuality

__all__ = [
    "PROJECTION_TITLES",
    "Fidelity",
    "HeldOut",
    "Inverse",
    "Landscape",
    "Projection",
    "ProjectionMethod",
    "ProjectionQuality",
    "decision_landscape",
    "fit_projection",
    "held_out_fidelity",
    "landscape_fidelity",
    "recommend_projection",
]
