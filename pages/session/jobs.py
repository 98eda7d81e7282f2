"""Long computations in the background: they outlive the script run that asked for them.

A page's script starts anew at every touch of a widget, so work that takes seconds stands in a line
that belongs to the server. A job never calls Streamlit; pages look at it.

The same work is done once for all visits that ask for it, and ends when none of them wants it any
more. A few jobs compute at a time, and the visit that has used the least time comes next: one that
takes long gives way between its batches, so that a short one of somebody else is soon done. One
that will soon be done itself does not: if equal ones took turns, all would be done last.
"""

from __future__ import annotations

import atexit
import itertools
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from pages.session.cache import BoundedStore, others_may_wait
from pages.session.public import shown
from pages.session.sizes import JOBS, Parts, parts_of
from pages.session.status_text import failure_facts
from pages.session.visits import Visit, current_visit
from slp_core.errors import Cancelled, SLPError
from slp_core.facts import said
from slp_core.memory import return_what_is_free
from slp_core.progress import Progress

MOST_OF_A_VISIT = 16  # jobs that wait or are under way
PROCESSOR, PICTURES = "processor", "pictures"  # what jobs stand in line for
_KEPT = 64  # finished jobs whose results stay at hand
_GRACE = 5.0  # seconds for running jobs when the program ends
_SLICE = 0.2  # seconds, after which a job gives way to others
_SOON = 8.0  # seconds: one that needs no more than these ends before it does
_TOO_MANY = (
    "You have as many computations in line as one visit may have: wait for one of them to end, or "
    "cancel one."
)


class _Task:
    """One computation, whoever wants it."""

    def __init__(self, title: str, work: Callable[[Job], Any], lane: str, number: int):
        self.title, self.lane, self.number = title, lane, number
        self.work: Callable[[Job], Any] | None = work  # until it was done: it holds its data
        self.parts: Parts = {}  # of the result
        self.progress: Progress | None = None
        self.wanted: set[Visit | None] = set()
        self.stop = threading.Event()
        self.future: Future[Any] = Future()
        self.asked = time.monotonic()  # when somebody first wanted it
        self.turn = threading.Event()  # set while it may compute
        self.since = 0.0  # when it was given its turn
        self.used = 0.0  # seconds of the turns before
        self.thread: threading.Thread | None = None

    @property
    def good(self) -> bool:
        """Whether it waits, is under way, or ended well."""
        if self.stop.is_set():
            return False
        return not self.future.done() or self.future.exception() is None

    def seconds_left(self) -> float | None:
        """Of its own turns, as far as can be told from what it has done in them."""
        if self.progress is None or not self.progress.done:
            return None
        used = self.used + time.monotonic() - self.since
        return used * (self.progress.total - self.progress.done) / self.progress.done


class Job:
    """One computation as a visit, or the work itself, sees it: to be watched and cancelled."""

    def __init__(self, pool: JobPool, task: _Task, visit: Visit | None = None):
        self._pool, self._task, self._visit = pool, task, visit
        self._left = False

    @property
    def title(self) -> str:
        """What it does now; the work may change it."""
        return self._task.title

    @title.setter
    def title(self, title: str) -> None:
        self._task.title = title

    @property
    def progress(self) -> Progress | None:
        """How far it has come, once that is known."""
        return self._task.progress

    def report(self, progress: Progress) -> None:
        """Tell how far the work has come; called by the work itself."""
        self._task.progress = progress

    def cancelled(self) -> bool:
        """Whether nobody wants the work any more; asked by the work, which may have to wait here.

        Where others wait and this job has had its time, they come first.
        """
        self._pool.give_way(self._task)
        return self._task.stop.is_set()

    @contextmanager
    def idle(self) -> Iterator[None]:
        """While the work only waits, others may compute."""
        self._pool.leave_lane(self._task)
        try:
            yield
        finally:
            self._pool.enter_lane(self._task)

    def cancel(self) -> None:
        """Want it no more; it ends, at its next opportunity, if no other does."""
        self._left = self.running and self._visit is not None
        self._pool.leave(self._task, self._visit)

    def wait(self, seconds: float) -> None:
        """Give the work that long to end since it was asked for: what is quick needs no bar."""
        wait([self._task.future], timeout=max(0.0, self._task.asked + seconds - time.monotonic()))

    @property
    def place(self) -> int | None:
        """How many others come before it, where it has not begun: 0 for the next."""
        return self._pool.place(self._task)

    @property
    def running(self) -> bool:
        """Whether the work is waiting or under way."""
        return not self._left and not self._task.future.done()

    @property
    def stopped(self) -> bool:
        """Whether it ended because it was cancelled."""
        return not self.running and isinstance(self.error, Cancelled)

    @property
    def error(self) -> BaseException | None:
        """What it failed with, once it has ended."""
        if self._left:
            return Cancelled()
        return None if self.running else self._task.future.exception()

    @property
    def ready(self) -> bool:
        """Whether the result can be had."""
        return not self.running and self.error is None

    @property
    def result(self) -> Any:
        """What the work returned; raises what it raised."""
        if self._left:
            raise Cancelled
        return self._task.future.result()

    def is_of(self, tasks: set[int]) -> bool:
        """Whether its computation is among some, by identity."""
        return id(self._task) in tasks

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1."""
        return self.progress.done / max(self.progress.total, 1) if self.progress else 0.0


def failure(job: Job) -> str:
    """What to tell about a job that did not end well."""
    return said(failure_facts(job.title, job.error, shown(str(job.error or ""))))


@dataclass
class _Lane:
    """What tasks stand in line for: so many compute at once."""

    at_once: int
    computing: set[_Task] = field(default_factory=set)
    waiting: list[_Task] = field(default_factory=list)


class _Account:
    """What the pool knows of a visit: its jobs by key, and the seconds that they have used."""

    def __init__(self) -> None:
        self.jobs = BoundedStore[Any, Job](_KEPT, may_go=lambda job: not job.running)
        self.used = 0.0


class JobPool:
    """Jobs by key: asking twice for the same work starts it once, whoever asks.

    A visit sees only what it has asked for itself. Threads are daemons, so that a server which is
    told to end does not wait until all is done: it cancels what runs, and gives it a few seconds
    to notice. A job that has not begun has no thread.

    Parameters
    ----------
    workers : int
        Jobs that compute at once; beside them one makes pictures, in a process of its own.
    who : callable
        The visit that asks; None for the server itself, which sees every job.
    most_bytes : int
        Of results that are kept, all together.
    """

    def __init__(
        self,
        workers: int,
        who: Callable[[], Visit | None] = lambda: None,
        most_bytes: int = JOBS,
    ):
        atexit.register(self.end)
        self._who = who
        self._lanes = {PROCESSOR: _Lane(workers), PICTURES: _Lane(1)}
        self._lock = threading.RLock()
        self._numbers = itertools.count()
        self._tasks = BoundedStore[Any, _Task](
            _KEPT, lambda task: task.future.done(), lambda task: task.parts, most_bytes
        )
        self._accounts: dict[Visit | None, _Account] = {None: _Account()}

    def get(self, key: Any) -> Job | None:
        """The job of that key, if this visit has asked for it and it is still kept."""
        visit = self._who()
        job = self._account(visit).jobs.get(key)
        if job is None and visit is None and (task := self._tasks.get(key)):
            return Job(self, task)
        return job

    def done(self, key: Any) -> Job | None:
        """The job of that key with its result, whoever had asked for it: now this visit as well."""
        visit = self._who()
        with self._lock:
            task = self._tasks.get(key)
            if task is None or not task.good or not task.future.done():
                return None
            return self._join(visit, key, task)

    def _join(self, visit: Visit | None, key: Any, task: _Task) -> Job:
        task.wanted.add(visit)
        job = Job(self, task, visit)
        self._account(visit).jobs.put(key, job)
        return job

    @property
    def running(self) -> dict[Any, Job]:
        """The jobs that wait or are under way, by key, whoever wants them."""
        return {k: Job(self, task) for k, task in self._tasks.items() if not task.future.done()}

    @property
    def waiting(self) -> int:
        """How many stand in line."""
        with self._lock:
            return sum(len(lane.waiting) for lane in self._lanes.values())

    def forget(self, key: Any) -> None:
        """Want the job of that key no more, and have the next call start it anew."""
        visit = self._who()
        with self._lock:
            self._account(visit).jobs.pop(key)
            if task := self._tasks.get(key):
                self.leave(task, visit)
                if not task.wanted:
                    self._tasks.pop(key)

    def forget_results(self, digest: str) -> None:
        """Let go of the jobs whose key names these data, of all visits, which are done."""
        with self._lock:
            for key, task in self._tasks.items():
                if digest in str(key) and task.future.done():
                    self._tasks.pop(key)
        self._let_go()

    def start(
        self,
        key: Any,
        title: str,
        work: Callable[[Job], Any],
        again: bool = True,
        lane: str = PROCESSOR,
    ) -> Job:
        """The job of that key, put in line unless it waits, runs or is done.

        One that failed or was cancelled starts anew where that is asked for ``again``; a page that
        only wants its result takes it as it is.

        Parameters
        ----------
        key : hashable
            Names the work and all that it depends on.
        title : str
            What it does.
        work : callable
            Takes the job, and asks now and then whether it is ``cancelled()``.
        again : bool
        lane : str
            What it needs: the processor, or the process that makes pictures.
        """
        visit = self._who()
        with self._lock:
            own = self._account(visit).jobs
            job = own.get(key)
            if job is not None and (not again or job.running or job.ready):
                return job
            task = self._tasks.get(key)
            if task is None or not task.good:
                task = _Task(title, work, lane, next(self._numbers))
                if visit is not None and self._unfinished(visit) >= MOST_OF_A_VISIT:
                    task.future.set_exception(SLPError(_TOO_MANY))
                    return Job(self, task, visit)
                self._catch_up(visit)
                self._tasks.put(key, task)
                self._lanes[lane].waiting.append(task)
            job = self._join(visit, key, task)
            self._grant(self._lanes[lane])
            return job

    def end(self, seconds: float = _GRACE) -> None:
        """Cancel everything, and wait so long for it to notice."""
        running = list(self.running.values())
        for job in running:
            job.cancel()
        end = time.monotonic() + seconds
        for job in running:
            job.wait(max(0.0, end - time.monotonic()))

    def leave(self, task: _Task, visit: Visit | None) -> None:
        """A visit wants a task no more, or the server, which speaks for all."""
        with self._lock:
            task.wanted = task.wanted - {visit} if visit is not None else set()
            if task.wanted or task.future.done():
                return
            task.stop.set()
            lane = self._lanes[task.lane]
            if task not in lane.waiting:
                return
            lane.waiting.remove(task)
            if task.thread is None:
                task.future.set_exception(Cancelled())
            task.turn.set()  # to see that it is to stop

    def place(self, task: _Task) -> int | None:
        """How many come before a task that has not begun; None once it has."""
        with self._lock:
            waiting = self._lanes[task.lane].waiting
            if task.thread is not None or task not in waiting:
                return None
            order, before = Counter[Visit | None](), dict[_Task, tuple[int, int]]()
            for each in sorted(waiting, key=self._order):
                payer = self._payer(each)
                before[each] = (order[payer], len(before))
                order[payer] += 1
            return sorted(waiting, key=before.__getitem__).index(task)

    def give_way(self, task: _Task) -> None:
        """Where a task has had its time and others wait, they come first; asked by its thread.

        Not while it computes what others may be waiting for, and not while the process for pictures
        computes for it: whoever came first then would wait for that process, and it for its turn.
        """
        mine = threading.current_thread() is task.thread and task.lane != PICTURES
        if not mine or others_may_wait():
            return
        left = task.seconds_left()
        if left is not None and left <= _SOON:
            return
        if self._lanes[task.lane].waiting and time.monotonic() - task.since > _SLICE:
            self.leave_lane(task)
            self.enter_lane(task)

    def leave_lane(self, task: _Task) -> None:
        """Let others compute."""
        with self._lock:
            lane = self._lanes[task.lane]
            if task in lane.computing:
                lane.computing.remove(task)
                task.turn.clear()
                used = time.monotonic() - task.since
                task.used += used
                for visit in task.wanted:
                    self._account(visit).used += used / len(task.wanted)
                self._grant(lane)

    def enter_lane(self, task: _Task) -> None:
        """Stand in line, and wait for the turn; one that is to stop does not wait."""
        with self._lock:
            if not task.stop.is_set():
                self._lanes[task.lane].waiting.append(task)
                self._grant(self._lanes[task.lane])
            else:
                task.turn.set()
        task.turn.wait()

    def _account(self, visit: Visit | None) -> _Account:
        with self._lock:
            if visit not in self._accounts:
                self._accounts[visit] = _Account()
                assert visit is not None
                visit.when_it_ends(lambda: self._close(visit))
            return self._accounts[visit]

    def _close(self, visit: Visit) -> None:
        """A visit has ended, and wants nothing any more."""
        with self._lock:
            if account := self._accounts.pop(visit, None):
                for _, job in account.jobs.items():
                    job.cancel()

    def _unfinished(self, visit: Visit | None) -> int:
        return sum(job.running for _, job in self._account(visit).jobs.items())

    def _catch_up(self, visit: Visit | None) -> None:
        """One that comes with nothing under way does not profit from having been away."""
        if not self._unfinished(visit):
            busy = [self._used(v) for v in self._accounts if self._unfinished(v)]
            account = self._account(visit)
            account.used = max(account.used, min(busy, default=0.0))

    def _payer(self, task: _Task) -> Visit | None:
        """Of those who want it the one that has used least."""
        return min(task.wanted, key=self._used)

    def _used(self, visit: Visit | None) -> float:
        """Seconds of a visit, those of what computes now among them."""
        now, used = time.monotonic(), self._account(visit).used
        for lane in self._lanes.values():
            own = (task for task in lane.computing if visit in task.wanted)
            used += sum((now - task.since) / len(task.wanted) for task in own)
        return used

    def _order(self, task: _Task) -> tuple[float, int]:
        return self._used(self._payer(task)), task.number

    def _grant(self, lane: _Lane) -> None:
        """Give free places to those whose visits have used least."""
        while lane.waiting and len(lane.computing) < lane.at_once:
            task = min(lane.waiting, key=self._order)
            lane.waiting.remove(task)
            lane.computing.add(task)
            task.since = time.monotonic()
            task.number = next(self._numbers)  # of a visit's own jobs they take turns
            task.turn.set()
            if task.thread is None:
                task.thread = threading.Thread(
                    target=self._run, args=(task,), name=task.title, daemon=True
                )
                task.thread.start()

    def _run(self, task: _Task) -> None:
        assert task.work is not None
        try:
            result = task.work(Job(self, task))
        except BaseException as error:  # told to whoever looks at the job
            task.future.set_exception(error)
        else:
            task.parts = parts_of(result)
            task.future.set_result(result)
        task.work = None
        self.leave_lane(task)
        self._let_go()
        return_what_is_free()  # what it had while it computed, and pages meanwhile

    def _let_go(self) -> None:
        """Keep as many bytes of results as there is room for."""
        self._tasks.trim()
        kept = {id(task) for _, task in self._tasks.items()}
        with self._lock:
            for account in self._accounts.values():
                for key, job in account.jobs.items():
                    if not job.running and not job.is_of(kept):
                        account.jobs.pop(key)


@st.cache_resource(show_spinner=False)
def job_pool() -> JobPool:
    """The server's one pool."""
    return JobPool(workers=max(2, os.cpu_count() or 1), who=current_visit)
