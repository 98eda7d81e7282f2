"""The same points under two encoders: how classes stand, and which points are answered right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from slp_core.facts import EncoderName, Facts, Listed, Stated, fact
from slp_core.lines import distances

_ROUNDING = 1e-9
_NEAR = 0.05  # a ratio so near 1, or so small, is given with another digit


@dataclass(frozen=True, eq=False)
class ClassDistances:
    """How far a class's points are from its mean, and its mean from those of other classes."""

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
    """Distances within and between classes."""
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
class EncoderChange(Stated):
    """What changes for a dataset from one encoder to another."""

    names: tuple[str, str]
    classes: tuple[str, ...]
    distances: tuple[ClassDistances, ClassDistances]  # (ClassDistances, ClassDistances)
    right: np.ndarray  # (2, m)
    n: int

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

    def facts(self) -> Facts:
        """What nearest centroid has right under both, and what became of the distances."""
        return (*self._accuracy(), *self._apart())

    def moves_facts(self) -> Facts:
        """How many query points one encoder has right and the other wrong."""
        m, gained, lost = self.right.shape[1], len(self.gained), len(self.lost)
        if not m:
            return (fact("encoders.nothing_moves", "There is no query point."),)
        if not gained + lost:
            template = "Nearest centroid is right or wrong for the same of {n:,} query points."
            if m == 1:
                template = "Nearest centroid answers the {n:,} query point alike under both."
            return (fact("encoders.moves_none", template, n=m),)
        points = "Of {n:,} query points" if m > 1 else "Of {n:,} query point"
        template = (
            points + ", nearest centroid has {gained:,} right only after and "
            "{lost:,} right only before."
        )
        return (fact("encoders.moves", template, n=m, gained=gained, lost=lost),)

    def distances_facts(self) -> Facts:
        """What the distances are of."""
        template = (
            "Of all {n:,} rows of the dataset, support and query: mean distance to the mean of "
            "their own class, and of that mean from the other classes' means."
        )
        return (fact("encoders.distances", template, n=self.n),)

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

    def _accuracy(self) -> Facts:
        m, (old, new) = self.right.shape[1], self.right.sum(axis=1).tolist()
        before, after = map(EncoderName, self.names)
        if not m:
            return (fact("encoders.nothing_asked", "There is no query point to judge."),)
        shared = {"before": before, "after": after, "old": old, "new": new, "n": m}
        points = "{n:,} query points" if m > 1 else "{n:,} query point"
        if old == new:
            template = "Under {after}, nearest centroid gets {new:,} of " + points
            template += " right, and as many under {before}."
            return (fact("encoders.as_many", template, **shared),)
        template = "Under {after}, nearest centroid gets {new:,} of " + points
        template += " right ({new_share:.0%}), and {old:,} ({old_share:.0%}) under {before}."
        shares = {"old_share": old / m, "new_share": new / m}
        return (fact("encoders.right", template, **shared, **shares),)

    def _apart(self) -> Facts:
        ratio = self.ratio
        if not np.isfinite(ratio):
            return ()
        if abs(ratio - 1) <= _ROUNDING:
            template = "The classes stand as far apart after as before, "
        elif abs(ratio - 1) <= _NEAR or ratio < _NEAR:
            template = "The classes stand {ratio:.2f} times as far apart after as before, "
        else:
            template = "The classes stand {ratio:.1f} times as far apart after as before, "
        return (fact("encoders.apart", template + "measured in their own spread.", ratio=ratio),)


def unseen_facts(titles: Sequence[str]) -> Facts:
    """Which encoders have no vectors of a dataset yet; at least one title."""
    names = Listed([EncoderName(title) for title in titles])
    verb = "has" if len(titles) == 1 else "have"
    return (fact("encoders.unseen", "{names} " + verb + " not seen these data.", names=names),)


def encoder_change(
    names: tuple[str, str],
    classes: tuple[str, ...],
    spaces: tuple[np.ndarray, np.ndarray],
    y: np.ndarray,
    right: tuple[np.ndarray, np.ndarray],
) -> EncoderChange:
    """Compare what two encoders make of a dataset."""
    before, after = (class_distances(X, y, len(classes)) for X in spaces)
    return EncoderChange(names, classes, (before, after), np.stack(right), len(y))


def _over(a: np.ndarray | float, b: np.ndarray | float) -> np.ndarray:
    """The quotient; NaN where it is none."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    return np.divide(a, b, out=np.full(np.broadcast(a, b).shape, np.nan), where=b > 0)
