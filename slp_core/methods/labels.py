"""Labels as they are given: what names no class is refused before anything is learnt from it."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import assert_all_finite, column_or_1d

from slp_core.errors import SLPError


def classes_of_texts(y: Any, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Classes (K,) in their order, and which of them each of n texts has, (n,) int."""
    refuse_missing(y)
    y = column_or_1d(y, warn=True)
    assert_all_finite(y, input_name="y")
    if not n:
        raise SLPError("There are no texts to learn from.")
    if len(y) != n:
        raise SLPError(f"There are {n} texts and {len(y)} labels: give one for each.")
    return classes_of(y)


def classes_of(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Classes (K,) in their order, and which of them each label (n,) is, (n,) int."""
    if y.dtype.kind == "f":  # whole numbers and names are classes, even one example each
        check_classification_targets(y)
    try:
        return np.unique(y, return_inverse=True)
    except TypeError:
        raise SLPError(
            "The labels are of several kinds, which have no order among them: name all classes by "
            "words, or all by numbers."
        ) from None


def refuse_missing(y: Any) -> None:
    """Refuse None, NaN and NA among names, which arrays of text would spell out, and NaT."""
    if not isinstance(y, (list, tuple)):
        y = np.asarray(y)
        if y.dtype.kind not in "OmM" or y.ndim == 0:
            return  # scikit-learn looks at numbers, and for a row of labels at all
        y = y.ravel()
    for row, label in enumerate(y):
        if not _names_a_class(label):
            raise SLPError(
                f"The label of row {row} is {label!r}, which names no class: leave the row out, or "
                "name its class."
            )


def _names_a_class(label: Any) -> bool:
    try:
        return label is not None and bool(label == label)
    except (TypeError, ValueError):  # NA neither equals itself nor differs, and some of a row do
        return False
