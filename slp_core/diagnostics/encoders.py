"""The same points under two encoders: how classes stand, and which points are answered right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from slp_core.lines import distances


@dataclass(frozen=True, eq=False)
class ClassDistances:
    """How far a class's points are from its mean, and its mean from those of other classes.

    Attributes
    ----------
    within : (K,) array
        Mean distance of the points of each class to their mean; NaN for a class without points.
    between : (K,) array
        Mean distance of each class's mean to those of the other classes; NaN where there is none.
    """

    within: np.ndarray
    between: np.ndarray

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
    """Distances within and between classes.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) int array
        Class indices below ``n_classes``.
    n_classes : int
    """
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
    """What changes for a dataset from one encoder to another.

    Attributes
    ----------
    names : (str, str)
        What the encoders are called, before and after.
    classes : tuple of str
    distances : (ClassDistances, ClassDistances)
        Of all points, each about the mean of its class.
    right : (2, m) bool array
        Whether the nearest centroid of the support set is the query point's own class's.
    """

    names: tuple[str, str]
    classes: tuple[str, ...]
    distances: tuple[ClassDistances, ClassDistances]
    right: np.ndarray

    @property
    def ratio(self) -> float:
        """How many times as far apart the classes stand after, measured in their own spread."""
        before, after = (space.overall for space in self.distances)
        return float(_over(after, before))

    @property
    def gained(self) -> np.ndarray:
        """Places of the query points that only the encoder after has right."""
        return np.flatnonzero(self.right[1] & ~self.right[0])

    @property
    def lost(self) -> np.ndarray:
        """Places of the query points that only the encoder before has right."""
        return np.flatnonzero(self.right[0] & ~self.right[1])

    def sentence(self) -> str:
        """Accuracy under both encoders, and what became of the distances."""
        before, after = self.names
        m, apart = self.right.shape[1], self._apart()
        if not m:
            none = "There is no query point to judge"
            return f"{none}; under {after} {apart}." if apart else f"{none}."
        old, new = self.right.mean(axis=1)
        points = f"{m:,} query points" if m > 1 else "the one query point"
        first = (
            f"Under {after}, nearest centroid gets {new:.0%} of {points} right, under {before}, "
            f"{f'{old:.0%}' if round(old, 2) != round(new, 2) else 'as many'}"
        )
        if not apart:
            return f"{first}."
        # Not said as a reason where accuracy went the other way.
        joined = ", and" if (new - old) * (self.ratio - 1) < 0 or old == new else ":"
        return f"{first}{joined} {apart}."

    def moves_sentence(self) -> str:
        """How many query points one encoder has right and the other wrong."""
        m, gained, lost = self.right.shape[1], len(self.gained), len(self.lost)
        if not m:
            return "There is no query point."
        if not gained + lost:
            return f"Nearest centroid is right or wrong for the same of {m:,} query points."
        return (
            f"Of {m:,} query points, nearest centroid has {gained:,} right only after and "
            f"{lost:,} right only before."
        )

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

    def _apart(self) -> str:
        if not np.isfinite(self.ratio):
            return ""
        times = f"{self.ratio:.1f}"
        if times == "1.0":
            times = f"{self.ratio:.2f}"
        return f"the classes stand {times} times as far apart, measured in their own spread"


def encoder_change(
    names: tuple[str, str],
    classes: tuple[str, ...],
    spaces: tuple[np.ndarray, np.ndarray],
    y: np.ndarray,
    right: tuple[np.ndarray, np.ndarray],
) -> EncoderChange:
    """Compare what two encoders make of a dataset.

    Parameters
    ----------
    names : (str, str)
        What the encoders are called, before and after.
    classes : tuple of str
    spaces : (n, d) and (n, e) arrays
        The dataset's vectors under both.
    y : (n,) int array
        Class indices.
    right : two (m,) bool arrays
        Under both, whether nearest centroid has each query point right.
    """
    before, after = (class_distances(X, y, len(classes)) for X in spaces)
    return EncoderChange(names, classes, (before, after), np.stack(right))


def _over(a: np.ndarray | float, b: np.ndarray | float) -> np.ndarray:
    """The quotient; NaN where it is none."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    return np.divide(a, b, out=np.full(np.broadcast(a, b).shape, np.nan), where=b > 0)
