"""A line's predictions with full distances, and with distances projected onto the line."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.explain.places import weighed
from slp_core.explain.profile import LineProfile
from slp_core.lines import weight_at


@dataclass(frozen=True, eq=False)
class HalfPlane:
    """The p examples of a line under one of the two kinds of distance."""

    line: int
    along_line: bool
    as_fitted: bool
    w: np.ndarray  # (p,)
    predicted: np.ndarray  # (p,)
    n_correct: int


def half_planes(
    profile: LineProfile, along_line: bool, true: np.ndarray, predicted: np.ndarray
) -> tuple[HalfPlane, ...]:
    """A line's examples with the method's own distances, and with the others."""
    if profile.line.length == 0:
        return ()
    planes = [(along_line, profile.w, predicted)]
    if not along_line:
        planes.append((True, profile.along, profile.predicted_along))
    elif profile.soft_labels is not None:
        w = weight_at(profile.t, profile.r, profile.line.length)
        labels = np.broadcast_to(profile.soft_labels, (len(w), *profile.soft_labels.shape))
        planes.append((False, w, weighed(labels, w).argmax(axis=1)))
    return tuple(
        HalfPlane(
            profile.number, along, along == along_line, w, classes, int((classes == true).sum())
        )
        for along, w, classes in planes
    )
