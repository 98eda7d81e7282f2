"""The classifiers, each a scikit-learn estimator, one file a method."""

from slp_core.methods.baselines import (
    LogisticRegressionClassifier,
    NearestCentroidClassifier,
    OneNearestNeighbourClassifier,
)
from slp_core.methods.constraint_slp import ConstraintSLPClassifier, solve_soft_labels
from slp_core.methods.deep_slp import DeepSLPClassifier, TrainingState

__all__ = [
    "ConstraintSLPClassifier",
    "DeepSLPClassifier",
    "LogisticRegressionClassifier",
    "NearestCentroidClassifier",
    "OneNearestNeighbourClassifier",
    "TrainingState",
    "solve_soft_labels",
]
