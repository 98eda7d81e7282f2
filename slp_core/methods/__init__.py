"""The classifiers, each a scikit-learn estimator, one file a method; imported on first use."""

from slp_core.lazy import lazy_names

_HOME = {
    "slp_core.methods.constraint_slp": ("ConstraintSLPClassifier", "solve_soft_labels"),
    "slp_core.methods.deep_slp": ("DeepSLPClassifier", "TrainingState"),
    "slp_core.methods.meta_slp": ("MetaSLPClassifier",),
    "slp_core.methods.fine_tuned": ("FineTunedClassifier", "LoRAClassifier"),
    "slp_core.methods.proto_net": ("ProtoNetClassifier",),
    "slp_core.methods.setfit": ("SetFitClassifier",),
    "slp_core.methods.baselines": (
        "LogisticRegressionClassifier",
        "NearestCentroidClassifier",
        "OneNearestNeighbourClassifier",
    ),
}

__getattr__ = lazy_names(__name__, _HOME)
__all__ = sorted(name for names in _HOME.values() for name in names)
