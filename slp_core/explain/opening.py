"""The point that a page opens on, and why that one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.facts import Facts, Stated

_SAME = 1e-9  # of probability, within which two leads are one


@dataclass(frozen=True)
class Opening(Stated):
    """A query point that nobody chose."""

    index: int
    why: Facts

    def facts(self) -> Facts:
        """What sets it apart."""
        return self.why


def least(margin: np.ndarray, among: np.ndarray) -> tuple[int, int]:
    """The first point with the least margin among some, and how many have no more than it."""
    low = margin[among].min()
    alike = among & (margin <= low + _SAME)
    return int(np.flatnonzero(alike)[0]), int(alike.sum())


def margins(probability: np.ndarray, true: np.ndarray) -> np.ndarray:
    """(m,) probability of the true class less that of the best other one; 1 for one class alone."""
    own = np.take_along_axis(probability, true[:, None], axis=1)[:, 0]
    others = probability.copy()
    np.put_along_axis(others, true[:, None], 0.0, axis=1)
    return own - others.max(axis=1, initial=0.0)
