"""Pictures of the space in the plane, and what methods answer on them."""

from slp_core.views.boundaries import region_boundaries
from slp_core.views.fidelity import Fidelity, HeldOut, held_out_fidelity, landscape_fidelity
from slp_core.views.landscape import Landscape, decision_landscape
from slp_core.views.projection import (
    PICTURE_TITLES,
    Inverse,
    Projection,
    ProjectionMethod,
    all_options,
    fit_projection,
)
from slp_core.views.quality import ProjectionQuality
from slp_core.views.recommend import Recommendation, centroids_in_place, recommend_projection

__all__ = [
    "PICTURE_TITLES",
    "Fidelity",
    "HeldOut",
    "Inverse",
    "Landscape",
    "Projection",
    "ProjectionMethod",
    "ProjectionQuality",
    "Recommendation",
    "all_options",
    "centroids_in_place",
    "decision_landscape",
    "fit_projection",
    "held_out_fidelity",
    "landscape_fidelity",
    "recommend_projection",
    "region_boundaries",
]
