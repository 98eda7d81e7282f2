"""Validation of estimators' parameters by scikit-learn's ``_parameter_constraints``."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, TypeAlias

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_array
from sklearn.utils._param_validation import Interval, InvalidParameterError, StrOptions

from slp_core.encoders.checkpoint import LEAST_TOKENS
from slp_core.errors import SLPError

Constraints: TypeAlias = dict[str, list[Any]]

NOT_NEGATIVE = Interval(Real, 0, None, closed="left")
POSITIVE = Interval(Real, 0, None, closed="neither")
SHARE = Interval(Real, 0, 1, closed="both")
COUNT = Interval(Integral, 1, None, closed="left")
TOKENS = Interval(Integral, LEAST_TOKENS, None, closed="left")
COUNT_OR_ZERO = Interval(Integral, 0, None, closed="left")
SEED = Interval(Integral, 0, 2**32 - 1, closed="both")  # as scikit-learn takes them
CALLED = [callable, None]
_MOST_NUMBERS = 200_000_000  # of a sparse table, written out: 1.6 GB


def one_of(*names: str) -> StrOptions:
    return StrOptions(set(names))


class ValidatesParameters:
    """Raises SLPError for invalid parameters."""

    _parameter_constraints: ClassVar[Constraints]

    def _check_parameters(self) -> None:
        """Raise unless every parameter is valid."""
        try:
            self._validate_params()  # type: ignore[attr-defined]
        except InvalidParameterError as error:
            raise SLPError(str(error)) from None


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
