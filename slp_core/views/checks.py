"""Checks of vectors and models before a projection is computed."""

from __future__ import annotations

import numpy as np

from slp_core.errors import SLPError
from slp_core.methods.tables import check_fitted

_ROUNDING = 4 * np.finfo(np.float64).eps  # of the largest coordinate


def unit_of(X: np.ndarray) -> float:
    """A power of two near the largest value: divided by it, squares of ``X`` are ordinary numbers,
    and every digit is as it was.
    """
    return float(2.0 ** np.frexp(np.abs(X).max())[1])


def one_place(X: np.ndarray) -> bool:
    """Whether all rows of ``X`` (n, d) are one point, but for rounding."""
    X = X / unit_of(X)
    # Against each other: the mean of many equal rows is off by more than each of them.
    return bool(np.ptp(X, axis=0).max() <= _ROUNDING * np.abs(X).max())


_NEED_A_MODEL = ("centroid_plane", "decision_plane", "decision_umap")


def check_model(method: str, model: object, n_features: int) -> None:
    """Raise unless a projection that depends on a method has a suitable one."""
    if method not in _NEED_A_MODEL:
        return
    if model is None:
        raise SLPError(f"Projection {method!r} needs a fitted model.")
    check_fitted(model)
    if method == "centroid_plane" and n_features > 2 and not hasattr(model, "centroids_"):
        raise SLPError(f"{type(model).__name__} has no class centroids.")


def check_magnitude(X: np.ndarray) -> None:
    """Raise where squared distances overflow."""
    most = np.abs(X).max()
    if most > np.sqrt(np.finfo(np.float64).max / X.size) / 2:
        raise SLPError(
            f"The vectors hold a value of {most:.0e}, whose square overflows: divide all of them "
            "by one number."
        )
