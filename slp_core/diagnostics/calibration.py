"""Whether a method knows when it is right: calibration, selection, and texts of another kind."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import entr

from slp_core.facts import ClassName, Facts, Stated, fact, noun

BINS = 10
_DIGITS = 9  # after the point: confidences and entropies that differ in later ones are equal
_NARROW = 0.05  # nats
_AS_SURE = 0.005  # a mean confidence so near to the accuracy is as it should be


@dataclass(frozen=True, eq=False)
class Calibration(Stated):
    """Confidence against accuracy in bins of equal width, and accuracy at every coverage."""

    edges: np.ndarray  # (b + 1,)
    count: np.ndarray  # (b,)
    confidence: np.ndarray  # (b,)
    accuracy: np.ndarray  # (b,)
    ece: float
    least: np.ndarray  # (s,)
    coverage: np.ndarray  # (s,)
    selective: np.ndarray  # (s,)

    @property
    def n(self) -> int:
        """Points."""
        return int(self.count.sum())

    def facts(self) -> Facts:
        """How far confidence is off, and in which direction."""
        if not self.n:
            return (fact("calibration.no_points", "There is no query point to be sure about."),)
        sure = float(np.nansum(self.count * self.confidence) / self.n)
        right = float(self.selective[-1])
        gap = sure - right
        way = "as sure as it should be"
        if abs(gap) > _AS_SURE:
            way = "too sure" if gap > 0 else "not sure enough"
        template = (
            "Of {n:,} " + noun(self.n, "query point") + " it is {sure:.0%} sure on average, and "
            "{right:.0%} right: {way}, and {ece:.0%} off bin by bin (ECE)."
        )
        values = {"n": self.n, "sure": sure, "right": right, "way": way, "ece": self.ece}
        return (fact("calibration.mean", template, **values), *self._half_facts())

    def _half_facts(self) -> Facts:
        if len(self.least) == 1:
            template = "It is equally sure of all its answers, so that no surer ones can be kept."
            return (fact("calibration.one_confidence", template),)
        at = int((self.coverage >= 0.5).argmax())  # the fewest that are half of them at least
        kept, right = round(self.coverage[at] * self.n), float(self.selective[at])
        template = (
            "Of the {kept:,} surest answers, those at least {least:.1%} sure, {right:.0%} are "
            "right."
        )
        if kept == 1:
            template = "The surest answer, {least:.1%} sure, is "
            template += "right." if right else "wrong."
        values = {"kept": kept, "least": float(self.least[at]), "right": right}
        return (fact("calibration.surest", template, **values),)

    def bin_facts(self) -> Facts:
        """Where the figure shows one bar, why."""
        if self.n < 2 or (self.count > 0).sum() != 1:
            return ()
        low, high = float(self.least[-1]), float(self.least[0])
        if len(self.least) == 1:
            template = "There is one bar, as all answers are equally sure: {low:.1%}."
            return (fact("calibration.one_bar_equal", template, low=low),)
        template = (
            "There is one bar, as all confidences lie from {low:.1%} to {high:.1%}, within one bin."
        )
        return (fact("calibration.one_bar", template, low=low, high=high),)


def calibration(probability: np.ndarray, true: np.ndarray, bins: int = BINS) -> Calibration:
    """Compare the winner's probability with how often it is right.

    Parameters
    ----------
    probability : (m, K) array
    true : (m,) int array
    bins : int
    """
    m = len(true)
    confidence = probability.max(axis=1, initial=0.0)
    right = probability.argmax(axis=1) == true if m else np.empty(0, dtype=bool)
    edges = np.linspace(0.0, 1.0, bins + 1)
    # A confidence on an edge belongs to the bin below it; 0 to the first. Either may be off the
    # edge by rounding, in single precision from the eighth digit on.
    digits = 6 if confidence.dtype == np.float32 else 12
    rounded = confidence.astype(np.float64).round(digits)
    where = np.searchsorted(edges.round(digits), rounded, side="left") - 1
    where = np.clip(where, 0, bins - 1)
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
    ece = float((count * gaps).sum() / max(m, 1))
    # Answers that are equally sure are kept together: their order would be chance.
    least, place, n = np.unique(-confidence.round(_DIGITS), return_inverse=True, return_counts=True)
    kept = np.cumsum(n)
    selective = np.cumsum(np.bincount(place, weights=right, minlength=len(n))) / kept
    return Calibration(edges, count, sure, accurate, ece, -least, kept / max(m, 1), selective)


@dataclass(frozen=True, eq=False)
class OutOfDistribution:
    """Entropies of the answers to texts that belong here, and to texts that do not."""

    inside: np.ndarray
    outside: np.ndarray
    auroc: float

    def facts_beside(self, elsewhere: str) -> Facts:
        """Whether entropy tells the two apart."""
        if np.isnan(self.auroc):
            return (fact("ood.no_points", "There are no points to compare."),)
        both = np.concatenate([self.inside, self.outside])
        values: dict[str, float] = {"low": float(both.min()), "high": float(both.max())}
        if values["high"] - values["low"] <= 10.0**-_DIGITS:
            template = (
                "All answers have the same entropy, {low:.3f} nats, to texts of {elsewhere} as "
                "well: it tells nothing apart."
            )
            return (fact("ood.same", template, elsewhere=ClassName(elsewhere), **values),)
        template = (
            "A text of {elsewhere} has the higher entropy than a query point in {auroc:.0%} of "
            "pairs, a tie counting half ({chance:.0%} would tell nothing): mean {outside:.3f} "
            "against {inside:.3f} nats."
        )
        told = fact(
            "ood.auroc",
            template,
            elsewhere=ClassName(elsewhere),
            auroc=self.auroc,
            chance=0.5,
            outside=float(self.outside.mean()),
            inside=float(self.inside.mean()),
        )
        return (told,)

    def spread_facts(self) -> Facts:
        """Where all entropies lie close together, that they do."""
        both = np.concatenate([self.inside, self.outside])
        if not len(both) or not 10.0**-_DIGITS < np.ptp(both) <= _NARROW:
            return ()
        template = "All entropies lie from {low:.3f} to {high:.3f} nats."
        return (fact("ood.narrow", template, low=float(both.min()), high=float(both.max())),)


def out_of_distribution(inside: np.ndarray, outside: np.ndarray) -> OutOfDistribution:
    """Compare the uncertainty of answers inside and outside of what a method was fitted for.

    Parameters
    ----------
    inside, outside : (m, K) and (n, K) arrays
        Class probabilities.
    """
    from sklearn.metrics import roc_auc_score

    here, there = (entr(p).sum(axis=1).round(_DIGITS) for p in (inside, outside))
    if not len(here) or not len(there):
        return OutOfDistribution(here, there, float("nan"))
    label = np.repeat([0, 1], [len(here), len(there)])
    return OutOfDistribution(
        here, there, float(roc_auc_score(label, np.concatenate([here, there])))
    )
