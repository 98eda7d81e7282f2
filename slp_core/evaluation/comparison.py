"""Methods set against each other over draws: ranked, and what their means are of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from slp_core.evaluation.method_runs import MethodRuns
from slp_core.evaluation.paired import (
    CONFIDENCE,
    FEWEST,
    SAME,
    PairedDifference,
    paired_difference,
)
from slp_core.evaluation.wording import Count, Points, method_titles
from slp_core.facts import ClassName, Fact, Facts, Listed, MethodTitle, Stated, fact

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")
_NAMED = 3  # methods of a list in a sentence; of more the first ones are, and the rest counted


@dataclass(frozen=True)
class Ranking(Stated):
    """Methods by mean accuracy over the draws that all of them have, the best first."""

    dataset: str  # its title
    shots: int
    # of those that have run on all of their draws; by their own draws' means where none is shared
    names: tuple[str, ...]
    mean: tuple[float, ...]  # from 0 to 1; ddof = 0
    std: tuple[float, ...]
    draws: tuple[int, ...]  # the shared ones; empty where there is none
    # of the first over the second, and over all who are level with the second; empty for one
    # method, where several are level at the top, or where no draw is shared
    leads: tuple[PairedDifference, ...]
    partial: bool = False  # whether a method has further draws
    # methods that are not ranked, since they have run on fewer draws than they were asked for:
    # their names and both numbers
    unfinished: tuple[tuple[str, int, int], ...] = ()

    def facts(self) -> Facts:
        """Which is first on this dataset, how good it is and how far ahead."""
        names, n = method_titles(self.names), len(self.names)
        where = " on {dataset} at {shots}"
        place = {"dataset": ClassName(self.dataset), "shots": Count(self.shots, "shot")}
        if not names:
            template = "No method has run on all of its draws" + where + " so far: {unfinished}."
            told = {"unfinished": self._unfinished(), **place}
            return (fact("compare.none_finished", template, **told),)
        if not self.draws:
            template = (
                "The {n:,} methods share no draw" + where + " so far, so that none of them can be "
                "called the best."
            )
            return (fact("compare.nothing_shared", template, n=n, names=names, **place),)
        shared: dict[str, Any] = {"names": names, "figures": self._figures(), **place}
        if n == 1:
            template = "{best}" + where + ": {figures}."
            return (fact("compare.alone", template, best=names[0], **shared),)
        first = [name for name, mean in zip(names, self.mean, strict=True) if self._is_best(mean)]
        measure = "mean accuracy" if len(self.draws) > 1 else "accuracy"
        if len(first) > 1:
            template = "{best} share the highest " + measure + where + ": {figures}."
            if len(first) == n:
                template = "{best} are level" + where + " in " + measure + ": {figures}."
            best = Listed([first[0], *map(_Inside, first[1:])])
            return (fact("compare.level_best", template, best=best, **shared),)
        untold = [lead.b for lead in self.leads if not lead.apart]
        shared |= {"best": names[0], "lead": self._lead(len(untold))}
        if not untold:
            template = "{best} is best" + where + ": {figures}; {lead}."
            return (fact("compare.best", template, **shared),)
        template = "{best} has the highest " + measure + where + ": {figures}; {lead}"
        if len(self.draws) >= FEWEST:  # of fewer the lead itself says that they are too few
            template += ", so that these draws do not tell "
            if len(untold) == len(self.leads):
                template += "the two apart" if len(untold) == 1 else "them apart"
            else:
                template += "it apart from {untold:inside}"
        shared["untold"] = listed(method_titles(untold))
        return (fact("compare.highest", template + ".", **shared),)

    def unfinished_facts(self) -> Facts:
        """Which methods are not ranked beside those that are."""
        if not self.unfinished or not self.names:
            return ()
        template = (
            "Left out of this sentence until all of their draws are done, and shown below on "
            "those that are: {unfinished}."
        )
        return (fact("compare.left_out", template, unfinished=self._unfinished()),)

    def _unfinished(self) -> Listed[Fact]:
        template = "{method} ({done:,} of {asked})"
        return Listed(
            [
                fact(
                    "compare.unfinished",
                    template,
                    method=MethodTitle(name),
                    done=done,
                    asked=Count(asked, "draw"),
                )
                for name, done, asked in self.unfinished
            ]
        )

    def _lead(self, untold: int) -> Fact:
        """By how much the first leads; ``untold`` of its leads have an interval that holds zero."""
        first, n = self.leads[0], Count(len(self.draws), "draw")
        if len(self.leads) == 1:
            return first.lead()
        template = "{points} above {over:inside} "
        if n == 1:
            template += "(one draw, so no interval)"
        elif n < FEWEST:
            template += "({n}, too few for an interval)"
        elif untold == len(self.leads):
            template += "({confidence:.0%} intervals that hold zero)"
        elif untold:
            template += "({confidence:.0%} intervals, some of which hold zero)"
        else:
            template += "({confidence:.0%} intervals that leave zero out)"
        told = {"a": MethodTitle(first.a), "points": Points(100 * first.mean), "n": n}
        over = listed(method_titles(lead.b for lead in self.leads))
        return fact("compare.above_several", template, over=over, confidence=CONFIDENCE, **told)

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


def listed(items: Sequence[T]) -> Listed[T]:
    """Few are all in the list; of more the first ones are, and the rest counted."""
    shown = len(items) if len(items) <= _NAMED else _NAMED - 1
    return Listed(items[:shown], len(items) - shown)


def _level_groups(mean: Mapping[str, float]) -> list[list[str]]:
    """Names by their means, the highest first; those equal up to rounding together."""
    groups, left = [], dict(mean)
    while left:
        best = max(left.values())
        groups.append([name for name, value in left.items() if best - value < SAME])
        left = {name: value for name, value in left.items() if best - value >= SAME}
    return groups


def rank(
    runs: Mapping[str, MethodRuns],
    dataset: str,
    shots: int,
    asked: Mapping[str, int] | None = None,
) -> Ranking:
    """Order methods by their mean accuracy; equal ones stay in the order given.

    Where some have more draws than others, only the draws that all have count.
    """
    done = {name: len(runs[name].draws) if name in runs else 0 for name in asked or {}}
    unfinished = tuple((name, done[name], n) for name, n in (asked or {}).items() if done[name] < n)
    left_out = {name for name, *_ in unfinished}
    runs = {name: found for name, found in runs.items() if name not in left_out}
    shared = shared_draws(runs.values())
    on_shared = on_shared_draws(runs)
    mean = {name: float(found.accuracy.mean()) for name, found in on_shared.items()}
    groups = _level_groups(mean)
    order = [name for group in groups for name in group]
    leads: list[PairedDifference] = []
    if shared and len(groups) > 1 and len(groups[0]) == 1:
        (first,) = groups[0]
        leads = [paired_difference(first, b, on_shared[first], on_shared[b]) for b in groups[1]]
    return Ranking(
        dataset,
        shots,
        tuple(order),
        tuple(mean[name] for name in order),
        tuple(float(on_shared[name].accuracy.std()) for name in order),
        shared,
        tuple(leads),
        bool(shared) and any(found.draws != shared for found in runs.values()),
        unfinished,
    )


def shared_draws(runs: Iterable[MethodRuns]) -> tuple[int, ...]:
    """The draws that all runs have, ascending; none where there are no runs."""
    each = [set(found.draws) for found in runs]
    return tuple(sorted(set.intersection(*each))) if each else ()


def by_shots(runs: Mapping[T, MethodRuns]) -> list[dict[T, MethodRuns]]:
    """Runs with the same number of shots together, fewer shots first."""
    cells: defaultdict[int, dict[T, MethodRuns]] = defaultdict(dict)
    for name, run in runs.items():
        cells[run.shots][name] = run
    return [cells[shots] for shots in sorted(cells)]


def on_shared_draws(
    runs: Mapping[T, MethodRuns], unfinished: Collection[T] = ()
) -> dict[T, MethodRuns]:
    """Runs of the draws that all runs with the same number of shots have.

    Where these share none, all are as they were.
    """
    found = dict(runs)
    for cell in by_shots(runs):
        shared = shared_draws(run for name, run in cell.items() if name not in unfinished)
        for name, run in cell.items():
            if not set(shared).isdisjoint(run.draws):
                found[name] = run.only(shared)
    return found


def draws_facts(runs: Sequence[MethodRuns]) -> Facts:
    """How many draws runs are of: at least one."""
    numbers = sorted({len(run.draws) for run in runs})
    least, most = numbers[0], Count(numbers[-1], "draw")
    if least == most:
        return (fact("compare.draws", "{most}", least=least, most=most),)
    return (fact("compare.draws", "{least:,} to {most}", least=least, most=most),)


def means_facts(runs: Sequence[MethodRuns], deviation: str) -> Facts:
    """What means are of, and what stands for their standard deviation."""
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
    cells = by_shots(dict(enumerate(runs)))
    if all(len({run.draws for run in cell.values()}) == 1 for cell in cells):
        template = (
            "At each number of shots all means are of the same draws, but not at every number of "
            "shots of the same ones."
        )
        return (fact("compare.other_draws_by_shots", template),)
    template = "Not all means are of the same draws: part of a difference may be due to those."
    return (fact("compare.other_draws", template),)


def same_draws_facts(runs: Sequence[MethodRuns], dataset: str) -> Facts:
    """Which draws of a dataset means are of."""
    where = {"dataset": ClassName(dataset)}
    if other := other_draws_facts(runs):
        return (fact("compare.of_dataset", "Means on {dataset}.", **where), *other)
    template = "Means on {dataset}, draws {draws}."
    return (fact("compare.of_draws", template, draws=Listed(runs[0].draws), **where),)


def runs_table(runs: Iterable[tuple[str, str, int, MethodRuns]], task: str) -> pd.DataFrame:
    """Every run as a row of a results file."""
    import pandas as pd

    from slp_core.evaluation.results import COLUMNS

    rows = [
        (task, encoder, method, found.shots, draw, seed, *scores)
        for encoder, method, seed, found in runs
        for draw, scores in zip(found.draws, found.scores, strict=True)
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def costs_table(runs: Mapping[str, MethodRuns]) -> pd.DataFrame:
    """What each method is judged by, how many numbers it fits, and how long that takes."""
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
