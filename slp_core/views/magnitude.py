"""Numbers whose squares are none, and rows that differ by rounding alone."""

from __future__ import annotations

import numpy as np

_ORDINARY = 1e-100, 1e100  # a sum of squares of such numbers neither vanishes nor overflows
_ROUNDING = 4 * np.finfo(np.float64).eps  # of the largest coordinate


def largest(X: np.ndarray) -> float:
    """The largest absolute value in ``X``."""
    return float(max(X.max(), -X.min()))


def exponent(X: np.ndarray) -> int:
    """By which power of two to divide ``X`` before it is squared: 0 but for extremes."""
    most = largest(X)
    least, greatest = _ORDINARY
    return 0 if most == 0 or least <= most <= greatest else int(np.frexp(most)[1])


def divided(X: np.ndarray, power: int) -> np.ndarray:
    """``X`` divided by a power of two, which leaves every digit as it is."""
    return np.asarray(np.ldexp(X, -power)) if power else X


def one_place(X: np.ndarray) -> bool:
    """Whether all rows of ``X`` (n, d) are one point, but for rounding."""
    X = divided(X, exponent(X))
    # Against each other: the mean of many equal rows is off by more than each of them.
    return bool(np.ptp(X, axis=0).max() <= _ROUNDING * largest(X))
