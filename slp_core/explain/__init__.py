"""Why a method made a prediction: in numbers, and in sentences about them."""

from slp_core.explain.causes import CAUSES, Causes, explain_errors, read_causes
from slp_core.explain.counterfactuals import counterfactuals
from slp_core.explain.doubtful_labels import doubtful_labels
from slp_core.explain.point import PointReading, read_point
from slp_core.explain.predictions import Predictions, predict_query_set
from slp_core.explain.shot_choice import select_shots
from slp_core.explain.shots import shot_influence

__all__ = [
    "CAUSES",
    "Causes",
    "PointReading",
    "Predictions",
    "counterfactuals",
    "doubtful_labels",
    "explain_errors",
    "predict_query_set",
    "read_causes",
    "read_point",
    "select_shots",
    "shot_influence",
]
