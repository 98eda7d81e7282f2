"""The jobs that run contestants over their draws."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from pages.compare.contestants import Contestant
from pages.session.jobs import Job, job_pool
from slp_core.evaluation.method_runs import MethodRuns
from slp_core.evaluation.wording import Count
from slp_core.progress import Progress

_PARTS = 1_000  # progress is counted in whole numbers, a unit of size being so many


class ProgressTracker:
    """Adds up what is done; what was done before says nothing of the time left."""

    def __init__(self, total: float, report: Callable[[Progress], None]):
        self._total, self._report = total, report
        self._done = self._fresh = self._past = 0.0
        self._start = time.monotonic()

    def go_on(self, size: float) -> None:
        """So much of the work at hand was done just now."""
        self._fresh = self._past + size
        self._tell(self._done + size)

    def add(self, size: float) -> None:
        """A work of this size is done, just now or before."""
        self._done, self._past = self._done + size, self._fresh
        self._tell(self._done)

    def _tell(self, done: float) -> None:
        left = None
        if self._fresh:
            left = (time.monotonic() - self._start) / self._fresh * (self._total - done)
        self._report(Progress(round(_PARTS * done), round(_PARTS * self._total), left))


def runs_job(
    contest: Sequence[Contestant],
    shots: Sequence[int],
    again: bool = False,
    before: Callable[[Job], Any] = lambda job: None,
) -> Job:
    """Run contestants on their draws of each number of shots, in the background."""
    cells = [(contestant, n) for n in shots for contestant in contest]
    title = f"Running {Count(len(contest), 'method')} over the draws"

    def work(job: Job) -> dict[str, MethodRuns]:
        before(job)
        tally, runs = ProgressTracker(sum(_weight(*cell) for cell in cells), job.report), {}
        for contestant, n in cells:
            unit = contestant.weight

            def report(what: str, done: float, unit: int = unit) -> None:
                job.title = what or title
                tally.go_on(unit * done)

            runs[contestant.key(n)] = contestant.run(n, report, job.cancelled)
            tally.add(_weight(contestant, n))
        return runs

    return job_pool().start(runs_key(contest, shots), title, work, again)


def runs_key(contest: Sequence[Contestant], shots: Sequence[int]) -> tuple[str, ...]:
    """Of the job that runs contestants on their draws."""
    return ("compare", *(contestant.key(n) for n in shots for contestant in contest))


def let_go(key: tuple[str, ...]) -> None:
    """Want a job that still runs no more, and have who comes back start it again."""
    job = job_pool().get(key)
    if job is not None and job.running:
        job_pool().forget(key)


def _weight(contestant: Contestant, shots: int) -> float:
    return contestant.weight * len(contestant.draws(shots))
