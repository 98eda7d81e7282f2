"""Methods compared over draws."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from slp_core.evaluation.method_runs import MethodRuns
from slp_core.explain.predictions import confusion

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")
CONFIDENCE = 0.95
RESAMPLES = 9_999
SEED = 0
FEWEST = 5
"""Draws needed for a confidence interval; with fewer, the range is given."""
SAME = 1e-12
"""Accuracies are ratios of whole numbers: a smaller difference is rounding."""


@dataclass(frozen=True)
class PairedDifference:
    """Accuracy of A minus that of B on the same support sets."""

    a: str
    b: str
    draws: tuple[int, ...]
    difference: np.ndarray  # (n,) one a draw, from −1 to 1
    # of the confidence interval of the mean; the range's with fewer than ``FEWEST`` draws; None
    # with fewer than two
    ends: tuple[float, float] | None

    @property
    def mean(self) -> float:
        return float(self.difference.mean())

    @property
    def interval(self) -> tuple[float, float] | None:
        """The confidence interval of the mean; None with too few draws."""
        return self.ends if len(self.draws) >= FEWEST else None

    @property
    def distinguishable(self) -> bool:
        """Whether there is a confidence interval, and it excludes 0."""
        return self.interval is not None and (self.interval[0] > SAME or self.interval[1] < -SAME)

    @property
    def outcomes(self) -> tuple[int, int, int]:
        """Draws on which A wins, loses and ties."""
        wins = int((self.difference > SAME).sum())
        losses = int((self.difference < -SAME).sum())
        return wins, losses, len(self.difference) - wins - losses


@dataclass(frozen=True)
class Ranking:
    """Methods by mean accuracy over the draws that all of them have, the best first."""

    dataset: str  # its title
    shots: int
    # of those that have run on all of their draws; by their own draws' means where none is shared
    names: tuple[str, ...]
    mean: tuple[float, ...]  # from 0 to 1
    draws: tuple[int, ...]  # the shared ones
    runners_up: tuple[str, ...]  # the second, and those with the same mean
    lead: PairedDifference | None  # of the first over the runner-up that it is least clear of
    unfinished: Mapping[str, MethodRuns]  # those that have not run on all of their draws


def rank(runs: Mapping[str, MethodRuns], dataset: str, shots: int) -> Ranking:
    """Order the methods that have run on all of their draws by mean accuracy over shared ones."""
    finished = {name: found for name, found in runs.items() if not found.missing}
    shared, on_shared = shared_draws(finished.values()), on_shared_draws(finished)
    mean = {name: float(found.accuracy.mean()) for name, found in on_shared.items()}
    order = sorted(mean, key=lambda name: -round(mean[name], 12))
    runners_up = tuple(name for name in order[1:] if mean[order[1]] - mean[name] < SAME)
    leads = [
        paired_difference(order[0], name, on_shared[order[0]], on_shared[name])
        for name in runners_up
        if shared
    ]
    return Ranking(
        dataset,
        shots,
        tuple(order),
        tuple(mean[name] for name in order),
        shared,
        runners_up,
        min(leads, key=lambda lead: lead.ends[0] if lead.ends else 0.0, default=None),
        {name: found for name, found in runs.items() if found.missing},
    )


def paired_difference(a: str, b: str, first: MethodRuns, second: MethodRuns) -> PairedDifference:
    """Compare two methods over the draws that both have."""
    draws = tuple(draw for draw in first.draws if draw in second.draws)
    difference = first.only(draws).accuracy - second.only(draws).accuracy
    return PairedDifference(a, b, draws, difference, mean_interval(difference))


def mean_interval(values: np.ndarray) -> tuple[float, float] | None:
    """SciPy's bootstrap interval of the mean; the range for fewer than ``FEWEST`` values."""
    if len(values) < 2:
        return None
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
    """Rounded, since BCa counts the means of resamples that equal that of the values."""
    mean: np.ndarray = np.round(values.mean(axis=axis), 12)
    return mean


def shared_draws(runs: Iterable[MethodRuns]) -> tuple[int, ...]:
    """The draws that all runs have, ascending; none where there are no runs."""
    each = [set(found.draws) for found in runs]
    return tuple(sorted(set.intersection(*each))) if each else ()


def on_shared_draws(runs: Mapping[T, MethodRuns]) -> dict[T, MethodRuns]:
    """Runs of the draws that all finished ones with as many shots have, if they share any."""
    found = {}
    for name, run in runs.items():
        finished = [each for each in runs.values() if not each.missing]
        shared = shared_draws(each for each in finished if each.shots == run.shots)
        found[name] = run if set(shared).isdisjoint(run.draws) else run.only(shared)
    return found


def on_same_draws(runs: Sequence[MethodRuns]) -> bool:
    """Whether runs with the same number of shots are of the same draws."""
    return len({(run.shots, run.draws) for run in runs}) == len({run.shots for run in runs})


def coincident(series: Mapping[str, Sequence[MethodRuns]]) -> dict[str, str]:
    """Methods with the same mean accuracies as an earlier one at every number of shots."""
    found: dict[str, str] = {}
    means = {
        name: {run.shots: run.accuracy.mean() for run in runs} for name, runs in series.items()
    }
    for (other, theirs), (name, own) in combinations(means.items(), 2):
        if own.keys() == theirs.keys() and all(abs(own[n] - theirs[n]) < SAME for n in own):
            found.setdefault(name, other)
    return found


def agreement(predicted: Sequence[np.ndarray]) -> np.ndarray:
    """(M, M) share of examples on which each pair of methods makes the same prediction."""
    stacked = np.stack(list(predicted))
    same: np.ndarray = (stacked[:, None, :] == stacked[None, :, :]).mean(axis=2)
    return same


def class_f1(runs: MethodRuns, n_classes: int) -> np.ndarray:
    """(n, K) F1 of each class on each draw; NaN for one without query examples."""
    # From counts: scikit-learn's scores take milliseconds each, and a page needs dozens.
    each = runs.by_draw.values()
    counts = np.stack([confusion(run.true, run.predicted, n_classes) for run in each])
    hits = np.diagonal(counts, axis1=1, axis2=2)
    true, predicted = counts.sum(axis=2), counts.sum(axis=1)
    unknown = np.full(true.shape, np.nan)
    scores: np.ndarray = np.divide(2 * hits, true + predicted, out=unknown, where=true > 0)
    return scores


def runs_table(runs: Iterable[tuple[str, str, int, MethodRuns]], task: str) -> pd.DataFrame:
    """Every run as a row of a results file."""
    import pandas as pd

    from slp_core.evaluation.results import COLUMNS

    rows = [
        (task, encoder, method, found.shots, draw, seed, *run.scores)
        for encoder, method, seed, found in runs
        for draw, run in found.by_draw.items()
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def costs_table(runs: Mapping[str, MethodRuns]) -> pd.DataFrame:
    """Each method's scores, number of parameters and fit time, mean and SD over the draws."""
    import pandas as pd

    rows = []
    for title, run in runs.items():
        scores = pd.DataFrame([each.scores for each in run.by_draw.values()])
        mean, std = scores.mean(), scores.std(ddof=0 if len(scores) > 1 else 1)  # NaN for one
        rows.append(
            {
                "method": title,
                "support sets": len(scores),
                "accuracy": mean["accuracy"],
                "± accuracy": std["accuracy"],
                "macro-F1": mean["macro_f1"],
                "NLL": mean["nll"],
                "trainable": run.parameters and run.parameters.trainable,
                "stored": run.parameters and run.parameters.stored,
                "fit, s": mean["fit_seconds"],
                "± fit, s": std["fit_seconds"],
                "counted as": run.parameters and run.parameters.description,
            }
        )
    return pd.DataFrame(rows).astype({"trainable": "Int64", "stored": "Int64"})
