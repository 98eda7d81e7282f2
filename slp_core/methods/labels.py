"""Validation of labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import assert_all_finite, column_or_1d

from slp_core.errors import SLPError
from slp_core.methods.tables import check_one_label_each


def classes_of_texts(y: Any, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Sorted classes (K,), and the class index (n,) of each of n texts."""
    refuse_missing(y)
    y = column_or_1d(y, warn=True)
    assert_all_finite(y, input_name="y")
    if not n:
        raise SLPError("There are no texts to learn from.")
    check_one_label_each(range(n), y, "texts")
    return classes_of(y)


def classes_of(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sorted classes (K,), and the class index (n,) of each label."""
    if y.dtype.kind == "f":  # integers and names are always classes
        check_classification_targets(y)
    try:
        return np.unique(y, return_inverse=True)
    except TypeError:
        raise SLPError(
            "The labels are of several types that cannot be sorted: use only names or only numbers."
        ) from None


def refuse_missing(y: Any) -> None:
    """Raise for None, NaN, NA and NaT among the labels."""
    if not isinstance(y, (list, tuple)):
        y = np.asarray(y)
        if y.dtype.kind not in "OmM" or y.ndim == 0:
            return  # scikit-learn checks the others
        y = y.ravel()
    for row, label in enumerate(y):
        if not _is_class(label):
            raise SLPError(
                f"The label of row {row} is missing ({label!r}): add it, or leave the row out."
            )


def _is_class(label: Any) -> bool:
    try:
        return label is not None and bool(label == label)
    except (TypeError, ValueError):  # NA, or an array
        return False
