"""What a fitted method is asked about, as plain arrays: a table's names are compared before.

scikit-learn is imported where it is needed: what explains a method is loaded before any is fitted.
"""

from __future__ import annotations

import copy
from typing import Any, TypeVar, cast

import numpy as np

from slp_core.errors import SLPError

Model = TypeVar("Model")


def check_fitted(model: object) -> None:
    """Raise for a method that knows no classes yet.

    Raises
    ------
    NotFittedError
    """
    if not hasattr(model, "classes_"):  # no more is asked for, be it an estimator or not
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(model)


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
    """The method, or what stands for it and takes arrays without a warning if it knows names."""
    if not hasattr(model, "feature_names_in_"):
        return model
    if _holds_others(model):
        return cast(Model, _Naming(model))
    model = copy.copy(model)
    del model.feature_names_in_
    return model


def _holds_others(model: Any) -> bool:
    """Whether it asks other models, which may know the names as well: a pipeline, a search."""
    return any(hasattr(value, "fit") for value in model.get_params().values())


class _Naming:
    """A method that holds others, asked about arrays as tables with the names that it knows."""

    def __init__(self, model: Any):
        self._model = model
        self.classes_ = model.classes_
        self.n_features_in_ = len(model.feature_names_in_)

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, K) class probabilities."""
        return np.asarray(self._model.predict_proba(self._named(X)))

    def predict(self, X: Any) -> np.ndarray:
        """(m,) labels."""
        return np.asarray(self._model.predict(self._named(X)))

    def _named(self, X: Any) -> Any:
        import pandas as pd

        return pd.DataFrame(np.asarray(X), columns=self._model.feature_names_in_)


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
