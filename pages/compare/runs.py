"""The jobs that run contestants over their draws."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from pages.compare.contestants import Contestant, Report
from pages.session.jobs import Job, job_pool
from slp_core.encoders import Progress
from slp_core.evaluation.method_runs import MethodRuns

_PARTS = 1_000  # progress is counted in whole numbers, a run on vectors being so many


def find_runs(contest: Sequence[Contestant], shots: Sequence[int]) -> Job:
    """The job that runs contestants on their draws; one that was cancelled stays so."""
    return known_runs(contest, shots) or start_runs(contest, shots)


def known_runs(contest: Sequence[Contestant], shots: Sequence[int]) -> Job | None:
    """The same job, if it was ever started."""
    return job_pool().get(runs_key(contest, shots))


def start_runs(
    contest: Sequence[Contestant],
    shots: Sequence[int],
    before: Callable[[Job], Any] = lambda job: None,
) -> Job:
    """Run contestants on their draws of each number of shots, in the background.

    The result maps ``Contestant.key(shots)`` to MethodRuns. What was run before is kept.

    Parameters
    ----------
    contest : sequence of Contestant
    shots : sequence of int
    before : callable
        What the job does first.
    """
    cells = [(contestant, n) for n in shots for contestant in contest]

    def work(job: Job) -> dict[str, MethodRuns]:
        before(job)
        tally = _Tally(job, _title(contest), sum(_weight(*cell) for cell in cells))
        runs = {}
        for contestant, n in cells:
            runs[contestant.key(n)] = contestant.run(n, tally.report_of(contestant), job.cancelled)
            tally.add(_weight(contestant, n))
        return runs

    return job_pool().start(runs_key(contest, shots), _title(contest), work)


def _title(contest: Sequence[Contestant]) -> str:
    return f"Running {len(contest)} method{'' if len(contest) == 1 else 's'} over the draws"


def runs_key(contest: Sequence[Contestant], shots: Sequence[int]) -> tuple[str, ...]:
    """Of the job that runs contestants on their draws."""
    return ("compare", *(contestant.key(n) for n in shots for contestant in contest))


def _weight(contestant: Contestant, shots: int) -> float:
    return contestant.weight * len(contestant.draws(shots))


class _Tally:
    """Tells a job how far it is; what was kept from before says nothing of the time left."""

    def __init__(self, job: Job, title: str, total: float):
        self._job, self._title, self._total = job, title, total
        self._done = self._fresh = 0.0
        self._start = time.monotonic()

    def report_of(self, contestant: Contestant) -> Report:
        """What a contestant is to call as its runs on the draws of some shots go on."""
        past = self._fresh

        def report(what: str, runs: float) -> None:
            self._job.title = what or self._title
            self._fresh = past + contestant.weight * runs
            self._report(self._done + contestant.weight * runs)

        return report

    def add(self, weight: float) -> None:
        """That much is done, fresh or kept."""
        self._done += weight
        self._report(self._done)

    def _report(self, done: float) -> None:
        left = None
        if self._fresh:
            left = (time.monotonic() - self._start) / self._fresh * (self._total - done)
        self._job.report(Progress(round(_PARTS * done), round(_PARTS * self._total), left))
