"""The same examples under two encoders: class separation, which are correct, neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from slp_core.lines import distances


@dataclass(frozen=True, eq=False)
class ClassDistances:
    """Mean distances of examples from their class mean, and of that from other class means."""

    within: np.ndarray  # (K,)
    between: np.ndarray  # (K,)

    @property
    def ratio(self) -> np.ndarray:
        """(K,) ``between`` in units of ``within``; NaN where a class has no spread."""
        return _over(self.between, self.within)

    @property
    def overall(self) -> float:
        """The mean of ``between`` in units of the mean of ``within``; NaN where there is none."""
        if np.isnan(self.within).all() or np.isnan(self.between).all():
            return float("nan")
        return float(_over(np.nanmean(self.between), np.nanmean(self.within)))


def class_distances(X: np.ndarray, y: np.ndarray, n_classes: int) -> ClassDistances:
    means = np.full((n_classes, X.shape[1]), np.nan)
    within = np.full(n_classes, np.nan)
    for k in np.unique(y):
        points = X[y == k].astype(np.float64)
        means[k] = points.mean(axis=0)
        within[k] = np.linalg.norm(points - means[k], axis=1).mean()
    between = np.full(n_classes, np.nan)
    there = np.flatnonzero(~np.isnan(within))
    if len(there) > 1:
        between[there] = distances(means[there], means[there]).sum(axis=1) / (len(there) - 1)
    return ClassDistances(within, between)


@dataclass(frozen=True, eq=False)
class EncoderChange:
    names: tuple[str, str]
    classes: tuple[str, ...]
    distances: tuple[ClassDistances, ClassDistances]  # before, after
    correct: np.ndarray  # (2, m) bool: predictions of nearest centroid
    over_draws: np.ndarray  # (2, s) its accuracy on each support set
    n: int

    @property
    def ratio(self) -> float:
        """Class separation after in units of class separation before; NaN where there is none."""
        before, after = (space.overall for space in self.distances)
        return float(_over(after, before))

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
        columns: dict[str, Sequence[object]] = {"class": [*self.classes, "all classes"]}
        for what in ("within", "between", "ratio"):
            for when, space in zip(("before", "after"), self.distances, strict=True):
                values = getattr(space, what)
                known = values[~np.isnan(values)]
                mean = known.mean() if len(known) else np.nan
                columns[f"{what}, {when}"] = [*values, space.overall if what == "ratio" else mean]
        return pd.DataFrame(columns)


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


def _over(a: np.ndarray | float, b: np.ndarray | float) -> np.ndarray:
    """The quotient; NaN if undefined."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    return np.divide(a, b, out=np.full(np.broadcast(a, b).shape, np.nan), where=b > 0)
