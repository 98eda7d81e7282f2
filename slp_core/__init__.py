"""Soft-label prototypes: few-shot classifiers that can be looked into.

Names are imported on first use, so that ``import slp_core`` is quick and a first picture needs
neither torch nor transformers.
"""

from __future__ import annotations

from slp_core.lazy import lazy_names

__version__ = "0.1.0"

_HOME = {
    "slp_core.errors": ("SLPError", "DatasetError", "EncoderError"),
    "slp_core.data": (
        "Episode",
        "Examples",
        "FewShotDataset",
        "list_datasets",
        "load_dataset",
        "read_dataset",
        "read_leopard",
    ),
    "slp_core.encoders": ("list_encoders", "load_encoder"),
    "slp_core.lines": ("Line", "LineFit", "Placement", "find_lines"),
    "slp_core.methods.constraint_slp": ("ConstraintSLPClassifier",),
    "slp_core.methods.deep_slp": ("DeepSLPClassifier",),
    "slp_core.methods.meta_slp": ("MetaSLPClassifier",),
    "slp_core.methods.fine_tuned": ("FineTunedClassifier", "LoRAClassifier"),
    "slp_core.methods.baselines": (
        "LogisticRegressionClassifier",
        "NearestCentroidClassifier",
        "OneNearestNeighbourClassifier",
    ),
    "slp_core.explain": ("explain_errors",),
    "slp_core.diagnostics": ("ensemble_diagnostics",),
    "slp_core.views": ("decision_landscape", "fit_projection"),
}
__getattr__ = lazy_names(__name__, _HOME)
__all__ = ["__version__", *sorted(name for names in _HOME.values() for name in names)]


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
