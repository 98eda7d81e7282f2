"""The jobs that run contestants over their draws, and what is seen of them meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from pages.compare.contestants import Contestant
from pages.session.jobs import Job, job_pool
from pages.session.workspace import failure
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
    cells = [(one, n) for n in shots for one in contest]

    def work(job: Job) -> dict[str, MethodRuns]:
        before(job)
        tally = _Tally(job, _title(contest), sum(_weight(*cell) for cell in cells))
        found = {}
        for one, n in cells:
            found[one.key(n)] = one.run(n, tally.told(one, n), job.cancelled)
            tally.add(_weight(one, n))
        return found

    return job_pool().start(runs_key(contest, shots), _title(contest), work)


def _title(contest: Sequence[Contestant]) -> str:
    return f"Running {len(contest)} method{'' if len(contest) == 1 else 's'} over the draws"


def runs_key(contest: Sequence[Contestant], shots: Sequence[int]) -> tuple[str, ...]:
    """Of the job that runs contestants on their draws."""
    return ("compare", *(one.key(n) for n in shots for one in contest))


def _weight(one: Contestant, shots: int) -> float:
    return one.weight * len(one.draws(shots))


class _Tally:
    """Tells a job how far it is; what was kept from before says nothing of the time left."""

    def __init__(self, job: Job, title: str, total: float):
        self._job, self._title, self._total = job, title, total
        self._done = self._fresh = 0.0
        self._start = time.monotonic()

    def told(self, one: Contestant, shots: int) -> Callable[[str, float], None]:
        """What a contestant tells of its runs on the draws of so many shots."""
        past = self._fresh

        def tell(what: str, runs: float) -> None:
            self._job.title = what or self._title
            self._fresh = past + one.weight * runs
            self._report(self._done + one.weight * runs)

        return tell

    def add(self, weight: float) -> None:
        """That much is done, fresh or kept."""
        self._done += weight
        self._report(self._done)

    def _report(self, done: float) -> None:
        left = None
        if self._fresh:
            left = (time.monotonic() - self._start) / self._fresh * (self._total - done)
        self._job.report(Progress(round(_PARTS * done), round(_PARTS * self._total), left))


def watch(job: Job, again: Callable[[], Any]) -> None:
    """A bar with a button to cancel; when it is done the page starts anew."""
    st.fragment(_watch, run_every=0.4 if job.running else None)(job, again)


def _watch(job: Job, again: Callable[[], Any]) -> None:
    if job.ready:
        st.rerun()
    if not job.running:
        st.warning(failure(job), icon=":material/info:")
        if st.button("Go on", type="primary", key=f"again {id(job)}"):
            again()
            st.rerun()  # the whole page, which looks at the new job
        return
    text = job.title
    if job.progress is not None:
        text += f": {job.share:.0%}"
        if job.progress.seconds_left is not None:
            text += f", {_time(job.progress.seconds_left)} left"
    st.progress(min(job.share, 1.0), text=text)
    st.button("Cancel", icon=":material/close:", on_click=job.cancel, key=f"cancel {id(job)}")


def _time(seconds: float) -> str:
    return f"about {max(1, round(seconds))} s" if seconds < 90 else f"about {seconds / 60:.0f} min"
