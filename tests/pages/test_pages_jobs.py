import gc
import threading
import time
import weakref
from contextlib import ExitStack
from types import SimpleNamespace

import pytest
from driving import gone, open_page, press

from pages.session import jobs, visits
from pages.session.jobs import LONG, MOST_OF_A_VISIT, PICTURES, JobPool
from pages.session.visits import Visitor
from slp_core.errors import Cancelled
from slp_core.progress import Progress


def wait(job, seconds=60):
    end = time.monotonic() + seconds
    while job.running:
        assert time.monotonic() < end, "the job does not end"
        time.sleep(0.005)


def test_the_same_work_is_started_once_and_its_result_kept():
    pool, gate, calls = JobPool(2), threading.Event(), []

    def work(job):
        calls.append(1)
        gate.wait(60)
        return 42

    first = pool.start("key", "Work", work)
    assert pool.start("key", "Work", work) is first
    assert first.running
    gate.set()
    wait(first)
    assert pool.start("key", "Work", work) is first
    assert (first.result, calls) == (42, [1])


def test_progress_is_seen_and_cancelling_stops_the_work():
    pool, started = JobPool(1), threading.Event()

    def work(job):
        for done in range(10_000):
            job.report(Progress(done, 10_000, None))
            started.set()
            if job.cancelled():
                raise Cancelled
            time.sleep(0.001)

    job = pool.start("key", "Work", work)
    assert started.wait(60)
    job.cancel()
    wait(job)
    assert job.stopped
    assert not job.ready
    assert 0 <= job.progress.share < 1


def test_work_that_failed_is_taken_up_again():
    pool = JobPool(1)
    answers = iter([ValueError("no"), "yes"])

    def work(job):
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    job = pool.start("key", "Work", work)
    wait(job)
    assert isinstance(job.error, ValueError)
    with pytest.raises(ValueError, match="no"):
        _ = job.result
    assert pool.start("key", "Work", work) is job
    again = pool.want(job)
    assert pool.get("key") is again
    wait(again)
    assert again.result == "yes"


def test_only_so_many_finished_jobs_are_kept_and_no_running_one_is_dropped():
    pool, gate = JobPool(2), threading.Event()
    held = pool.start("held", "Work", lambda job: gate.wait(60))
    for number in range(100):
        wait(pool.start(number, "Work", lambda job: None))
    assert pool.get("held") is held
    assert pool.get(0) is None
    assert pool.get(99) is not None
    gate.set()
    wait(held)


def test_a_page_that_asks_again_leaves_a_cancelled_job_as_it_is():
    pool = JobPool(1)

    def work(job):
        while not job.cancelled():
            time.sleep(0.001)
        raise Cancelled

    job = pool.start("key", "Work", work)
    job.cancel()
    wait(job)
    assert pool.start("key", "Work", work) is job
    job.start()  # somebody pressed "Go on"
    other = pool.get("key")
    assert other is not job
    assert other.running
    other.cancel()


def test_a_server_that_ends_cancels_its_jobs_and_waits_for_them_to_notice():
    pool, noticed = JobPool(1), []

    def work(job):
        while not job.cancelled():
            time.sleep(0.001)
        noticed.append(True)

    running = begun(pool.start("runs", "Work", work))
    waiting = pool.start("waits", "Work", work)
    pool.end(60)
    assert (noticed, running.done, waiting.stopped) == ([True], True, True)


def test_a_job_waits_until_it_is_started():
    pool = JobPool(1)
    job = pool.job("key", "Work", lambda job: 42)
    assert (job.begun, job.running, job.ready, pool.get("key")) == (False, False, False, None)
    started = pool.want(job)
    assert pool.job("key", "Work", lambda job: 0) is started
    assert started.begun
    wait(started)
    assert (pool.want(job).result, started.started().result) == (42, 42)


class Class:
    """A pool and those who use it, one at a time."""

    def __init__(self, workers=1):
        self.who = None
        self.pool = JobPool(workers, lambda: self.who)

    def seen_by(self, who, of):
        """What holds of a job for one of them."""
        self.who = who
        return of()

    def come(self):
        """Somebody new, who is asking now."""
        self.who = Visitor()
        return self.who

    def start(self, who, key, work, **how):
        self.who = who
        return self.pool.start(key, str(key), work, **how)


def until_cancelled(job):
    while not job.cancelled():
        time.sleep(0.001)
    raise Cancelled


def begun(job):
    end = time.monotonic() + 60
    while not job.future.running():
        assert time.monotonic() < end, "the job does not begin"
        time.sleep(0.005)
    return job


def ended(job):
    end = time.monotonic() + 60
    while not job.done:
        assert time.monotonic() < end, "the job does not end"
        time.sleep(0.005)


def test_what_two_sessions_want_is_done_once_and_ends_when_neither_wants_it():
    users = Class()
    first, second = users.come(), users.come()
    job = users.start(first, "same", until_cancelled)
    users.who = second
    assert users.pool.get("same") is None  # nobody sees what another has asked for
    assert users.start(second, "same", until_cancelled) is job
    job.cancel()
    assert (job.stopped, job.running) == (True, False)
    assert users.seen_by(first, lambda: (job.stopped, job.running)) == (False, True)
    assert users.start(second, "same", until_cancelled).stopped  # it stays as it is
    assert users.pool.want(job) is job
    assert job.running
    users.who = first
    users.pool.forget("same")
    assert users.seen_by(second, lambda: job.running)
    job.cancel()
    ended(job)
    assert not users.pool.running
    users.start(first, "quick", lambda job: 42).wait(60)
    assert users.start(second, "quick", until_cancelled).result == 42


def test_what_is_done_may_be_had_by_a_session_that_did_not_ask_and_nothing_else_may():
    users = Class()
    first, second = users.come(), users.come()
    under_way = users.start(first, "under way", until_cancelled)
    assert users.seen_by(second, lambda: users.pool.get("under way")) is None
    assert users.pool.get("never asked for") is None
    users.seen_by(first, under_way.cancel)
    ended(under_way)
    assert users.seen_by(second, lambda: users.pool.get("under way")) is None
    users.start(first, "quick", lambda job: 42).wait(60)
    job = users.seen_by(second, lambda: users.pool.get("quick"))
    assert (job.ready, job.result) == (True, 42)
    assert users.pool.get("quick") is job
    gone(first)
    assert users.pool.get("quick").result == 42


def test_a_session_that_ends_takes_its_jobs_along_and_nobody_elses():
    users = Class()
    leaves, stays = users.come(), users.come()
    alone = begun(users.start(leaves, "alone", until_cancelled))
    shared = users.start(leaves, "shared", lambda job: 42)
    assert users.start(stays, "shared", lambda job: 42) is shared
    never = users.start(leaves, "in line", until_cancelled)  # where its turn comes meanwhile
    assert [users.seen_by(leaves, lambda job=job: job.place) for job in (shared, never)] == [0, 1]
    gone(leaves)
    users.who = stays
    wait(shared)
    assert shared.result == 42
    for job in (alone, never):
        ended(job)
        assert job.stopped


def test_first_come_is_first_served_in_each_of_the_lines():
    users, gate, order = Class(), threading.Event(), []
    first = begun(users.start(users.come(), 0, lambda job: gate.wait(60)))
    others = [users.start(users.come(), n, lambda job, n=n: order.append(n)) for n in (1, 2, 3)]
    for lane in (LONG, PICTURES):
        beside = users.start(users.come(), lane, lambda job: 42, lane=lane)
        beside.wait(60)
        assert beside.result == 42
    assert [job.place for job in (first, *others)] == [None, 0, 1, 2]
    gate.set()
    for job in others:
        ended(job)
    assert order == [1, 2, 3]


def test_one_visit_has_only_so_many_jobs():
    users = Class()
    eager, other = users.come(), users.come()
    jobs = [users.start(eager, n, until_cancelled) for n in range(MOST_OF_A_VISIT)]
    refused = users.start(eager, "more", until_cancelled)
    assert "cancel one" in str(refused.error)
    assert users.start(other, "more", until_cancelled).running
    jobs[0].cancel()
    assert users.start(eager, "more", until_cancelled).running
    users.pool.end(60)
    assert not users.pool.running


def test_what_is_done_for_a_visitor_is_freed_when_they_are_gone():
    class Heavy:
        pass

    users, run = Class(), Heavy()
    visitor, held = users.come(), weakref.ref(run)
    wait(users.start(visitor, "own", lambda job: 1))
    running = users.start(visitor, "own run", lambda job, run=run: until_cancelled(job))
    del run
    gone(visitor)
    ended(running)
    for number in range(70):  # others come, and theirs is kept instead
        wait(users.start(users.come(), number, lambda job: None))
    del running
    gc.collect()
    assert held() is None


class Clock:
    """In the place of threading's timers: time passes as a test says."""

    def __init__(self):
        self.now, self.due = 0, []

    def Timer(self, seconds, function, args):
        there = self.now + seconds, function, args
        return SimpleNamespace(start=lambda: self.due.append(there))

    def wait(self, seconds):
        self.now += seconds
        for at, function, args in self.due:
            if at <= self.now:
                function(*args)
        self.due = [each for each in self.due if each[0] > self.now]


def test_what_belongs_to_a_visitor_goes_a_while_after_the_last_tab_was_closed(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(visits, "threading", clock)
    gone, visitor, tabs = [], Visitor(), [ExitStack() for _ in range(3)]
    visitor.open(tabs[0])
    visitor.open(tabs[1])
    for what, seconds in (("job", 2), ("job", 2), ("upload", 6)):
        visitor.when_gone(what, lambda what=what: gone.append(what), seconds)
    tabs[0].close()
    clock.wait(9)
    assert gone == []  # a tab is open
    tabs[1].close()
    clock.wait(1)
    visitor.open(tabs[2])  # a page that is loaded again, and closed
    tabs[2].close()
    clock.wait(1)
    assert gone == []
    clock.wait(1)
    assert gone == ["job"]
    visitor.open(tabs[0])
    clock.wait(9)
    assert gone == ["job"]
    tabs[0].close()
    clock.wait(5)
    assert gone == ["job"]
    clock.wait(1)
    assert gone == ["job", "upload"]
    assert visitor.gone


def test_a_button_that_starts_a_job_says_where_too_many_are_queued(monkeypatch):
    app = open_page("explore", folded=True, share=True, dataset="Iris flowers")
    monkeypatch.setattr(jobs, "MOST_OF_A_VISIT", 0)
    press(app, "Make the report")
    assert [each.value[:31] for each in app.toast] == ["Too many computations are queue"]
