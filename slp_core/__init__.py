"""Soft-label prototypes: few-shot classifiers that can be looked into.

Names are imported on first use, so that ``import slp_core`` is quick and a first picture needs
neither torch nor transformers.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

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
    "slp_core.methods": (
        "ConstraintSLPClassifier",
        "DeepSLPClassifier",
        "LogisticRegressionClassifier",
        "NearestCentroidClassifier",
        "OneNearestNeighbourClassifier",
    ),
    "slp_core.views": ("decision_landscape", "fit_projection"),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = ["__version__", *sorted(_MODULE_OF)]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'slp_core' has no attribute {name!r}")
    value = getattr(import_module(_MODULE_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_MODULE_OF])
