"""Positions of examples on their lines, with the soft labels there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.lines import Placement
from slp_core.methods.protocols import HasLines


@dataclass(frozen=True, eq=False)
class Places:
    """Positions of m examples on their assigned lines, (m,) each; line −1 is none."""

    line: np.ndarray
    w: np.ndarray
    t: np.ndarray
    r: np.ndarray
    along: np.ndarray  # w of their projections onto the line
    predicted_along: np.ndarray


def read_places(model: HasLines, X: np.ndarray) -> Places:
    if not len(X):
        none, nothing = np.empty(0), np.empty(0, dtype=np.int64)
        return Places(nothing, none, none, none, none, nothing)
    at = model.place(X)
    d_left, d_right = along_line(model, at)
    along = d_right / (d_left + d_right)
    predicted = weighed(model.prototype_scores(X, at.line), along).argmax(axis=1)
    return Places(at.line, at.w, at.t, at.r, along, predicted)


def along_line(model: HasLines, at: Placement) -> tuple[np.ndarray, np.ndarray]:
    """(m,) each: distances of the projections of points onto their lines from both prototypes."""
    length = np.array([line.length for line in model.lines_])[at.line]
    foot = np.clip(at.t, 0.0, length)
    return np.maximum(foot, model.distance_floor), np.maximum(length - foot, model.distance_floor)


def weighed(labels: np.ndarray, w: np.ndarray) -> np.ndarray:
    """(m, K) w · left + (1 − w) · right, whose argmax is the predicted class at w."""
    w = np.asarray(w)[:, None]
    infinite = np.isinf(labels)
    if not infinite.any():
        return w * labels[:, 0] + (1.0 - w) * labels[:, 1]
    finite = np.where(infinite, 0.0, labels)
    return np.where(infinite.any(axis=1), -np.inf, w * finite[:, 0] + (1.0 - w) * finite[:, 1])
