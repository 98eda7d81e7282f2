"""The example that a page shows before anybody has selected one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

_SAME = 1e-9  # of probability, within which two margins are one
Group = Literal["crossing", "spared", "errors", "all"]
"""Errors on the true class's line, errors whose nearest centroid is correct, errors, or any."""


@dataclass(frozen=True)
class DefaultPoint:
    """A query example, and the group in which its margin is the smallest."""

    index: int
    group: Group
    line: int | None = None  # to which that group is limited


def smallest_margin(
    margin: np.ndarray, groups: Sequence[tuple[Group, int | None, np.ndarray]]
) -> DefaultPoint:
    """The first example with the smallest margin in the first group that is not empty."""
    group, line, among = next(each for each in groups if each[2].any())
    alike = among & (margin <= margin[among].min() + _SAME)
    return DefaultPoint(int(alike.argmax()), group, line)


def margins(probability: np.ndarray, true: np.ndarray) -> np.ndarray:
    """(m,) probability of the true class less that of the best other one; 1 for one class alone."""
    own = np.take_along_axis(probability, true[:, None], axis=1)[:, 0]
    others = probability.copy()
    np.put_along_axis(others, true[:, None], 0.0, axis=1)
    return own - others.max(axis=1, initial=0.0)
