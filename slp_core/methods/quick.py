"""Answers to very many points in single precision, where they are sure to be those in double.

A product of vectors of d numbers in single precision is wrong by at most about d · 2⁻²⁴ |x| |p|
(Higham 2002, *Accuracy and Stability of Numerical Algorithms*, section 3.1), in whatever order it
is summed. From that follows how wrong each distance and each vote may be. Where the winner leads by
more it is the answer; the few other points are left to the usual way, which takes several times as
long. So the answers are the same, and only the time is another.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

LEAST = 2.0**-125  # a product below it may be none in single precision
_TELLS = 1e-12  # a lead in influence that is not lost in the exponentials of a softmax


class Quick:
    """Base: points against fixed ones.

    Parameters
    ----------
    points : (q, d) array
    """

    def __init__(self, points: np.ndarray):
        self._columns = np.ascontiguousarray(points.T, dtype=np.float32)
        self._squared = np.einsum("qd,qd->q", points, points)
        self._size = float(np.sqrt(self._squared.max()))
        self._rounding = rounding(points.shape[1])
        self._lost = points.shape[1] * LEAST

    def winners(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The class index of each point, and where it is sure.

        Parameters
        ----------
        X : (m, d) array
            Of floats; a point with one that is not finite is not sure.

        Returns
        -------
        winner : (m,) int array
        sure : (m,) bool array
        """
        with np.errstate(all="ignore"):  # what is not a number is not sure
            x = X.astype(np.float32, copy=False)
            squared = np.einsum("md,md->m", x, x).astype(np.float64)
            products = (x @ self._columns).astype(np.float64)
            return self._winners(x, squared, products)

    @abstractmethod
    def _winners(
        self, x: np.ndarray, squared: np.ndarray, products: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]: ...

    def _error(self, norm: np.ndarray) -> np.ndarray:
        """(m,) how wrong a product with one of the points may be."""
        return self._rounding * (norm + self._size) * self._size + self._lost


class QuickCentroids(Quick):
    """The nearest of some points."""

    def _winners(
        self, x: np.ndarray, squared: np.ndarray, products: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        norm = np.sqrt(squared)
        winner, lead = _leader(2.0 * products - self._squared)
        # As distances: d² − d'² = (d − d') (d + d'), and neither is above |x| + |p|.
        told = _TELLS * 2.0 * (norm + self._size)
        return winner, lead > np.maximum(4.0 * self._error(norm), told)


@dataclass(frozen=True)
class Votes:
    """What the two prototypes of a line divide by their distances.

    Attributes
    ----------
    classes : (k,) int array
        Those that the line has something to say of.
    values : (m, 2, k) array
        Left and right; of one point only, where all have the same.
    wrong : (m,) array
        How wrong each of them may be; of one point only, where all are alike.
    others : float
        What all other classes have.
    """

    classes: np.ndarray
    values: np.ndarray
    wrong: np.ndarray
    others: float


AskVotes: TypeAlias = Callable[[int, np.ndarray, np.ndarray, np.ndarray], Votes]
"""Of a line, by its number, at some rows of points (m, d) in single precision, with their norms."""


@dataclass(frozen=True)
class LineRule:
    """How points are given to lines, and what their votes are divided by.

    Attributes
    ----------
    by_segment : bool
        By the nearest segment; else by the nearest prototype.
    along_line : bool
        Distances of the foot on the segment; else of the point.
    floor, unit : float
        The least distance, in units of the vectors, and that which votes are divided by.
    """

    by_segment: bool
    along_line: bool
    floor: float
    unit: float


class QuickLines(Quick):
    """The class of most influence, by the prototypes of one line.

    Parameters
    ----------
    prototypes : (L, 2, d) array
    lengths : sequence of float
        L.
    rule : LineRule
    votes : callable
        See :data:`AskVotes`.
    """

    def __init__(
        self, prototypes: np.ndarray, lengths: Sequence[float], rule: LineRule, votes: AskVotes
    ):
        super().__init__(np.concatenate([prototypes[:, 0], prototypes[:, 1]]))
        self._length = np.array(lengths)
        self._rule, self._votes = rule, votes
        left, axis = prototypes[:, 0], prototypes[:, 1] - prototypes[:, 0]
        self._foot_of_origin = self._over_length(np.einsum("ld,ld->l", left, axis))

    def _winners(
        self, x: np.ndarray, squared: np.ndarray, products: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        line, sure, d, off = self._placed(squared, products)
        norm, winner = np.sqrt(squared), np.zeros(len(x), dtype=np.intp)
        for number in range(len(self._length)):
            here = np.flatnonzero(line == number)
            if len(here):
                votes = self._votes(number, here, x, norm)
                winner[here], leads = self._won(votes, d[:, here], off[:, here])
                sure[here] &= leads
        return winner, sure

    def _placed(
        self, squared: np.ndarray, products: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Line of each point, where that is sure, distances (2, m), and how wrong those may be."""
        rule, n_lines = self._rule, len(self._length)
        error = self._error(np.sqrt(squared))
        left, right = products[:, :n_lines], products[:, n_lines:]
        # Squared distances without |x|², which is the same for all.
        to_ends = self._squared - 2.0 * products
        to_left, to_right = to_ends[:, :n_lines], to_ends[:, n_lines:]
        t = self._over_length(right - left) - self._foot_of_origin
        foot = np.clip(t, 0.0, self._length)
        if rule.by_segment:  # |x − foot|² = |x − left|² − t² + (t − foot)²
            near, wrong = to_left + foot * (foot - 2.0 * t), 12.0 * error
        else:
            near, wrong = np.minimum(to_left, to_right), 4.0 * error
        line, lead = _leader(-near)
        chosen = np.arange(len(line)), line
        if rule.along_line:
            length = self._length[line]
            d = np.stack([foot[chosen], length - foot[chosen]])
            off = np.repeat(np.where(length > 0, 2.0 * error / length, 0.0)[None], 2, axis=0)
        else:
            d, off = _root(
                squared + np.stack([to_left[chosen], to_right[chosen]]),
                2.0 * error + self._rounding * squared + self._lost,
            )
        return line, lead > wrong, np.maximum(d, rule.floor), off

    def _won(self, votes: Votes, d: np.ndarray, off: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Class of most influence at points of one line, and where that is sure.

        Each vote over its distance is that vote times the other's distance, over both.
        """
        if not len(votes.classes):
            return np.zeros(d.shape[1], dtype=np.intp), np.zeros(d.shape[1], dtype=bool)
        score, wrong = np.zeros((2, d.shape[1], len(votes.classes)))
        for side, other in ((0, 1), (1, 0)):
            score += votes.values[:, side] * d[other, :, None]
            wrong += np.abs(votes.values[:, side]) * off[other, :, None]
            wrong += votes.wrong[:, None] * (d + off)[other, :, None]
        best = np.arange(len(score)), score.argmax(axis=1)
        least = (score - wrong)[best] - _TELLS * d[0] * d[1] / self._rule.unit
        most = score + wrong
        most[best] = votes.others
        return votes.classes[best[1]], least > np.maximum(most.max(axis=1), votes.others)

    def _over_length(self, values: np.ndarray) -> np.ndarray:
        """Divided by the lengths of the lines; 0 on one without length, where t is 0."""
        empty = np.zeros(np.broadcast_shapes(values.shape, self._length.shape))
        return np.divide(values, self._length, out=empty, where=self._length > 0)


def rounding(d: int) -> float:
    """How wrong a sum of d products in single precision may be, as a share of |x| |p|.

    With what was lost when the two were made single, and some room.
    """
    return 1.1 * (d + 8) * 2.0**-24


def _leader(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which of each row is the greatest, and by how much; with a single one, by infinity."""
    rows, best = np.arange(len(values)), values.argmax(axis=1)
    greatest = values[rows, best]
    others = values.copy()
    others[rows, best] = -np.inf
    return best, greatest - others.max(axis=1)


def _root(squared: np.ndarray, wrong: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The root of what may be wrong by so much, and how wrong that may be."""
    return np.sqrt(np.maximum(squared, 0.0)), wrong / np.sqrt(np.maximum(squared - wrong, 0.0))
