"""Long computations in the background, which outlive the script run that started them.

A page's script starts anew at every touch of a widget, so work that takes seconds stands in a queue
that belongs to the server: first come, first served. A job never calls Streamlit; pages look at it.
The same work is done once for all visitors who ask for it, and ends when none wants it any more.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

import streamlit as st

from pages.session.visits import Visitor, current_visitor
from slp_core.errors import Cancelled, SLPError
from slp_core.memory import return_what_is_free
from slp_core.progress import Progress

MOST_OF_A_VISIT = 16  # jobs of one visitor that wait or run
WORKERS = 2
# Lines of their own: what takes a second does not wait for what encodes or trains an encoder; UMAP
# lays out one picture at a time
LONG, SHORT, PICTURES = "long", "short", "pictures"
_KEPT = 48  # finished jobs whose results stay at hand
_BEHIND = 4  # niceness of jobs beside pages: on a busy machine they still have a third of a core
_GRACE = 5.0  # seconds for running jobs to notice that the server ends
_TOO_MANY = "Too many computations are queued for you: wait for one of them to end, or cancel one."


class Job:
    """One computation that visitors can ask for, watch and cancel."""

    def __init__(self, pool: JobPool, key: Any, title: str, work: Callable[[Job], Any], lane: str):
        self.key, self.title, self.work, self.lane = key, title, work, lane
        self.progress: Progress | None = None
        self.begun = False  # asked for by somebody
        self.wanted: set[Visitor | None] = set()  # by these visitors
        self.left: set[Visitor | None] = set()  # these have cancelled it
        self.future = Future[Any]()
        self._pool, self._stop = pool, threading.Event()
        self._asked = time.monotonic()

    def report(self, progress: Progress) -> None:
        self.progress = progress

    def cancelled(self) -> bool:
        """Whether all requests were cancelled; called by the work."""
        return self._stop.is_set()

    def start(self) -> Job:
        """Do the work for this visitor, anew if it has failed or was cancelled."""
        return self._pool.want(self)

    def started(self) -> Job:
        """The job as this visitor asked for it, failed or cancelled too; else it is queued."""
        return self if self.begun else self._pool.want(self)

    def cancel(self) -> None:
        """Cancel this visitor's request."""
        self._pool.leave(self, self._pool.who())

    def stop(self) -> None:
        self._stop.set()
        self.future.cancel()  # where it has not begun

    def wait(self, seconds: float) -> None:
        """Wait this long since the request: a quick job needs no progress bar."""
        wait([self.future], timeout=max(0.0, self._asked + seconds - time.monotonic()))

    @property
    def done(self) -> bool:
        return self.future.done()

    @property
    def running(self) -> bool:
        """Whether it is waiting or running, for this visitor."""
        return self.begun and not self.done and self._pool.who() not in self.left

    @property
    def place(self) -> int | None:
        """How many jobs come before it if it has not begun: 0 for the next."""
        others = self._pool.running.values()
        line = [each for each in others if each.lane == self.lane and not each.future.running()]
        return line.index(self) if self in line else None

    @property
    def stopped(self) -> bool:
        return isinstance(self.error, Cancelled)

    @property
    def error(self) -> BaseException | None:
        if self._pool.who() in self.left or self.future.cancelled():
            return Cancelled()
        return self.future.exception() if self.done else None

    @property
    def good(self) -> bool:
        """Whether it is waiting, running, or ended without an error."""
        return not (self.cancelled() or (self.done and self.future.exception()))

    @property
    def ready(self) -> bool:
        return self.done and self.error is None

    @property
    def result(self) -> Any:
        if error := self.error:
            raise error
        return self.future.result()


class JobPool:
    """Jobs by key. A visitor sees those that they requested or that are ready; None sees all."""

    def __init__(self, workers: int, who: Callable[[], Visitor | None] = lambda: None):
        self.who = who
        self._lock = threading.RLock()
        self._jobs: dict[Any, Job] = {}
        self._lanes = {
            lane: ThreadPoolExecutor(threads, lane, _step_back)
            for lane, threads in ((LONG, workers), (SHORT, workers), (PICTURES, 1))
        }

    def job(self, key: Any, title: str, work: Callable[[Job], Any], lane: str = SHORT) -> Job:
        """The job of a key, begun or to be started."""
        return self.get(key) or Job(self, key, title, work, lane)

    def start(self, key: Any, title: str, work: Callable[[Job], Any], lane: str = SHORT) -> Job:
        return self.job(key, title, work, lane).started()

    def get(self, key: Any) -> Job | None:
        visit = self.who()
        with self._lock:
            job = self._jobs.get(key)
            seen = job and (visit in (None, *job.wanted, *job.left) or (job.done and job.good))
            return job if seen else None

    def want(self, asked: Job) -> Job:
        """Queue a job for this visitor, unless one of its key is under way or has succeeded."""
        visit = self.who()
        with self._lock:
            job = self._jobs.pop(asked.key, None)
            if job is None or not job.good:
                job = Job(self, asked.key, asked.title, asked.work, asked.lane)
                if sum(visit in each.wanted for each in self.running.values()) >= MOST_OF_A_VISIT:
                    job.future.set_exception(SLPError(_TOO_MANY))
                    return job
                job.begun, job.future = True, self._lanes[job.lane].submit(_run, job)
            self._jobs[job.key] = job  # the last one now
            if visit is not None:
                visit.when_gone(self, lambda: self._close(visit))
            job.wanted.add(visit)
            job.left.discard(visit)
            for key in [key for key, each in self._jobs.items() if each.done][:-_KEPT]:
                del self._jobs[key]
            return job

    def leave(self, job: Job, visit: Visitor | None) -> None:
        with self._lock:
            if job.done:
                return
            job.left.add(visit)
            job.wanted.discard(visit)
            if not job.wanted:
                job.stop()

    def forget(self, key: Any) -> None:
        """Cancel this visitor's request, and have the next call start anew."""
        if job := self.get(key):
            self.leave(job, self.who())
            job.left.discard(self.who())

    def forget_results(self, digest: str) -> None:
        """Evict finished jobs of all visitors whose key names these data."""
        with self._lock:
            for key in [k for k, job in self._jobs.items() if job.done and digest in str(k)]:
                del self._jobs[key]

    @property
    def running(self) -> dict[Any, Job]:
        """Waiting or running jobs by key, of all visitors."""
        with self._lock:
            return {key: job for key, job in self._jobs.items() if not job.done}

    def end(self, seconds: float = _GRACE) -> None:
        """Cancel all jobs, and wait this long for them to stop."""
        running = self.running.values()
        for job in running:
            job.stop()
        wait([job.future for job in running], timeout=seconds)

    def _close(self, visit: Visitor) -> None:
        """Cancel all requests of a visitor who has gone."""
        with self._lock:
            for job in self._jobs.values():
                self.leave(job, visit)
                job.left.discard(visit)


def _step_back() -> None:
    """Lower the priority of the job's thread on Linux, so that pages come first."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _BEHIND)


def _run(job: Job) -> Any:
    try:
        return job.work(job)
    finally:
        return_what_is_free()


@st.cache_resource(show_spinner=False, on_release=lambda pool: pool.end(0))
def job_pool() -> JobPool:
    return JobPool(WORKERS, current_visitor)
