"""Long computations in the background: they outlive the script run that asked for them.

A page's script starts anew at every touch of a widget, so work that takes seconds runs in a small
pool of threads that belongs to the server. A job never calls Streamlit; pages look at it.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any

import streamlit as st

from pages.session.cache import BoundedStore
from pages.session.public import shown
from slp_core.encoders import Progress
from slp_core.errors import Cancelled
from slp_core.evaluation.run_facts import failure_facts
from slp_core.facts import said

_KEPT = 64  # finished jobs whose results stay at hand
_GRACE = 5.0  # seconds for running jobs when the program ends


class Job:
    """One computation that can be watched and cancelled."""

    def __init__(self, title: str):
        self.title = title
        self.progress: Progress | None = None
        self._stop = threading.Event()
        self._future: Future[Any] | None = None

    def report(self, progress: Progress) -> None:
        """Tell how far the work has come; called by the work itself."""
        self.progress = progress

    def cancelled(self) -> bool:
        """Whether somebody asked to stop; read by the work itself."""
        return self._stop.is_set()

    def cancel(self) -> None:
        """Ask the work to stop at its next opportunity."""
        self._stop.set()

    def wait(self, seconds: float) -> None:
        """Give the work that long to end, so that what is quick needs no bar."""
        if self._future is not None:
            wait([self._future], timeout=seconds)

    @property
    def running(self) -> bool:
        """Whether the work is waiting or under way."""
        return self._future is not None and not self._future.done()

    @property
    def stopped(self) -> bool:
        """Whether it ended because it was cancelled."""
        return not self.running and isinstance(self.error, Cancelled)

    @property
    def error(self) -> BaseException | None:
        """What it failed with, once it has ended."""
        return None if self.running or self._future is None else self._future.exception()

    @property
    def ready(self) -> bool:
        """Whether the result can be had."""
        return self._future is not None and not self.running and self.error is None

    @property
    def result(self) -> Any:
        """What the work returned; raises what it raised."""
        assert self._future is not None
        return self._future.result()

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1."""
        return self.progress.done / max(self.progress.total, 1) if self.progress else 0.0


def failure(job: Job) -> str:
    """What to tell about a job that did not end well."""
    return said(failure_facts(job.title, job.error, shown(str(job.error or ""))))


class JobPool:
    """Jobs by key: asking twice for the same work starts it once, in whatever browser tab.

    Threads are daemons, so that a server which is told to end does not wait until all is done: it
    cancels what runs, and gives it a few seconds to notice.
    """

    def __init__(self, workers: int):
        atexit.register(self._end)
        self._free = threading.Semaphore(workers)
        self._jobs = BoundedStore[Any, Job](_KEPT, may_go=lambda job: not job.running)

    def get(self, key: Any) -> Job | None:
        """The job of that key, if it was started and is still kept."""
        return self._jobs.get(key)

    @property
    def running(self) -> dict[Any, Job]:
        """The jobs that wait or are under way, by key."""
        return {key: job for key, job in self._jobs.items() if job.running}

    def forget(self, key: Any) -> None:
        """Cancel the job of that key, and have the next call start it anew."""
        job = self._jobs.pop(key)
        if job is not None:
            job.cancel()

    def start(self, key: Any, title: str, work: Callable[[Job], Any], again: bool = True) -> Job:
        """The job of that key, started now unless it runs or is done.

        One that failed or was cancelled starts anew where that is asked for ``again``; a page that
        only wants its result takes it as it is.
        """

        def begin() -> Job:
            job = Job(title)
            job._future = self._run(work, job)
            return job

        return self._jobs.get_or_make(
            key, begin, good=lambda job: not again or job.running or job.ready
        )

    def _end(self) -> None:
        running = list(self.running.values())
        for job in running:
            job.cancel()
        end = time.monotonic() + _GRACE
        for job in running:
            job.wait(max(0.0, end - time.monotonic()))

    def _run(self, work: Callable[[Job], Any], job: Job) -> Future[Any]:
        future: Future[Any] = Future()

        def run() -> None:
            with self._free:
                try:
                    future.set_result(work(job))
                except BaseException as error:  # told to whoever looks at the job
                    future.set_exception(error)

        threading.Thread(target=run, name=job.title, daemon=True).start()
        return future


@st.cache_resource(show_spinner=False)
def job_pool() -> JobPool:
    """The server's one pool. Some of its jobs only wait for the process that makes pictures."""
    return JobPool(workers=4)
