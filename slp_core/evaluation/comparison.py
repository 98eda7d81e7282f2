"""Methods set against each other over draws: ranked, and in pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from slp_core.evaluation.method_runs import MethodRuns
from slp_core.evaluation.wording import Count, Points, method_titles
from slp_core.facts import ClassName, Fact, Facts, Listed, MethodTitle, Stated, fact

if TYPE_CHECKING:
    import pandas as pd

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
    """Accuracy of A less that of B on the same support sets.

    Attributes
    ----------
    a, b : str
    draws : tuple of int
    difference : (n,) array
        One a draw, from −1 to 1.
    low, high : float or None
        Ends of the bootstrap interval of its mean at ``CONFIDENCE``; with fewer than ``FEWEST``
        draws, the least and the greatest difference; None with fewer than two.
    """

    a: str
    b: str
    draws: tuple[int, ...]
    difference: np.ndarray
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
        if self.low <= SAME and self.high >= -SAME:
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

    def interval_facts(self) -> Facts:
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
            "resamples, seed {seed}): how far the lead is luck of the support set, on these query "
            "points."
        )
        if n <= _FEW:
            template += " Made of so few draws, such intervals hold the true mean less often."
        told = {"n": n, "confidence": CONFIDENCE, "resamples": RESAMPLES, "seed": SEED}
        return (fact("compare.band_interval", template, **told),)


def paired_difference(a: str, b: str, first: MethodRuns, second: MethodRuns) -> PairedDifference:
    """Compare two methods over the draws that both have.

    The interval is SciPy's BCa bootstrap of the mean difference, resampling draws in pairs
    (``RESAMPLES`` times from ``SEED``): how much of the lead is luck of the support set, on these
    query points. Where BCa has no answer it is the percentile bootstrap.

    Parameters
    ----------
    a, b : str
        What to call them.
    first, second : MethodRuns
        With a draw in common.
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

    Parameters
    ----------
    values : (n,) array
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


@dataclass(frozen=True)
class Ranking(Stated):
    """Methods by mean accuracy over the draws that all of them have, the best first.

    Attributes
    ----------
    dataset : str
        Its title.
    shots : int
    names : tuple of str
        By their own draws' means where none is shared.
    mean, std : tuple of float
        From 0 to 1; ddof = 0.
    draws : tuple of int
        The shared ones; empty where there is none.
    lead : PairedDifference or None
        Of the best over the second; None for one method, or where no draw is shared.
    partial : bool
        Whether a method has further draws.
    """

    dataset: str
    shots: int
    names: tuple[str, ...]
    mean: tuple[float, ...]
    std: tuple[float, ...]
    draws: tuple[int, ...]
    lead: PairedDifference | None
    partial: bool = False

    def facts(self) -> Facts:
        """Which is best on this dataset, how good it is and how far ahead."""
        names, n = method_titles(self.names), len(self.names)
        where = " on {dataset} at {shots}"
        place = {"dataset": ClassName(self.dataset), "shots": Count(self.shots, "shot")}
        if not self.draws:
            template = (
                "The {n:,} methods share no draw" + where + " so far, so that none of them can be "
                "called the best."
            )
            return (fact("compare.nothing_shared", template, n=n, names=names, **place),)
        shared: dict[str, Any] = {"names": names, "figures": self._figures(), **place}
        if self.lead is None:
            template = "{best}" + where + ": {figures}."
            return (fact("compare.alone", template, best=names[0], **shared),)
        first = [name for name, mean in zip(names, self.mean, strict=True) if self._is_best(mean)]
        if len(first) > 1:
            template = "{best} are best" + where + ", level in the mean: {figures}."
            best = Listed([first[0], *map(_Inside, first[1:])])
            if len(first) == n:
                template = "{best} are level" + where + " in the mean: {figures}."
            return (fact("compare.level_best", template, best=best, **shared),)
        template = "{best} is best" + where + ": {figures}; {lead}."
        return (fact("compare.best", template, best=names[0], lead=self.lead.lead(), **shared),)

    def _is_best(self, mean: float) -> bool:
        return abs(mean - self.mean[0]) < SAME

    def _figures(self) -> Fact:
        """Mean of the first, and its spread where it is that of all who are level with it."""
        told: dict[str, Any] = {"mean": self.mean[0], "std": Points(100 * self.std[0])}
        n = len(self.draws)
        level = [s for s, mean in zip(self.std, self.mean, strict=True) if self._is_best(mean)]
        if n == 1:
            template = "{mean:.1%} on draw {draw}" + (
                ", the one that all have" if self.partial else ""
            )
            draw = self.draws[0]
            return fact("compare.mean", template, draw=draw, draws=self.draws, **told)
        template = "{mean:.1%} ± {std:signed}" if np.ptp(level) < SAME else "{mean:.1%}"
        template += " over the {n} that all have" if self.partial else " over {n}"
        return fact("compare.mean", template, n=Count(n, "draw"), draws=self.draws, **told)


class _Inside(MethodTitle):
    """Further on in a list: always as inside a sentence."""

    def __format__(self, spec: str) -> str:
        return super().__format__("inside")


def rank(runs: Mapping[str, MethodRuns], dataset: str, shots: int) -> Ranking:
    """Order methods by their mean accuracy; equal ones stay in the order given.

    Where some have more draws than others, only the draws that all have count.

    Parameters
    ----------
    runs : mapping of str to MethodRuns
    dataset : str
        Its title.
    shots : int
    """
    shared = shared_draws(runs.values())
    on_shared = {name: found.only(shared) if shared else found for name, found in runs.items()}
    mean = {name: float(found.accuracy.mean()) for name, found in on_shared.items()}
    best = max(mean.values())  # equal up to rounding is equal
    order = sorted(runs, key=lambda name: -best if best - mean[name] < SAME else -mean[name])
    lead = None
    if len(order) > 1 and shared:
        first, second = order[:2]
        lead = paired_difference(first, second, on_shared[first], on_shared[second])
    return Ranking(
        dataset,
        shots,
        tuple(order),
        tuple(mean[name] for name in order),
        tuple(float(on_shared[name].accuracy.std()) for name in order),
        shared,
        lead,
        bool(shared) and any(found.draws != shared for found in runs.values()),
    )


def shared_draws(runs: Iterable[MethodRuns]) -> tuple[int, ...]:
    """The draws that all runs have, ascending; none where there are no runs."""
    each = [set(found.draws) for found in runs]
    return tuple(sorted(set.intersection(*each))) if each else ()


def draws_facts(runs: Sequence[MethodRuns]) -> Facts:
    """How many draws runs are of: at least one."""
    numbers = sorted({len(run.draws) for run in runs})
    least, most = numbers[0], Count(numbers[-1], "draw")
    if least == most:
        return (fact("compare.draws", "{most}", least=least, most=most),)
    return (fact("compare.draws", "{least:,} to {most}", least=least, most=most),)


def means_facts(runs: Sequence[MethodRuns], deviation: str) -> Facts:
    """What means are of, and what stands for their standard deviation.

    Parameters
    ----------
    runs : sequence of MethodRuns
        All that means are taken of; at least one.
    deviation : str
        What it is drawn as, or where it stands.
    """
    template = "Mean over {draws}; {deviation} is one standard deviation (ddof = {ddof})"
    if any(len(run.draws) == 1 for run in runs):
        template += ", which one draw does not have"
    (draws,) = draws_facts(runs)
    told = fact("compare.means", template + ".", draws=draws, deviation=deviation, ddof=0)
    return (told, *other_draws_facts(runs))


def other_draws_facts(runs: Sequence[MethodRuns]) -> Facts:
    """That means are not of the same draws, where they are not."""
    if all(run.draws == runs[0].draws for run in runs):
        return ()
    template = "Not all means are of the same draws: part of a difference may be due to those."
    return (fact("compare.other_draws", template),)


def same_draws_facts(runs: Sequence[MethodRuns], dataset: str) -> Facts:
    """Which draws of a dataset means are of."""
    where = {"dataset": ClassName(dataset)}
    if other := other_draws_facts(runs):
        return (fact("compare.of_dataset", "Means on {dataset}.", **where), *other)
    template = "Means on {dataset}, draws {draws}."
    return (fact("compare.of_draws", template, draws=Listed(runs[0].draws), **where),)


def files_facts(runs: Sequence[MethodRuns]) -> Facts:
    """What is in the files of runs."""
    shots = sorted({run.shots for run in runs})
    template = (
        "Shots a class: {shots}. The CSV has every run, as the command line's `evaluate` writes "
        "them; the LaTeX table has the means shown here, and needs the package booktabs."
    )
    return (fact("compare.files", template, shots=Listed(shots)),)


def runs_table(runs: Iterable[tuple[str, str, int, MethodRuns]], task: str) -> pd.DataFrame:
    """Every run as a row of a results file.

    Parameters
    ----------
    runs : iterable of (encoder, method, seed, MethodRuns)
    task : str

    Returns
    -------
    pandas.DataFrame
        The columns of :func:`slp_core.evaluation.read_results`.
    """
    import pandas as pd

    from slp_core.evaluation.results import COLUMNS

    rows = [
        (task, encoder, method, found.shots, draw, seed, *scores)
        for encoder, method, seed, found in runs
        for draw, scores in zip(found.draws, found.scores, strict=True)
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def costs_table(runs: Mapping[str, MethodRuns]) -> pd.DataFrame:
    """What each method is judged by, how many numbers it fits, and how long that takes.

    Returns
    -------
    pandas.DataFrame
        A row a method: ``draws``; means over them of ``accuracy`` and ``fit, s`` (seconds), with
        standard deviations (ddof = 0) under ``± accuracy`` and ``± fit, s``, missing for one draw,
        of ``macro-F1`` and of ``NLL`` (nats); ``trainable`` and ``stored`` numbers and what is
        ``counted as`` trainable, missing where a method's parameters are not known.
    """
    import pandas as pd

    rows = []
    for title, run in runs.items():
        scores = pd.DataFrame(list(run.scores))
        mean, std = scores.mean(), scores.std(ddof=0 if len(scores) > 1 else 1)  # NaN for one
        rows.append(
            {
                "method": title,
                "draws": len(scores),
                "accuracy": mean["accuracy"],
                "± accuracy": std["accuracy"],
                "macro-F1": mean["macro_f1"],
                "NLL": mean["nll"],
                "trainable": run.parameters and run.parameters.trainable,
                "stored": run.parameters and run.parameters.stored,
                "fit, s": mean["fit_seconds"],
                "± fit, s": std["fit_seconds"],
                "counted as": run.parameters and run.parameters.counted,
            }
        )
    return pd.DataFrame(rows).astype({"trainable": "Int64", "stored": "Int64"})
