"""The jobs that run contestants over their draws."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pages.compare.contestants import Contestant
from pages.session.jobs import Job, job_pool
from slp_core.evaluation.method_runs import MethodRuns
from slp_core.evaluation.tally import Tally
from slp_core.evaluation.wording import Count


def runs_job(
    contest: Sequence[Contestant],
    shots: Sequence[int],
    again: bool = False,
    before: Callable[[Job], Any] = lambda job: None,
) -> Job:
    """Run contestants on their draws of each number of shots, in the background.

    The result maps ``Contestant.key(shots)`` to MethodRuns. What was run before is kept.

    Parameters
    ----------
    contest : sequence of Contestant
    shots : sequence of int
    again : bool
        Whether to take up what was cancelled or has failed.
    before : callable
        What the job does first.
    """
    cells = [(contestant, n) for n in shots for contestant in contest]
    title = f"Running {Count(len(contest), 'method')} over the draws"

    def work(job: Job) -> dict[str, MethodRuns]:
        before(job)
        tally, runs = Tally(sum(_weight(*cell) for cell in cells), job.report), {}
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
