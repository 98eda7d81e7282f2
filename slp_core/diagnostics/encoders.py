"""The same examples under two encoders: class separation, which are correct, neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from slp_core.lines import distances


def class_distances(X: np.ndarray, y: np.ndarray, n_classes: int) -> pd.DataFrame:
    """A row a class, and one of all: ``within``, ``between`` and their ``ratio``, or NaN.

    Mean distances of examples from their class mean, and of that from other class means.
    """
    points = pd.DataFrame(X, dtype=np.float64)
    means = points.groupby(y).mean()
    away = np.linalg.norm(points.to_numpy() - means.loc[y].to_numpy(), axis=1)
    to_others = pd.Series(distances(means.to_numpy(), means.to_numpy()).sum(axis=1), means.index)
    between = to_others / (len(means) - 1)
    table = pd.DataFrame({"within": pd.Series(away).groupby(y).mean(), "between": between})
    table = table.reindex(range(n_classes))
    table.loc[n_classes] = table.mean()
    return table.assign(ratio=(table["between"] / table["within"]).where(table["within"] > 0))


@dataclass(frozen=True, eq=False)
class EncoderChange:
    names: tuple[str, str]
    classes: tuple[str, ...]
    separation: tuple[pd.DataFrame, pd.DataFrame]  # `class_distances` before and after
    correct: np.ndarray  # (2, m) bool: predictions of nearest centroid
    over_draws: np.ndarray  # (2, s) its accuracy on each support set
    n: int

    @property
    def ratio(self) -> float:
        """Class separation after in units of class separation before; NaN where there is none."""
        before, after = (space["ratio"] for space in self.separation)
        return float((after / before.where(before > 0)).iloc[-1])

    @property
    def accuracy(self) -> tuple[float, float]:
        """Of nearest centroid, before and after; NaN without query examples."""
        if not self.correct.shape[1]:
            return float("nan"), float("nan")
        before, after = self.correct.mean(axis=1).tolist()
        return before, after

    @property
    def gained(self) -> np.ndarray:
        """Places of the query examples that are newly correct."""
        return np.flatnonzero(self.correct[1] & ~self.correct[0])

    @property
    def lost(self) -> np.ndarray:
        """Places of the query examples that are newly misclassified."""
        return np.flatnonzero(self.correct[0] & ~self.correct[1])

    def table(self) -> pd.DataFrame:
        """One row a class, and one of all: distances within, between, and their ratio."""
        both = list(zip(("before", "after"), self.separation, strict=True))
        whats = ("within", "between", "ratio")
        columns = {f"{what}, {when}": space[what] for what in whats for when, space in both}
        table = pd.DataFrame(columns)
        table.insert(0, "class", [*self.classes, "all classes"])
        return table


def encoder_change(
    names: tuple[str, str],
    classes: tuple[str, ...],
    spaces: tuple[np.ndarray, np.ndarray],
    y: np.ndarray,
    correct: tuple[np.ndarray, np.ndarray],
    over_draws: tuple[np.ndarray, np.ndarray],
) -> EncoderChange:
    before, after = (class_distances(X, y, len(classes)) for X in spaces)
    return EncoderChange(
        names, classes, (before, after), np.stack(correct), np.stack(over_draws), len(y)
    )


def nearest_rows(
    x: np.ndarray,
    X: np.ndarray,
    parts: Sequence[np.ndarray],
    n: int = 5,
    leave_out: int | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Of parts of the rows of X, those at the smallest angle to a vector, and the cosines."""
    rows = np.concatenate(parts)
    rows = rows[rows != leave_out] if leave_out is not None else rows
    x, among = np.asarray(x), np.asarray(X)[rows]
    lengths = np.linalg.norm(among, axis=1) * np.linalg.norm(x)
    dots = (among @ x).astype(np.float64)
    cosine = np.divide(dots, lengths, out=np.zeros(len(rows)), where=lengths > 0)
    first = np.argsort(-cosine, kind="stable")[:n]
    return rows[first], np.clip(cosine[first], -1, 1)
