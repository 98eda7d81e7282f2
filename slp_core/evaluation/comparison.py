"""Methods set against each other over draws: ranked, and in pairs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slp_core.evaluation.method_runs import MethodRuns

if TYPE_CHECKING:
    import pandas as pd

CONFIDENCE = 0.95
RESAMPLES = 9_999
SEED = 0
_SAME = 1e-12  # accuracies are ratios of whole numbers: what differs less differs by rounding


@dataclass(frozen=True)
class PairedDifference:
    """Accuracy of A less that of B on the same support sets.

    Attributes
    ----------
    a, b : str
    draws : tuple of int
    difference : (n,) array
        One a draw, from −1 to 1.
    low, high : float or None
        Ends of the bootstrap interval of its mean at ``CONFIDENCE``; None with fewer than two
        draws. Where all differences are equal, both are that difference.
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
        return float(np.ptp(self.difference)) < _SAME

    def lead(self) -> str:
        """By how much A leads, with the interval, in words."""
        points = f"{abs(100 * self.mean):.1f}"
        if abs(self.mean) < _SAME:
            said = f"level with {in_sentence(self.b)}"
        else:
            points = "less than 0.1" if points == "0.0" else points
            unit = "point" if points == "1.0" else "points"
            way = "above" if self.mean > 0 else "below"
            said = f"{points} {unit} {way} {in_sentence(self.b)}"
        return f"{said} ({self.interval()})"

    def sentence(self) -> str:
        """The lead, and on how many of the draws A is ahead."""
        n = len(self.draws)
        ahead = int((self.difference > _SAME).sum())
        behind = int((self.difference < -_SAME).sum())
        over = "the one draw" if n == 1 else f"{n} draws"
        counts = (
            f"ahead on {ahead}, behind on {behind}, level on {n - ahead - behind}"
            if n > 1
            else ("ahead" if ahead else "behind" if behind else "level")
        )
        return f"Over {over} {in_sentence(self.a)} is {self.lead()}: {counts}."

    def interval(self) -> str:
        """The interval in words."""
        if self.low is None or self.high is None:
            return "one draw, so no interval"
        ends = f"{signed(100 * self.low)} to {signed(100 * self.high)}"
        if self.all_equal:
            return f"{CONFIDENCE:.0%} interval {ends}: the same on every draw"
        holds = ", which holds 0" if self.low <= 0 <= self.high else ""
        return f"{CONFIDENCE:.0%} interval {ends}{holds}"


def paired_difference(
    a: str,
    b: str,
    first: MethodRuns,
    second: MethodRuns,
    among: Collection[int] | None = None,
) -> PairedDifference:
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
    among : collection of int, optional
        Further draws are left out.
    """
    draws = tuple(
        draw for draw in first.draws if draw in second.draws and (among is None or draw in among)
    )
    mine, theirs = (
        dict(zip(runs.draws, runs.accuracy.tolist(), strict=True)) for runs in (first, second)
    )
    difference = np.array([mine[draw] - theirs[draw] for draw in draws])
    low, high = mean_interval(difference)
    return PairedDifference(a, b, draws, difference, low, high)


def mean_interval(values: np.ndarray) -> tuple[float | None, float | None]:
    """Bootstrap interval of the mean of ``values``: (None, None) for fewer than two.

    Parameters
    ----------
    values : (n,) array
    """
    if len(values) < 2:
        return None, None
    if np.ptp(values) < _SAME:
        return float(values[0]), float(values[0])
    from scipy.stats import bootstrap

    for method in ("BCa", "percentile"):
        with np.errstate(all="ignore"):
            interval = bootstrap(
                (values,),
                np.mean,
                confidence_level=CONFIDENCE,
                n_resamples=RESAMPLES,
                method=method,
                rng=np.random.default_rng(SEED),
            ).confidence_interval
        if np.isfinite(interval).all():
            break
    return float(interval.low), float(interval.high)


@dataclass(frozen=True)
class Ranking:
    """Methods by mean accuracy over the draws that all of them have, the best first.

    Attributes
    ----------
    names : tuple of str
    mean, std : tuple of float
        From 0 to 1; ddof = 0.
    n : tuple of int
        Draws of each that these are of: the shared ones, or its own where none is shared.
    lead : PairedDifference or None
        Of the best over the second; None for one method, or where the two share no draw.
    partial : bool
        Whether a method has further draws.
    """

    names: tuple[str, ...]
    mean: tuple[float, ...]
    std: tuple[float, ...]
    n: tuple[int, ...]
    lead: PairedDifference | None
    partial: bool = False

    def sentence(self, dataset: str, shots: int) -> str:
        """Which is best on this dataset, how good it is and how far ahead."""
        where = f"on {dataset} at {shots} shot{'' if shots == 1 else 's'}"
        draws = f"{self.n[0]} draw{'' if self.n[0] == 1 else 's'}"
        if self.partial:
            draws = f"the {'one draw' if self.n[0] == 1 else draws} that all have"
        figures = f"{self.mean[0]:.1%} ± {100 * self.std[0]:.1f} over {draws}"
        if self.lead is None:
            return f"{self.names[0]} {where}: {figures}."
        if abs(self.lead.mean) < _SAME:
            return (
                f"{self.names[0]} and {in_sentence(self.names[1])} are best {where}, level at "
                f"{self.mean[0]:.1%} over {draws} ({self.lead.interval()})."
            )
        return f"{self.names[0]} is best {where}: {figures}; {self.lead.lead()}."


def rank(runs: Mapping[str, MethodRuns]) -> Ranking:
    """Order methods by their mean accuracy; equal ones stay in the order given.

    Where some have more draws than others, only the draws that all have count.
    """
    shared = shared_draws(runs)
    accuracy = {
        name: np.array(
            [
                value
                for draw, value in zip(found.draws, found.accuracy, strict=True)
                if draw in shared or not shared
            ]
        )
        for name, found in runs.items()
    }
    order = sorted(runs, key=lambda name: -accuracy[name].mean())
    lead = None
    if len(order) > 1 and set(runs[order[0]].draws) & set(runs[order[1]].draws):
        first, second = order[:2]
        lead = paired_difference(first, second, runs[first], runs[second], tuple(shared) or None)
    return Ranking(
        tuple(order),
        tuple(float(accuracy[name].mean()) for name in order),
        tuple(float(accuracy[name].std()) for name in order),
        tuple(len(accuracy[name]) for name in order),
        lead,
        bool(shared) and any(set(found.draws) != shared for found in runs.values()),
    )


def shared_draws(runs: Mapping[str, MethodRuns]) -> set[int]:
    """The draws that all methods have."""
    return set.intersection(*(set(found.draws) for found in runs.values()))


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
        standard deviations (ddof = 0) under ``± accuracy`` and ``± fit, s``, of ``macro-F1`` and
        of ``NLL`` (nats); ``trainable`` and ``stored`` numbers and what is ``counted as``
        trainable, missing where a method's parameters are not known.
    """
    import pandas as pd

    rows = []
    for title, run in runs.items():
        scores = pd.DataFrame(list(run.scores))
        mean, std = scores.mean(), scores.std(ddof=0)
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


def number_of_draws(runs: Iterable[MethodRuns]) -> str:
    """How many draws runs are of: a number, or from the least to the greatest."""
    numbers = {len(run.draws) for run in runs}
    least, most = min(numbers), max(numbers)
    return str(least) if least == most else f"{least} to {most}"


def in_sentence(name: str) -> str:
    """A method's name as it stands inside a sentence: proper names keep their capitals."""
    word = name.split(" ")[0]
    plain = len(word) > 1 and word[1:] == word[1:].lower()
    return name[:1].lower() + name[1:] if plain else name


def signed(points: float) -> str:
    """With one decimal and a true minus sign; never −0.0."""
    text = f"{points:.1f}"
    return "0.0" if text == "-0.0" else text.replace("-", "−")
