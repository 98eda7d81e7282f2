"""What a fitted method is asked about, as plain arrays: names of columns are compared before.

scikit-learn is imported where it is needed: what explains a method is loaded before any is fitted.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any, TypeVar, cast

import numpy as np

from slp_core.errors import SLPError

Model = TypeVar("Model")

# A batch of this many numbers stays in the processor's cache, and off the memory bus.
_NUMBERS_AT_ONCE = 1 << 18


def check_fitted(model: object) -> None:
    """Raise NotFittedError for a method that knows no classes yet."""
    if not hasattr(model, "classes_"):  # no more is asked for, be it an estimator or not
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(model)


def row_batches(n_rows: int, n_features: int) -> Iterator[slice]:
    """Slices that together cover the rows."""
    rows = max(64, _NUMBERS_AT_ONCE // n_features)
    for start in range(0, n_rows, rows):
        yield slice(start, min(start + rows, n_rows))


def class_indices(model: Any, X: Any) -> np.ndarray:
    """(m,) class of greatest probability of each row, as an index into ``classes_``.

    Rows of a large array or table are taken batch by batch, each in its own precision until then:
    what is computed on the way is several times as large as they are.
    """
    rows = getattr(X, "iloc", X)
    sliced = rows is not X or isinstance(X, np.ndarray)
    if not sliced or X.ndim != 2 or X.size <= _NUMBERS_AT_ONCE:
        found: np.ndarray = model.predict_proba(X).argmax(axis=1)
        return found
    parts = (model.predict_proba(rows[batch]) for batch in row_batches(*X.shape))
    return np.concatenate([part.argmax(axis=1) for part in parts])


def without_names(model: Model, X: Any) -> tuple[Model, np.ndarray]:
    """The method and its points (m, d), without the column names that it may be fitted with.

    Columns of a table that are others than it was fitted on, or in another order, are a ValueError.
    """
    if hasattr(model, "feature_names_in_"):
        from sklearn.utils.validation import validate_data

        validate_data(model, X, reset=False, skip_check_array=True)
    return nameless(model), np.asarray(X)


def nameless(model: Model) -> Model:
    """The method, or what stands for it and takes arrays without a warning if it knows names."""
    if not hasattr(model, "feature_names_in_"):
        return model
    asked: Any = model
    # A pipeline or a search asks other models, which may know the names as well.
    if any(hasattr(value, "fit") for value in asked.get_params().values()):
        return cast(Model, _Naming(model))
    model = copy.copy(model)
    del model.feature_names_in_
    return model


class _Naming:
    """A method that holds others, asked about arrays as tables with the names that it knows."""

    def __init__(self, model: Any):
        self._model = model
        self.classes_ = model.classes_
        self.n_features_in_ = len(model.feature_names_in_)

    def predict_proba(self, X: Any) -> np.ndarray:
        return np.asarray(self._model.predict_proba(self._named(X)))

    def predict(self, X: Any) -> np.ndarray:
        return np.asarray(self._model.predict(self._named(X)))

    def _named(self, X: Any) -> Any:
        import pandas as pd

        return pd.DataFrame(np.asarray(X), columns=self._model.feature_names_in_)


def true_indices(model: Any, X: Any, y: Any) -> np.ndarray:
    """(m,) int: where in the method's ``classes_`` the true labels of m points stand.

    An SLPError for another number of labels than of points, or a label not fitted on.
    """
    from sklearn.utils.validation import column_or_1d

    check_fitted(model)
    y, classes = column_or_1d(y), np.asarray(model.classes_)
    if len(y) != len(X):
        raise SLPError(f"{len(X):,} points have {len(y):,} labels: give each point one.")
    unknown = ~np.isin(y, classes)
    if unknown.any():
        raise SLPError(f"Label '{y[unknown][0]}' is not one that the method was fitted on.")
    order = np.argsort(classes)
    found: np.ndarray = order[np.searchsorted(classes, y, sorter=order)]
    return found
