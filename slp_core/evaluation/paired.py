"""Two methods over the draws that both have: how far one is ahead, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.evaluation.method_runs import MethodRuns
from slp_core.evaluation.wording import Count, Points
from slp_core.facts import Fact, Facts, MethodTitle, Stated, fact

CONFIDENCE = 0.95
RESAMPLES = 9_999
SEED = 0
FEWEST = 5
"""Draws that a bootstrap interval is made of; of fewer, the range is given."""
_FEW = 10  # up to which the interval was measured to hold less often than it says
SAME = 1e-12
"""Accuracies are ratios of whole numbers: what differs less differs by rounding."""


@dataclass(frozen=True)
class PairedDifference(Stated):
    """Accuracy of A less that of B on the same support sets."""

    a: str
    b: str
    draws: tuple[int, ...]
    difference: np.ndarray  # (n,) one a draw, from −1 to 1
    # ends of the bootstrap interval of its mean at ``CONFIDENCE``; with fewer than ``FEWEST``
    # draws, the least and the greatest difference; None with fewer than two
    low: float | None
    high: float | None

    @property
    def mean(self) -> float:
        """Over the draws."""
        return float(self.difference.mean())

    @property
    def all_equal(self) -> bool:
        """Whether every draw has the same difference, so that resampling cannot move it."""
        return float(np.ptp(self.difference)) < SAME

    @property
    def apart(self) -> bool:
        """Whether there are draws enough for an interval of the mean, and zero is not in it."""
        if self.low is None or self.high is None or len(self.draws) < FEWEST:
            return False
        return self.low > SAME or self.high < -SAME

    def lead(self) -> Fact:
        """By how much A leads, with the interval."""
        b, points, interval = MethodTitle(self.b), Points(100 * self.mean), self.interval()
        shared = {"a": MethodTitle(self.a), "b": b, "points": points, "interval": interval}
        if abs(self.mean) < SAME:
            return fact("compare.level", "level with {b:inside} ({interval})", **shared)
        if self.mean > 0:
            return fact("compare.above", "{points} above {b:inside} ({interval})", **shared)
        return fact("compare.below", "{points} below {b:inside} ({interval})", **shared)

    def interval(self) -> Fact:
        """What the single draws tell of the mean."""
        n = Count(len(self.draws), "draw")
        if self.low is None or self.high is None:
            return fact("compare.no_interval", "one draw, so no interval", n=n)
        ends = {"n": n, "low": Points(100 * self.low), "high": Points(100 * self.high)}
        if self.all_equal:
            return fact("compare.same_everywhere", "the same on each of {n}", **ends)
        if n < FEWEST:
            template = "{low:signed} to {high:signed} on single draws, too few for an interval"
            return fact("compare.range", template, **ends)
        template = "{confidence:.0%} interval {low:signed} to {high:signed}"
        if not self.apart:
            template += ", which holds zero"
            return fact("compare.interval_with_zero", template, confidence=CONFIDENCE, **ends)
        return fact("compare.interval", template, confidence=CONFIDENCE, **ends)

    def facts(self) -> Facts:
        """The lead, and on how many of the draws A is ahead."""
        a, n = MethodTitle(self.a), len(self.draws)
        shared = {"a": a, "b": MethodTitle(self.b), "draws": self.draws, "lead": self.lead()}
        if n == 1:
            template = "On draw {draw} {a:inside} is {lead}."
            return (fact("compare.paired", template, draw=self.draws[0], **shared),)
        ahead = int((self.difference > SAME).sum())
        behind = int((self.difference < -SAME).sum())
        template = (
            "Over {n} {a:inside} is {lead}: ahead on {ahead:,}, behind on {behind:,}, level on "
            "{level:,}."
        )
        counts = {"ahead": ahead, "behind": behind, "level": n - ahead - behind}
        return (fact("compare.paired", template, n=Count(n, "draw"), **shared, **counts),)

    def interval_facts(self, same_query: bool) -> Facts:
        """What is drawn of it."""
        n = len(self.draws)
        if n == 1:
            template = "One mark, of one draw: no spread can be had from it."
            return (fact("compare.one_mark", template, n=n),)
        first = "One mark a draw, {n} in all. The upright is the mean, the band "
        if self.all_equal:
            template = first + "has no width: every draw has the same difference."
            return (fact("compare.band_none", template, n=n),)
        if n < FEWEST:
            template = first + (
                "goes from the least to the greatest: with fewer than {fewest} draws that is no "
                "interval of the mean. It holds the median of all draws that there could be with "
                "a chance of {chance:.1%} or more."
            )
            # n draws are all above the median, or all below, with a chance of 2^−n at most each
            chance = 1 - 2.0 ** (1 - n)
            return (fact("compare.band_range", template, n=n, fewest=FEWEST, chance=chance),)
        template = first + (
            "its {confidence:.0%} interval by bootstrap over the draws (BCa, {resamples:,} "
            "resamples, seed {seed}): how far the lead is luck of the "
        )
        template += (
            "support set, on these query points."
            if same_query
            else "draw, of its support set and of its query points, which differ from draw to draw."
        )
        if n <= _FEW:
            template += " Made of so few draws, such intervals hold the true mean less often."
        told = {"n": n, "confidence": CONFIDENCE, "resamples": RESAMPLES, "seed": SEED}
        return (fact("compare.band_interval", template, **told),)


def paired_difference(a: str, b: str, first: MethodRuns, second: MethodRuns) -> PairedDifference:
    """Compare two methods over the draws that both have.

    The interval is SciPy's BCa bootstrap of the mean difference, resampling draws in pairs
    (``RESAMPLES`` times from ``SEED``): how much of the lead is luck of the draw. Where BCa has no
    answer it is the percentile bootstrap.
    """
    draws = tuple(draw for draw in first.draws if draw in second.draws)
    mine, theirs = (
        dict(zip(runs.draws, runs.accuracy.tolist(), strict=True)) for runs in (first, second)
    )
    difference = np.array([mine[draw] - theirs[draw] for draw in draws])
    low, high = mean_interval(difference)
    return PairedDifference(a, b, draws, difference, low, high)


def mean_interval(values: np.ndarray) -> tuple[float | None, float | None]:
    """Bootstrap interval of the mean of ``values``.

    Of fewer than ``FEWEST`` it is their range, since there are too few ways to resample them: with
    two or three every such interval is the range, and it is not one of ``CONFIDENCE``. Of fewer
    than two it is (None, None).
    """
    if len(values) < 2:
        return None, None
    if len(values) < FEWEST or np.ptp(values) < SAME:
        return float(values.min()), float(values.max())
    from scipy.stats import bootstrap

    for method in ("BCa", "percentile"):
        with np.errstate(all="ignore"):
            interval = bootstrap(
                (values,),
                _mean,
                confidence_level=CONFIDENCE,
                n_resamples=RESAMPLES,
                method=method,
                rng=np.random.default_rng(SEED),
            ).confidence_interval
        if np.isfinite(interval).all():
            break
    return float(interval.low), float(interval.high)


def _mean(values: np.ndarray, axis: int = -1) -> np.ndarray:
    """Rounded, since BCa counts the means of resamples that are equal to that of the values."""
    mean: np.ndarray = np.round(values.mean(axis=axis), 12)
    return mean
