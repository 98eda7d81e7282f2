"""The process that pictures are made in: apart, and no hindrance to ending."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from slp_core import SLPError
from slp_core.views.process import run_in_process

ROOT = Path(__file__).resolve().parents[2]


def test_it_is_another_process_and_comes_back_after_it_was_killed():
    first = run_in_process(os.getpid)
    assert first != os.getpid()
    assert run_in_process(os.getpid) == first
    with pytest.raises(SLPError, match="ended from outside"):
        run_in_process(os._exit, 1)
    assert run_in_process(os.getpid) not in (first, os.getpid())
    with pytest.raises(ValueError, match="invalid literal"):
        run_in_process(int, "x")


def test_a_program_that_ends_does_not_wait_for_a_picture():
    script = (
        "import time\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from slp_core.views.process import run_in_process\n"
        "run_in_process(abs, 1)\n"
        "waiting = [\n"
        "    ThreadPoolExecutor(1).submit(run_in_process, time.sleep, 600) for _ in range(2)\n"
        "]\n"
        "time.sleep(0.5)\n"
        "print('end')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.stdout, done.returncode) == ("end\n", 0), done.stderr


def test_it_does_not_outlive_a_program_that_is_killed():
    script = (
        "import os, signal\n"
        "from slp_core.views.process import run_in_process\n"
        "run_in_process(abs, 1)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    # Whoever waits for the output waits for the last process that could still write to it.
    subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, timeout=60, check=False
    )
