"""Which class wins where between two prototypes with constant soft labels: exactly."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from slp_core.markdown import named


@dataclass(frozen=True)
class Bands:
    """The winning classes over w, the left prototype's share of the vote, from 0 to 1.

    Attributes
    ----------
    classes : tuple of int
        One a band, from w = 0 on.
    edges : tuple of float
        Band i runs from ``edges[i]`` to ``edges[i + 1]``.
    """

    classes: tuple[int, ...]
    edges: tuple[float, ...]

    def at(self, w: float) -> int:
        """The band in which w lies; a breakpoint belongs to the band below it."""
        return bisect_left(self.edges, w, 1, len(self.classes)) - 1

    def winners_at(self, w: np.ndarray) -> np.ndarray:
        """The class that wins at each w; a breakpoint belongs to the band above it."""
        return np.asarray(self.classes)[np.searchsorted(self.edges[1:-1], w, side="right")]

    def sentence(self, names: Sequence[str]) -> str:
        """Every band with its ends."""
        if len(self.classes) == 1:
            return f"{named(names[self.classes[0]])} wins at every w."
        parts = []
        for i, c in enumerate(self.classes):
            low, high = self.edges[i], self.edges[i + 1]
            where = (
                f"below {high:.2f}"
                if i == 0
                else f"above {low:.2f}"
                if i == len(self.classes) - 1
                else f"from {low:.2f} to {high:.2f}"
            )
            parts.append(f"{named(names[c])} {where}")
        return f"Over w, {', '.join(parts[:-1])} and {parts[-1]} wins."


def winning_bands(left: np.ndarray, right: np.ndarray) -> Bands:
    """The upper envelope of the scores w · left + (1 − w) · right, each a straight line in w.

    Parameters
    ----------
    left, right : (K,) arrays
        Soft labels of the two prototypes, or their logits at one point; −∞ for a class that cannot
        be answered. Ties go to the first class, as in ``predict``.
    """
    able = np.flatnonzero(np.isfinite(left) & np.isfinite(right))
    left, right = left[able], right[able]
    slope = left - right
    # Lines i and j cross at w = (right_j − right_i) / (slope_i − slope_j).
    i, j = np.triu_indices(len(left), 1)
    turn = slope[i] - slope[j]
    crossing = (right[j] - right[i])[turn != 0] / turn[turn != 0]
    inner = np.unique(crossing[(crossing > 0) & (crossing < 1)])
    edges = np.concatenate([[0.0], inner, [1.0]])
    middle = (edges[:-1] + edges[1:]) / 2
    winner = able[(right + middle[:, None] * slope).argmax(axis=1)]
    starts = np.flatnonzero(np.concatenate([[True], winner[1:] != winner[:-1]]))
    return Bands(tuple(int(c) for c in winner[starts]), (*(float(e) for e in edges[starts]), 1.0))
