"""Positions of examples on their lines, with the soft labels there."""

from __future__ import annotations

import numpy as np
import pandas as pd

from slp_core.lines import Placement
from slp_core.methods.protocols import HasLines
from slp_core.methods.tables import without_names


def read_places(model: HasLines, X: np.ndarray) -> pd.DataFrame:
    """``line``, ``w``, ``t``, ``r`` of each example; w of its projection, and the class there."""
    model, X = without_names(model, X)
    if not len(X):
        return nowhere(0)
    at = model.place(X)
    d_left, d_right = along_line(model, at)
    along = d_right / (d_left + d_right)
    predicted = weighed(model.prototype_scores(X, at.line), along).argmax(axis=1)
    places = {"line": at.line, "w": at.w, "t": at.t, "r": at.r}
    return pd.DataFrame(places | {"along": along, "predicted_along": predicted})


def nowhere(m: int) -> pd.DataFrame:
    """The same of m examples that are on no line."""
    places = {"line": np.full(m, -1)} | dict.fromkeys(("w", "t", "r", "along"), np.full(m, np.nan))
    return pd.DataFrame(places | {"predicted_along": places["line"]})


def along_line(model: HasLines, at: Placement) -> tuple[np.ndarray, np.ndarray]:
    """(m,) each: distances of the projections of points onto their lines from both prototypes."""
    length = np.array([line.length for line in model.lines_])[at.line]
    foot = np.clip(at.t, 0.0, length)
    return np.maximum(foot, model.distance_floor), np.maximum(length - foot, model.distance_floor)


def weighed(labels: np.ndarray, w: np.ndarray) -> np.ndarray:
    """(m, K) w · left + (1 − w) · right, whose argmax is the predicted class at w.

    Of (m, 2, K) soft labels, or of the same (2, K) at all w.
    """
    w = np.asarray(w)[:, None]
    infinite = np.isinf(labels)
    if not infinite.any():
        return w * labels[..., 0, :] + (1.0 - w) * labels[..., 1, :]
    barred = infinite.any(axis=-2)
    return np.where(barred, -np.inf, weighed(np.where(infinite, 0.0, labels), w[:, 0]))
