"""Which class wins where between two prototypes with constant soft labels: exactly."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

import numpy as np

THIN = 1e-9  # of the width of w: what rounding makes of a point at which three classes tie
_EQUAL = 1e-12  # between two soft labels, in units of 1 or of the largest logit


def weight(w: float, decimals: int = 2) -> str:
    """A w in a text; up to four decimals tell it from 0 and 1."""
    digits = (n for n in range(decimals, 5) if 0 < float(f"{w:.{n}f}") < 1)
    return f"{w:.{next(digits, decimals)}f}"


def interval(low: float, high: float) -> tuple[str, str]:
    """The ends of an interval of w in a text; up to four decimals tell them apart."""
    ends = ((weight(low, n), weight(high, n)) for n in range(2, 5))
    return next((pair for pair in ends if pair[0] != pair[1]), (weight(low), weight(high)))


@dataclass(frozen=True)
class Bands:
    """The decision intervals of w, the weight of prototype A, from 0 to 1."""

    classes: tuple[int, ...]
    edges: tuple[float, ...]

    def at(self, w: float) -> int:
        """The interval in which w lies; a breakpoint belongs to the one below it."""
        return bisect_left(self.edges, w, 1, len(self.classes)) - 1


def winning_bands(left: np.ndarray, right: np.ndarray) -> Bands:
    """The upper envelope of the scores w · left + (1 − w) · right, each a straight line in w."""
    able = np.flatnonzero(np.isfinite(left) & np.isfinite(right))
    ends = np.stack([left[able], right[able]])
    equal = _EQUAL * max(1.0, float(np.abs(ends).max(initial=0.0)))
    same = (np.abs(ends[:, :, None] - ends[:, None, :]) <= equal).all(axis=0)
    able = able[same.argmax(axis=1) == np.arange(len(able))]  # the first of those that tie all over
    right, slope = right[able], left[able] - right[able]
    now = int(right.argmax())  # at w = 0; of those that tie there, a band of no width
    won, edges = [now], [0.0]
    while (slope > slope[now]).any():
        rising = np.flatnonzero(slope > slope[now])
        # Lines i and j cross at w = (right_j − right_i) / (slope_i − slope_j).
        crossing = (right[now] - right[rising]) / (slope[rising] - slope[now])
        turn = float(crossing.min())
        if turn >= 1 - THIN:
            break
        first = rising[crossing <= turn]
        now = int(first[slope[first].argmax()])
        if turn - edges[-1] < THIN:
            won[-1] = now
        else:
            won.append(now)
            edges.append(turn)
    return Bands(tuple(int(able[c]) for c in won), (*edges, 1.0))
