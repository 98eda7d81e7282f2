"""Whether a method knows when it is right: calibration, selection, and texts of another kind."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import entr

from slp_core.markdown import named

BINS = 10


@dataclass(frozen=True, eq=False)
class Calibration:
    """Confidence against accuracy in bins of equal width, and accuracy at every coverage.

    Attributes
    ----------
    edges : (b + 1,) array
        From 0 to 1.
    count : (b,) int array
    confidence, accuracy : (b,) arrays
        Means in each bin; NaN where it is empty.
    ece : float
        Expected calibration error: |confidence − accuracy| averaged over the points.
    coverage, selective : (m,) arrays
        Share of the points kept, the surest first, and accuracy among these.
    """

    edges: np.ndarray
    count: np.ndarray
    confidence: np.ndarray
    accuracy: np.ndarray
    ece: float
    coverage: np.ndarray
    selective: np.ndarray

    def sentence(self) -> str:
        """How far confidence is off, and in which direction."""
        m = int(self.count.sum())
        if not m:
            return "There is no query point to be sure about."
        sure = float(np.nansum(self.count * self.confidence) / m)
        right = float(self.selective[-1])
        gap = sure - right
        way = "as sure as it should be"
        if abs(gap) > 0.005:
            way = "too sure" if gap > 0 else "not sure enough"
        half = float(self.selective[max(0, m // 2 - 1)])
        return (
            f"On average it is {sure:.0%} sure and {right:.0%} right: {way}, and {self.ece:.0%} "
            f"off bin by bin (ECE). Of the surer half of its answers {half:.0%} are right."
        )


def calibration(probability: np.ndarray, true: np.ndarray, bins: int = BINS) -> Calibration:
    """Compare the winner's probability with how often it is right.

    Parameters
    ----------
    probability : (m, K) array
    true : (m,) int array
    bins : int
    """
    confidence = probability.max(axis=1, initial=0.0)
    right = probability.argmax(axis=1) == true if len(true) else np.empty(0, dtype=bool)
    edges = np.linspace(0.0, 1.0, bins + 1)
    # A confidence on an edge belongs to the bin below it; 0 to the first.
    where = np.clip(np.searchsorted(edges, confidence, side="left") - 1, 0, bins - 1)
    count = np.bincount(where, minlength=bins)
    sure, accurate = (
        np.divide(
            np.bincount(where, weights=values, minlength=bins),
            count,
            out=np.full(bins, np.nan),
            where=count > 0,
        )
        for values in (confidence, right.astype(float))
    )
    gaps = np.nan_to_num(np.abs(sure - accurate))
    ece = float((count * gaps).sum() / max(len(true), 1))
    order = np.argsort(-confidence, kind="stable")
    kept = np.arange(1, len(true) + 1)
    selective = np.cumsum(right[order]) / kept
    coverage = kept / max(len(true), 1)
    return Calibration(edges, count, sure, accurate, ece, coverage, selective)


@dataclass(frozen=True, eq=False)
class OutOfDistribution:
    """Entropies of the answers to texts that belong here, and to texts that do not.

    Attributes
    ----------
    inside, outside : arrays
        H(F) in nats, one a point.
    auroc : float
        Chance that a text from outside has the higher entropy: 0.5 tells nothing; NaN without
        points.
    """

    inside: np.ndarray
    outside: np.ndarray
    auroc: float

    def sentence(self, elsewhere: str) -> str:
        """Whether entropy tells the two apart."""
        if np.isnan(self.auroc):
            return "There are no points to compare."
        return (
            f"A text of {named(elsewhere)} has the higher entropy than a query point in "
            f"{self.auroc:.0%} of pairs (50% is chance): mean {self.outside.mean():.2f} against "
            f"{self.inside.mean():.2f} nats."
        )


def out_of_distribution(inside: np.ndarray, outside: np.ndarray) -> OutOfDistribution:
    """Compare the uncertainty of answers inside and outside of what a method was fitted for.

    Parameters
    ----------
    inside, outside : (m, K) and (n, K) arrays
        Class probabilities.
    """
    from sklearn.metrics import roc_auc_score

    here, there = (entr(p).sum(axis=1) for p in (inside, outside))
    if not len(here) or not len(there):
        return OutOfDistribution(here, there, float("nan"))
    label = np.repeat([0, 1], [len(here), len(there)])
    return OutOfDistribution(
        here, there, float(roc_auc_score(label, np.concatenate([here, there])))
    )
