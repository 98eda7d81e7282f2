"""What a fitted method is asked about, as plain arrays: a table's names are compared before.

scikit-learn is imported where it is needed: what explains a method is loaded before any is fitted.
"""

from __future__ import annotations

import copy
from typing import Any, TypeVar

import numpy as np

from slp_core.errors import SLPError

Model = TypeVar("Model")


def without_names(model: Model, X: Any) -> tuple[Model, np.ndarray]:
    """The method and its points, without the names of columns that it may have been fitted with.

    Parameters
    ----------
    model : fitted classifier
    X : (m, d) array or table

    Returns
    -------
    model
        As :func:`nameless` has it.
    X : (m, d) array

    Raises
    ------
    ValueError
        Where the columns of a table are not those that the method was fitted on, in their order.
    """
    if hasattr(model, "feature_names_in_"):
        from sklearn.utils.validation import validate_data

        validate_data(model, X, reset=False, skip_check_array=True)
    return nameless(model), np.asarray(X)


def nameless(model: Model) -> Model:
    """The method, or a copy of it that takes arrays without a warning if it was given a table."""
    if not hasattr(model, "feature_names_in_"):
        return model
    model = copy.copy(model)
    del model.feature_names_in_
    return model


def true_indices(model: Any, X: Any, y: Any) -> np.ndarray:
    """(m,) int: where in the method's ``classes_`` the true labels of m points stand.

    Parameters
    ----------
    model : fitted classifier
    X : (m, d) array or table
    y : (m,) array

    Raises
    ------
    NotFittedError
        Before ``fit``.
    SLPError
        For another number of labels than of points, or a label that the method was not fitted on.
    """
    from sklearn.utils.validation import check_is_fitted, column_or_1d

    check_is_fitted(model)
    y, classes = column_or_1d(y), np.asarray(model.classes_)
    if len(y) != len(X):
        raise SLPError(f"{len(X):,} points have {len(y):,} labels: give each point one.")
    unknown = ~np.isin(y, classes)
    if unknown.any():
        raise SLPError(f"Label '{y[unknown][0]}' is not one that the method was fitted on.")
    found: np.ndarray = np.searchsorted(classes, y)
    return found
