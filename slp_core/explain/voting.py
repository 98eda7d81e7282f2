"""Where examples stand to their lines, with the soft labels that hold there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.errors import SLPError
from slp_core.lines import Placement
from slp_core.methods.protocols import HasLines, has_lines
from slp_core.methods.tables import check_fitted


@dataclass(frozen=True, eq=False)
class Voting:
    """How m examples stand to the lines that they are assigned to."""

    place: Placement
    labels: np.ndarray  # (m, 2, K)
    along: np.ndarray  # (m,)
    predicted_along: np.ndarray  # (m,)


def check_lines(model: object) -> None:
    """Raise for a method without lines."""
    check_fitted(model)
    if not has_lines(model):
        raise SLPError(f"{type(model).__name__} has no lines.")


def read_voting(model: HasLines, X: np.ndarray) -> Voting:
    """Place points and take their labels from a fitted method with lines."""
    check_lines(model)
    n_classes = len(model.classes_)
    if not len(X):
        none, nothing = np.empty(0), np.empty(0, dtype=np.int64)
        place = Placement(nothing, *(none,) * 5, np.empty((0, len(model.lines_))))
        return Voting(place, np.empty((0, 2, n_classes)), none, nothing)
    place = model.place(X)
    labels = model.vote_labels(X, place.line)
    length = np.array([line.length for line in model.lines_])[place.line]
    foot = np.clip(place.t, 0.0, length)
    d_left, d_right = (np.maximum(d, model.distance_floor) for d in (foot, length - foot))
    along = d_right / (d_left + d_right)
    return Voting(place, labels, along, weighed(labels, along).argmax(axis=1))


def weighed(labels: np.ndarray, w: np.ndarray) -> np.ndarray:
    """(m, K) w · left + (1 − w) · right, whose argmax is the predicted class at w."""
    w = np.asarray(w)[:, None]
    infinite = np.isinf(labels)
    if not infinite.any():
        return w * labels[:, 0] + (1.0 - w) * labels[:, 1]
    finite = np.where(infinite, 0.0, labels)
    return np.where(infinite.any(axis=1), -np.inf, w * finite[:, 0] + (1.0 - w) * finite[:, 1])
