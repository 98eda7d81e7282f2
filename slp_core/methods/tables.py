"""Predictions of fitted methods on arrays and data frames; scikit-learn is imported late."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any, TypeVar

import numpy as np

from slp_core.errors import SLPError

Model = TypeVar("Model")

# Numbers per batch, to fit the processor's cache.
_NUMBERS_AT_ONCE = 1 << 18


def check_fitted(model: object) -> None:
    """Raise NotFittedError for a method without classes."""
    if not hasattr(model, "classes_"):
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(model)


def row_batches(n_rows: int, n_features: int) -> Iterator[slice]:
    rows = max(64, _NUMBERS_AT_ONCE // n_features)
    for start in range(0, n_rows, rows):
        yield slice(start, min(start + rows, n_rows))


def class_indices(model: Any, X: Any) -> np.ndarray:
    """(m,) most probable class of each row, as an index into ``classes_``; in batches."""
    rows = getattr(X, "iloc", X)
    sliced = rows is not X or isinstance(X, np.ndarray)
    if not sliced or X.ndim != 2 or X.size <= _NUMBERS_AT_ONCE:
        found: np.ndarray = model.predict_proba(X).argmax(axis=1)
        return found
    parts = (model.predict_proba(rows[batch]) for batch in row_batches(*X.shape))
    return np.concatenate([part.argmax(axis=1) for part in parts])


def without_names(model: Model, X: Any) -> tuple[Model, np.ndarray]:
    """The method and its points (m, d) without column names; ValueError if those differ."""
    if hasattr(model, "feature_names_in_"):
        from sklearn.utils.validation import validate_data

        validate_data(model, X, reset=False, skip_check_array=True)
    return nameless(model), np.asarray(X)


def nameless(model: Model) -> Model:
    """The method, or a copy that takes arrays without a warning about column names."""
    if "feature_names_in_" not in getattr(model, "__dict__", ()):
        return model
    model = copy.copy(model)
    del model.feature_names_in_  # type: ignore[attr-defined]
    return model


def check_one_label_each(X: Any, y: Any, what: str = "points") -> None:
    """Raise unless points and labels are as many."""
    if len(X) != len(y):
        raise SLPError(f"There are {len(X):,} {what} and {len(y):,} labels: give one for each.")


def true_indices(model: Any, X: Any, y: Any) -> np.ndarray:
    """(m,) indices of the true labels in ``classes_``; SLPError for unknown or missing ones."""
    from sklearn.utils.validation import column_or_1d

    check_fitted(model)
    y, classes = column_or_1d(y), np.asarray(model.classes_)
    check_one_label_each(X, y)
    unknown = ~np.isin(y, classes)
    if unknown.any():
        raise SLPError(
            f"Label '{y[unknown][0]}' is not among the classes that the method was fitted on."
        )
    order = np.argsort(classes)
    found: np.ndarray = order[np.searchsorted(classes, y, sorter=order)]
    return found
