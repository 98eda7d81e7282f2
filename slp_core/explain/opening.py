"""The point that a page opens on, and why that one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.facts import Facts, Stated

_SAME = 1e-9  # of probability, within which two leads are one


@dataclass(frozen=True)
class Opening(Stated):
    """A query point that nobody chose.

    Attributes
    ----------
    index : int
        Among the query points.
    why : tuple of Fact
        What sets it apart from the others.
    """

    index: int
    why: Facts

    def facts(self) -> Facts:
        """What sets it apart."""
        return self.why


def least(margin: np.ndarray, among: np.ndarray) -> tuple[int, int]:
    """The first point with the least margin among some, and how many have no more than it.

    Parameters
    ----------
    margin : (m,) array
        By how much the probability of the true class leads that of every other: below 0 where the
        answer is wrong.
    among : (m,) bool array
        At least one is true.
    """
    low = margin[among].min()
    alike = among & (margin <= low + _SAME)
    return int(np.flatnonzero(alike)[0]), int(alike.sum())


def margins(probability: np.ndarray, true: np.ndarray) -> np.ndarray:
    """(m,) probability of the true class less that of the best other one; 1 for one class alone.

    Parameters
    ----------
    probability : (m, K) array
    true : (m,) int array
    """
    own = np.take_along_axis(probability, true[:, None], axis=1)[:, 0]
    others = probability.copy()
    np.put_along_axis(others, true[:, None], 0.0, axis=1)
    return own - others.max(axis=1, initial=0.0)
