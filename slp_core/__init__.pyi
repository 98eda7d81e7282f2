from . import nn
from .data import (
    Episode,
    Examples,
    FewShotDataset,
    list_datasets,
    load_dataset,
    read_dataset,
    read_leopard,
)
from .diagnostics.ensemble import ensemble_diagnostics
from .encoders import list_encoders, load_encoder
from .encoders.text_encoder import TextEncoder
from .errors import DatasetError, EncoderError, SLPError
from .explain import doubtful_labels, explain_errors, select_shots, shot_influence
from .figures.displays import (
    DecisionLandscapeDisplay,
    ErrorCausesDisplay,
    ShotInfluenceDisplay,
    SoftLabelDisplay,
    WStripDisplay,
)
from .lines import Line, LineFit, Placement, find_lines
from .methods.baselines import (
    LogisticRegressionClassifier,
    NearestCentroidClassifier,
    OneNearestNeighbourClassifier,
)
from .methods.constraint_slp import ConstraintSLPClassifier
from .methods.deep_slp import DeepSLPClassifier
from .methods.fine_tuned import FineTunedClassifier, LoRAClassifier
from .methods.leopard import LeopardClassifier
from .methods.meta_slp import MetaSLPClassifier
from .methods.model_files import load_model, save_model
from .register import register
from .views import decision_landscape, fit_projection, held_out_fidelity

__all__ = [
    "ConstraintSLPClassifier",
    "DatasetError",
    "DecisionLandscapeDisplay",
    "DeepSLPClassifier",
    "EncoderError",
    "Episode",
    "ErrorCausesDisplay",
    "Examples",
    "FewShotDataset",
    "FineTunedClassifier",
    "LeopardClassifier",
    "Line",
    "LineFit",
    "LoRAClassifier",
    "LogisticRegressionClassifier",
    "MetaSLPClassifier",
    "NearestCentroidClassifier",
    "OneNearestNeighbourClassifier",
    "Placement",
    "SLPError",
    "ShotInfluenceDisplay",
    "SoftLabelDisplay",
    "TextEncoder",
    "WStripDisplay",
    "decision_landscape",
    "doubtful_labels",
    "ensemble_diagnostics",
    "explain_errors",
    "find_lines",
    "fit_projection",
    "held_out_fidelity",
    "list_datasets",
    "list_encoders",
    "load_dataset",
    "load_encoder",
    "load_model",
    "nn",
    "read_dataset",
    "read_leopard",
    "register",
    "save_model",
    "select_shots",
    "shot_influence",
]

__version__: str
