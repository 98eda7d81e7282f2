"""The nearest neighbours of an example under two encoders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The nearest rows of an example, the nearest first."""

    rows: np.ndarray  # (k,)
    cosine: np.ndarray  # (k,)


@dataclass(frozen=True, eq=False)
class NeighboursTwice:
    """An example's nearest rows under two encoders."""

    names: tuple[str, str]
    classes: tuple[str, ...]
    nearest: tuple[Neighbours, Neighbours]
    labels: tuple[np.ndarray, np.ndarray]  # (k,)
    true: int | None  # None for an example that was typed
    n: int  # rows among which they were looked for

    @property
    def shared(self) -> np.ndarray:
        """Rows in both lists."""
        return np.intersect1d(self.nearest[0].rows, self.nearest[1].rows)

    @property
    def of_own_class(self) -> tuple[int, int]:
        """How many of each list have the example's true label."""
        before, after = (int((labels == self.true).sum()) for labels in self.labels)
        return before, after


def nearest_rows(
    x: np.ndarray, X: np.ndarray, rows: np.ndarray, n: int = 5, leave_out: int | None = None
) -> Neighbours:
    """The rows whose vectors have the smallest angle to a vector."""
    rows = rows[rows != leave_out] if leave_out is not None else rows
    x, among = np.asarray(x), np.asarray(X)[rows]
    lengths = np.linalg.norm(among, axis=1) * np.linalg.norm(x)
    dots = (among @ x).astype(np.float64)
    cosine = np.divide(dots, lengths, out=np.zeros(len(rows)), where=lengths > 0)
    first = np.argsort(-cosine, kind="stable")[:n]
    return Neighbours(rows[first], np.clip(cosine[first], -1, 1))


def nearest_rows_twice(
    names: tuple[str, str],
    classes: tuple[str, ...],
    vectors: Sequence[np.ndarray],
    spaces: Sequence[np.ndarray],
    y: np.ndarray,
    rows: Sequence[np.ndarray],
    n: int = 5,
    row: int | None = None,
) -> NeighboursTwice:
    """An example's nearest rows under two encoders."""
    among = np.concatenate(rows)
    before, after = (
        nearest_rows(x, X, among, n, row) for x, X in zip(vectors, spaces, strict=True)
    )
    labels = (y[before.rows], y[after.rows])
    true = None if row is None else int(y[row])
    return NeighboursTwice(names, classes, (before, after), labels, true, len(among))
