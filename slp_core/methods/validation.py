"""Validation of what estimators are given."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_array

from slp_core.allowed import Allowed, check
from slp_core.errors import SLPError

CALLED = [callable, None]
_MOST_NUMBERS = 200_000_000  # of a sparse table, written out: 1.6 GB


class ValidatesParameters:
    """Raises SLPError for invalid parameters."""

    _allowed: ClassVar[Allowed]

    def _check_parameters(self) -> None:
        """Raise unless every parameter is valid."""
        for name, value in self.get_params(deep=False).items():  # type: ignore[attr-defined]
            check(f"{name} of {type(self).__name__}", value, self._allowed[name])


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
