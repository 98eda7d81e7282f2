import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from pages.session.jobs import JobPool
from slp_core.encoders import Progress
from slp_core.errors import Cancelled

ROOT = Path(__file__).resolve().parents[2]


def wait(job, seconds=5):
    end = time.monotonic() + seconds
    while job.running:
        assert time.monotonic() < end, "the job does not end"
        time.sleep(0.005)


def test_the_same_work_is_started_once_and_its_result_kept():
    pool, gate, calls = JobPool(2), threading.Event(), []

    def work(job):
        calls.append(1)
        gate.wait(5)
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
    assert started.wait(5)
    job.cancel()
    wait(job)
    assert job.stopped
    assert not job.ready
    assert 0 <= job.share < 1


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
    again = pool.start("key", "Work", work)
    wait(again)
    assert again.result == "yes"


def test_only_so_many_finished_jobs_are_kept_and_no_running_one_is_dropped():
    pool, gate = JobPool(2), threading.Event()
    held = pool.start("held", "Work", lambda job: gate.wait(5))
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

    job = pool.start("key", "Work", work, again=False)
    job.cancel()
    wait(job)
    assert pool.start("key", "Work", work, again=False) is job
    other = pool.start("key", "Work", lambda job: 42)  # somebody pressed "Go on"
    wait(other)
    assert other.result == 42


def test_a_program_that_ends_cancels_its_jobs_and_waits_for_them_to_notice():
    script = (
        "import time\n"
        "from pages.session.jobs import JobPool\n"
        "pool = JobPool(2)\n"
        "def work(job):\n"
        "    while not job.cancelled():\n"
        "        time.sleep(0.01)\n"
        "    print('noticed')\n"
        "pool.start('key', 'Work', work)\n"
        "print('end')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert (done.stdout, done.returncode) == ("end\nnoticed\n", 0), done.stderr
