"""Why a method answered as it did: in numbers, and in sentences computed from them."""

from slp_core.explain.answers import Answers, PointReading, read_answers, read_point
from slp_core.explain.causes import CAUSES, Causes, explain_errors, read_causes
from slp_core.explain.counterfactuals import Counterfactual, Counterfactuals, counterfactuals
from slp_core.explain.headline import Headline, headline
from slp_core.explain.profile import LineProfile, line_profile
from slp_core.explain.theorem2 import Theorem2, Turn, theorem2
from slp_core.explain.votes import Votes, read_votes

__all__ = [
    "CAUSES",
    "Answers",
    "Causes",
    "Counterfactual",
    "Counterfactuals",
    "Headline",
    "LineProfile",
    "PointReading",
    "Theorem2",
    "Turn",
    "Votes",
    "counterfactuals",
    "explain_errors",
    "headline",
    "line_profile",
    "read_answers",
    "read_causes",
    "read_point",
    "read_votes",
    "theorem2",
]
