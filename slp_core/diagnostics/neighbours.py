"""The nearest neighbours of an example under two encoders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class NeighboursTwice:
    """An example's nearest rows under two encoders, the nearest first."""

    names: tuple[str, str]
    classes: tuple[str, ...]
    rows: tuple[np.ndarray, np.ndarray]  # (k,)
    cosine: tuple[np.ndarray, np.ndarray]  # (k,)
    labels: tuple[np.ndarray, np.ndarray]  # (k,)
    true: int | None  # None for an example that was typed
    n: int  # rows among which they were looked for

    @property
    def shared(self) -> np.ndarray:
        """Rows in both lists."""
        return np.intersect1d(*self.rows)

    @property
    def of_own_class(self) -> tuple[int, int]:
        """How many of each list have the example's true label."""
        before, after = (int((labels == self.true).sum()) for labels in self.labels)
        return before, after


def nearest_rows(
    x: np.ndarray, X: np.ndarray, rows: np.ndarray, n: int = 5, leave_out: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The rows whose vectors have the smallest angle to a vector, and the cosines."""
    rows = rows[rows != leave_out] if leave_out is not None else rows
    x, among = np.asarray(x), np.asarray(X)[rows]
    lengths = np.linalg.norm(among, axis=1) * np.linalg.norm(x)
    dots = (among @ x).astype(np.float64)
    cosine = np.divide(dots, lengths, out=np.zeros(len(rows)), where=lengths > 0)
    first = np.argsort(-cosine, kind="stable")[:n]
    return rows[first], np.clip(cosine[first], -1, 1)


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
    (before, one), (after, other) = (
        nearest_rows(x, X, among, n, row) for x, X in zip(vectors, spaces, strict=True)
    )
    true = None if row is None else int(y[row])
    labels = (y[before], y[after])
    return NeighboursTwice(names, classes, (before, after), (one, other), labels, true, len(among))
