from .baselines import (
    LogisticRegressionClassifier,
    NearestCentroidClassifier,
    OneNearestNeighbourClassifier,
)
from .constraint_slp import ConstraintSLPClassifier, solve_soft_labels
from .deep_slp import DeepSLPClassifier, TrainingState
from .fine_tuned import FineTunedClassifier, LoRAClassifier
from .leopard import LeopardClassifier
from .meta_slp import MetaSLPClassifier
from .model_files import load_model, save_model
from .proto_net import ProtoNetClassifier
from .setfit import SetFitClassifier

__all__ = [
    "ConstraintSLPClassifier",
    "DeepSLPClassifier",
    "FineTunedClassifier",
    "LeopardClassifier",
    "LoRAClassifier",
    "LogisticRegressionClassifier",
    "MetaSLPClassifier",
    "NearestCentroidClassifier",
    "OneNearestNeighbourClassifier",
    "ProtoNetClassifier",
    "SetFitClassifier",
    "TrainingState",
    "load_model",
    "save_model",
    "solve_soft_labels",
]
