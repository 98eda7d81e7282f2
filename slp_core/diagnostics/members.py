"""The two prototypes that answer a point, as the members of an ensemble."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import log_softmax, softmax

from slp_core.errors import SLPError
from slp_core.methods.protocols import HasProbabilities, has_lines, has_local_soft_labels

Temperature = Literal["none", "distance"]


@dataclass(frozen=True, eq=False)
class Members:
    """What either prototype would answer alone, and what the two answer together.

    Attributes
    ----------
    alone : (m, 2, K) array
        Class probabilities of the left and the right prototype.
    joint : (m, K) array
        F, the method's own probabilities.
    weight : (m, 2) array
        w and 1 − w, each member's share of the vote.
    log_pooled : (m, 2, K) array or None
        log softmax(z / T) with 1/T = 1/d_left + 1/d_right: F is proportional to the product of
        these probabilities, each to the power of its weight. Logarithms, as at so low a
        temperature many are too small for a float. None where F is a mixture.
    distance : (m,) array
        From the nearer of the two, in units of the vectors.
    """

    alone: np.ndarray
    joint: np.ndarray
    weight: np.ndarray
    log_pooled: np.ndarray | None
    distance: np.ndarray


def read_members(
    model: HasProbabilities, X: np.ndarray, temperature: Temperature = "none"
) -> Members:
    """Take a fitted method's answers apart into those of the two prototypes.

    With constant soft labels a member is the soft label and F their mixture, w · Y_left + (1 − w)
    · Y_right. With logits a member is softmax(z), as the paper takes it, or with the temperature
    that the distance gives it, softmax(z / d); F is softmax(z_left / d_left + z_right / d_right).

    Parameters
    ----------
    model : fitted classifier
        With lines.
    X : (m, d) array
    temperature : {"none", "distance"}
        Of logits; constant soft labels have none.

    Raises
    ------
    SLPError
        For a method without prototypes, or an unknown temperature.
    """
    if temperature not in ("none", "distance"):
        raise SLPError(f"temperature {temperature!r} is not 'none' or 'distance'.")
    if not has_lines(model):
        raise SLPError(f"{type(model).__name__} has no prototypes, and so no members.")
    X = np.asarray(X, dtype=np.float64)
    n_classes = len(model.classes_)
    if not len(X):
        nothing = np.empty((0, 2, n_classes))
        return Members(nothing, nothing[:, 0], nothing[..., 0], None, np.empty(0))
    at, labels, joint = model.place(X), model.vote_labels(X), model.predict_proba(X)
    weight = np.column_stack([at.w, 1.0 - at.w])
    near = np.minimum(at.d_left, at.d_right)
    if not has_local_soft_labels(model):
        return Members(labels, joint, weight, None, near)
    # z / d with distances in the model's own units: its influence divided by weight.
    inverse = model.distance_unit / np.column_stack([at.d_left, at.d_right])
    log_pooled = log_softmax(labels * inverse.sum(axis=1)[:, None, None], axis=2)
    alone = labels if temperature == "none" else labels * inverse[..., None]
    return Members(softmax(alone, axis=2), joint, weight, log_pooled, near)
