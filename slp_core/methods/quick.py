"""Answers to very many points in single precision, where they are sure to be those in double.

A product of vectors of d numbers in single precision is wrong by at most about d · 2⁻²⁴ |x| |p|
(Higham 2002, *Accuracy and Stability of Numerical Algorithms*, section 3.1), in whatever order it
is summed. From that follows how wrong each distance and each vote may be. Where the winner leads by
more it is the answer; the few other points are left to the usual way, which takes several times as
long. So the answers are the same, and only the time is another.
"""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import numpy as np
from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

LEAST = 2.0**-125  # a product below it may be none in single precision
_OPERATIONS = 16 * 2.0**-24  # of a dozen in single precision, each of which may round
_TELLS = 1e-12  # a lead in influence that is not lost in the exponentials of a softmax
_ROUNDS = 2.0**-48  # a lead in squared distance that is not lost in double precision


_LITTLE, _FEW = 1_000_000, 64
"""Multiplications up to which OpenBLAS takes matrices as they lie, on processors with AVX-512. For
more it copies both first, which takes as long again where there are few columns. Below so many rows
at once, to ask for each part takes longer than that."""

_LIMITING = threading.Lock()
"""Limits on threads are the process's: two that set and reset one at once could leave it behind."""


class Quick:
    """Base: points against fixed ones, of which there are few: arrays end with the points.

    Parameters
    ----------
    points : (q, d) array
    """

    def __init__(self, points: np.ndarray):
        squared = np.einsum("qd,qd->q", points, points)
        self._columns = np.ascontiguousarray(points.T, dtype=np.float32)
        self._squared = squared[:, None].astype(np.float32)
        self._size = float(np.sqrt(squared.max()))
        self._rounding = rounding(points.shape[1])
        self._lost = (points.shape[1] + 8) * LEAST

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
            products = np.empty((len(x), self._columns.shape[1]), dtype=np.float32)
            squared = np.empty(len(x), dtype=np.float32)
            for part in blocks(len(x), self._columns):  # the second reading is from the cache
                np.matmul(x[part], self._columns, out=products[part])
                np.vecdot(x[part], x[part], out=squared[part])
            return self._winners(x, squared, np.ascontiguousarray(products.T))

    def of_parts(self, parts: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """``winners`` of points part by part, on as many threads as a product of matrices takes."""
        if _LIMITING.acquire(blocking=False):
            try:
                found = self._on_threads(parts)
            finally:
                _LIMITING.release()
        else:
            found = [self.winners(part) for part in parts]
        winner, sure = zip(*found, strict=True)
        return np.concatenate(winner), np.concatenate(sure)

    def _on_threads(self, parts: Iterable[np.ndarray]) -> list[tuple[np.ndarray, np.ndarray]]:
        threads = min((blas["num_threads"] for blas in _blas().info()), default=1)
        if threads == 1:
            return [self.winners(part) for part in parts]
        with _blas().limit(limits=1), ThreadPoolExecutor(threads) as pool:
            return list(pool.map(self.winners, parts))

    @abstractmethod
    def _winners(
        self, x: np.ndarray, squared: np.ndarray, products: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """From points (m, d), their squares (m,), and their products with each point (q, m)."""

    def _error(self, norm: np.ndarray) -> np.ndarray:
        """(m,) how wrong a product with one of the points may be, with what follows it."""
        return (self._rounding * self._size) * (norm + self._size) + self._lost


class QuickCentroids(Quick):
    """The nearest of some points."""

    def _winners(
        self, x: np.ndarray, squared: np.ndarray, products: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        norm = np.sqrt(squared)
        winner, first, second = _leader(2.0 * products - self._squared)
        # In double precision too, a square that is far larger than its lead may lose it.
        told = _ROUNDS * (norm + self._size) ** 2
        return winner, first - second > np.maximum(4.0 * self._error(norm), told)


@dataclass(frozen=True)
class Votes:
    """What the two prototypes of a line divide by their distances.

    Attributes
    ----------
    classes : (k,) int array
        Those that the line has something to say of.
    values : (2, k, m) array
        Left and right, in single precision; of one point only, where all have the same.
    wrong : (m,) array
        How wrong each of them may be; of one point only, where all are alike. That they were
        made single needs not be counted.
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
        self._rule, self._votes = rule, votes
        self._lengths = [float(length) for length in lengths]
        length = np.array(lengths)[:, None]
        # On a line without length t is 0.
        unit = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0)
        left, axis = prototypes[:, 0], prototypes[:, 1] - prototypes[:, 0]
        foot_of_origin = np.einsum("ld,ld->l", left, axis)[:, None] * unit
        self._length, self._unit, self._foot_of_origin = (
            each.astype(np.float32) for each in (length, unit, foot_of_origin)
        )

    def _winners(
        self, x: np.ndarray, squared: np.ndarray, products: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        rule, n_lines, norm = self._rule, len(self._lengths), np.sqrt(squared)
        error = self._error(norm)
        # Squared distances without |x|², which is the same for all.
        to_ends = self._squared - 2.0 * products
        to_left, to_right = to_ends[:n_lines], to_ends[n_lines:]
        t = (products[n_lines:] - products[:n_lines]) * self._unit - self._foot_of_origin
        foot = np.minimum(np.maximum(t, 0.0), self._length)
        if rule.by_segment:  # |x − foot|² = |x − left|² − t² + (t − foot)²
            near, wrong = foot * (2.0 * t - foot) - to_left, 12.0 * error
        else:
            near, wrong = -np.minimum(to_left, to_right), 4.0 * error
        line, first, second = _leader(near)
        sure, winner = first - second > wrong, np.zeros(len(x), dtype=np.intp)
        for number, length in enumerate(self._lengths):
            here = np.flatnonzero(line == number)
            if not len(here):
                continue
            if rule.along_line:
                at = foot[number].take(here)
                d, slack = np.stack([at, self._length[number] - at]), error.take(here)
                off = 2.0 * slack / length if length > 0 else np.zeros_like(slack)
            else:
                whole, slack = squared.take(here), error.take(here)
                d, off = _root(
                    to_ends[number::n_lines].take(here, axis=1) + whole,
                    2.0 * slack + self._rounding * whole + self._lost,
                )
            d = np.maximum(d, rule.floor)
            votes = self._votes(number, here, x, norm)
            winner[here], leads = self._won(votes, d, off + _OPERATIONS * d)
            sure[here] &= leads
        return winner, sure

    def _won(self, votes: Votes, d: np.ndarray, off: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Class of most influence at points of one line, and where that is sure.

        Each vote over its distance is that vote times the other's distance, over both.
        """
        if not len(votes.classes):
            return np.zeros(d.shape[1], dtype=np.intp), np.zeros(d.shape[1], dtype=bool)
        left, right = votes.values
        score = left * d[1] + right * d[0]
        wrong = np.abs(left) * off[1] + np.abs(right) * off[0]
        wrong += votes.wrong * (d + off).sum(axis=0)
        best, _, second = _leader(score + wrong)
        least = (score - wrong).max(axis=0) - (_TELLS / self._rule.unit) * d[0] * d[1]
        return votes.classes[best], least > np.maximum(second, votes.others)


@cache
def _blas() -> ThreadpoolController:
    """The libraries behind NumPy's products."""
    return ThreadpoolController().select(user_api="blas")


def blocks(m: int, columns: np.ndarray) -> Iterator[slice]:
    """Rows to multiply at once, of m, with columns (d, q)."""
    rows = _LITTLE // columns.size
    if rows < _FEW:
        rows = m
    for first in range(0, m, rows):
        yield slice(first, first + rows)


def rounding(d: int) -> float:
    """How wrong a sum of d products in single precision may be, as a share of |x| |p|.

    With what was lost when the two were made single, and room for a dozen operations after it.
    """
    return 1.1 * (d + 24) * 2.0**-24


def _leader(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Which of each column is the greatest, that, and the second: −∞ beside a single one."""
    first, second = values[0], np.full(values.shape[1], -np.inf, dtype=values.dtype)
    for row in values[1:]:
        second = np.maximum(second, np.minimum(first, row))
        first = np.maximum(first, row)
    return values.argmax(axis=0), first, second


def _root(squared: np.ndarray, wrong: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The root of what may be wrong by so much, and how wrong that may be."""
    return np.sqrt(np.maximum(squared, 0.0)), wrong / np.sqrt(np.maximum(squared - wrong, 0.0))
