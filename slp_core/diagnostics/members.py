"""The two prototypes of a line as the members of an ensemble."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import log_softmax, softmax

from slp_core.errors import SLPError
from slp_core.methods.protocols import HasLines, HasMembers, HasProbabilities
from slp_core.methods.tables import without_names

Temperature = Literal["none", "distance"]
# A soft label that is less than this is none: solvers of linear programmes leave as much behind.
NOTHING = 1e-8


@dataclass(frozen=True, eq=False)
class Members:
    """What each prototype predicts alone, A first, and what both predict together."""

    alone: np.ndarray  # (m, 2, K)
    joint: np.ndarray  # (m, K)
    weight: np.ndarray  # (m, 2)
    distance: np.ndarray  # (m,)
    log_alone: np.ndarray  # (m, 2, K)
    log_joint: np.ndarray  # (m, K)
    log_pooled: np.ndarray | None = None  # (m, 2, K)


def read_members(
    model: HasProbabilities, X: np.ndarray, temperature: Temperature = "none"
) -> Members:
    """The predictions of a fitted method and each of its two prototypes for X (m, d)."""
    if temperature not in ("none", "distance"):
        raise SLPError(f"temperature {temperature!r} is not 'none' or 'distance'.")
    if not isinstance(model, HasMembers):
        lack = "does not combine two" if isinstance(model, HasLines) else "has no"
        raise SLPError(f"{type(model).__name__} {lack} prototypes, and so has no members.")
    model, X = without_names(model, X)
    assert isinstance(model, HasMembers)
    X = np.asarray(X, dtype=np.float64)
    pooled = model.combination == "pool"
    if not len(X):
        nothing = np.empty((0, 2, len(model.classes_)))
        none, two = nothing[:, 0], np.empty((0, 2))
        logs = nothing if pooled else None
        return Members(nothing, none, two, np.empty(0), nothing, none, logs)
    at = model.place(X)
    labels = model.prototype_scores(X, at.line)
    weight = np.column_stack([at.w, 1.0 - at.w])
    near = np.minimum(at.d_left, at.d_right)
    if not pooled:
        alone = np.where(labels >= NOTHING, labels, 0.0)
        joint = weight[:, :1] * alone[:, 0] + weight[:, 1:] * alone[:, 1]
        return Members(alone, joint, weight, near, _log(alone), _log(joint))
    # z / d with distances in the method's own units: its influence divided by weight.
    inverse = model.distance_unit / np.column_stack([at.d_left, at.d_right])
    divided = labels * inverse[..., None]
    alone = labels if temperature == "none" else divided
    return Members(
        softmax(alone, axis=2),
        model.predict_proba(X),
        weight,
        near,
        log_softmax(alone, axis=2),
        log_softmax(divided.sum(axis=1), axis=1),
        log_softmax(labels * inverse.sum(axis=1)[:, None, None], axis=2),
    )


def _log(share: np.ndarray) -> np.ndarray:
    """Logarithms of probabilities; −∞ for one that is 0."""
    return np.log(share, out=np.full(share.shape, -np.inf), where=share > 0)
