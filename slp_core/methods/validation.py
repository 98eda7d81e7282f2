"""Validation of what estimators are given."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_array
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import assert_all_finite, column_or_1d

from slp_core.allowed import check_options
from slp_core.errors import SLPError
from slp_core.methods.tables import check_one_label_each

_MOST_NUMBERS = 200_000_000  # of a sparse table, written out: 1.6 GB


class ValidatesParameters:
    """Raises SLPError for invalid parameters."""

    def _check_parameters(self) -> None:
        options = self.get_params(deep=False)  # type: ignore[attr-defined]
        check_options(options, type(self), f" of {type(self).__name__}")


def dense(X: Any) -> np.ndarray:
    """A validated table as an array; SLPError for a sparse one that is too large for that."""
    if not issparse(X):
        return X
    (n, d), limit = X.shape, _MOST_NUMBERS
    if n * d > limit:
        raise SLPError(
            f"The sparse table has {n:,} rows and {d:,} columns, and distances need all its "
            f"numbers: at most {limit:,} are taken. Reduce the columns, for instance with "
            "TruncatedSVD, or give fewer rows at once."
        )
    return X.toarray()


def relative_weights(
    X: np.ndarray, y: np.ndarray, sample_weight: Any
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows X (n, d) of a weight above 0, their labels, and their weights (n,), at most 1."""
    if sample_weight is None:
        return X, y, np.ones(len(X))
    weights = check_array(
        sample_weight, dtype=np.float64, ensure_2d=False, input_name="sample_weight"
    )
    if weights.shape != (len(X),):
        raise SLPError(
            f"sample_weight has the shape {weights.shape}: give one number for each of the "
            f"{len(X)} rows."
        )
    if (weights < 0).any() or not weights.any():
        raise SLPError(
            "sample_weight has negative weights or is all zero: give weights above zero, and zero "
            "for rows to leave out."
        )
    used = weights > 0
    return X[used], y[used], weights[used] / weights.max()


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
    labels = np.asarray(y, dtype=object if isinstance(y, (list, tuple)) else None)
    if labels.dtype.kind not in "OmM" or labels.ndim == 0:
        return  # scikit-learn checks the others
    import pandas as pd

    missing = np.flatnonzero(pd.isna(labels))
    if len(missing):
        raise SLPError(
            f"The label of row {missing[0]} is missing ({labels.flat[missing[0]]!r}): add it, or "
            "leave the row out."
        )
