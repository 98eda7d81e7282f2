"""Checks of vectors, models and options before a projection is computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np

from slp_core.errors import SLPError
from slp_core.methods.tables import check_fitted

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


_BOUNDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "seed": (
        f"a whole number from 0 to {2**32 - 1:,}",
        lambda value: isinstance(value, Integral) and 0 <= int(value) < 2**32,
    ),
    "n_neighbors": (
        "a whole number of at least 2",
        lambda value: isinstance(value, Integral) and int(value) >= 2,
    ),
    "min_dist": (
        "a number from 0 to 1",
        lambda value: isinstance(value, Real) and 0 <= float(value) <= 1,
    ),
    "perplexity": (
        "a number above 0",
        lambda value: isinstance(value, Real) and float(value) > 0,
    ),
    "grid": (
        "a whole number from 2 to 400",
        lambda value: isinstance(value, Integral) and 2 <= int(value) <= 400,
    ),
    "margin": (
        "a finite number of at least 0",
        lambda value: isinstance(value, Real) and 0 <= float(value) < np.inf,
    ),
    "aspect": (
        "a finite number above 0",
        lambda value: value is None or (isinstance(value, Real) and 0 < float(value) < np.inf),
    ),
}
_NEED_A_MODEL = ("centroid_plane", "decision_plane", "decision_umap")
_SINGLE = {"umap": "UMAP", "tsne": "t-SNE"}  # that compute distances in single precision


def check_values(options: Mapping[str, Any]) -> None:
    """Raise unless every option and the seed are within their bounds."""
    for name, value in options.items():
        if name in _BOUNDS and not _BOUNDS[name][1](value):
            raise SLPError(f"{name} must be {_BOUNDS[name][0]}, and is {value!r}.")


def check_model(method: str, model: object, n_features: int) -> None:
    """Raise unless a projection that depends on a method has a suitable one."""
    if method not in _NEED_A_MODEL:
        return
    if model is None:
        raise SLPError(f"Projection {method!r} needs a fitted model.")
    check_fitted(model)
    if method == "centroid_plane" and n_features > 2 and not hasattr(model, "centroids_"):
        raise SLPError(f"{type(model).__name__} has no class centroids.")


def check_magnitude(X: np.ndarray, method: str, metric: str) -> None:
    """Raise where squared distances overflow or vanish."""
    most = largest(X)
    if most > np.sqrt(np.finfo(np.float64).max / X.size) / 2:
        raise SLPError(
            f"The vectors hold a value of {most:.0e}, whose square overflows: divide all of them "
            "by one number."
        )
    if method not in _SINGLE or one_place(X):
        return
    lengths = np.square(X).sum(axis=1).max() if metric == "cosine" else 0.0
    squares = max(np.square(np.ptp(X, axis=0)).sum(), lengths)
    single = np.finfo(np.float32)
    if not single.tiny <= squares <= single.max:
        size, way = ("large", "divide") if squares > 1 else ("small", "multiply")
        raise SLPError(
            f"{_SINGLE[method]} computes in single precision, for which the distances between "
            f"these vectors are too {size}: {way} all vectors by one number, or use PCA."
        )
