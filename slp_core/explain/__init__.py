"""Why a method answered as it did: in numbers, and in sentences computed from them."""

from slp_core.explain.answers import Answers, read_answers
from slp_core.explain.causes import CAUSES, Causes, explain_errors, read_causes
from slp_core.explain.counterfactuals import Counterfactual, Counterfactuals, counterfactuals
from slp_core.explain.half_plane import HalfPlane, half_planes
from slp_core.explain.headline import Headline, headline
from slp_core.explain.opening import Opening
from slp_core.explain.point import PointReading, read_point
from slp_core.explain.profile import LineProfile, line_profile
from slp_core.explain.theorem2 import Theorem2, Turn, theorem2

__all__ = [
    "CAUSES",
    "Answers",
    "Causes",
    "Counterfactual",
    "Counterfactuals",
    "HalfPlane",
    "Headline",
    "LineProfile",
    "Opening",
    "PointReading",
    "Theorem2",
    "Turn",
    "counterfactuals",
    "explain_errors",
    "half_planes",
    "headline",
    "line_profile",
    "read_answers",
    "read_causes",
    "read_point",
    "theorem2",
]
