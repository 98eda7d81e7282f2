"""The process that pictures are made in: apart, and no hindrance to ending."""

import importlib
import os
import pickle
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from slp_core import SLPError
from slp_core.errors import Cancelled
from slp_core.methods.table import methods_that_read
from slp_core.process import ChildProcess
from slp_core.views.layouts import run_in_process
from slp_core.views.projection import fit_projection

ROOT = Path(__file__).resolve().parents[2]


def test_it_is_another_process_and_comes_back_after_it_was_killed():
    first = run_in_process(os.getpid)
    assert first != os.getpid()
    assert run_in_process(os.getpid) == first
    with pytest.raises(SLPError, match="ended from outside"):
        run_in_process(os._exit, 1)
    assert run_in_process(os.getpid) not in (first, os.getpid())
    with pytest.raises(ValueError, match="invalid literal") as caught:
        run_in_process(int, "x")
    assert "In the process for projections" in caught.value.__notes__[0]


def test_a_call_that_is_cancelled_ends_at_once_and_the_next_one_is_answered():
    begun = time.monotonic()
    with pytest.raises(Cancelled):
        run_in_process(time.sleep, 600, cancelled=lambda: time.monotonic() > begun + 0.5)
    assert time.monotonic() < begun + 60
    with pytest.raises(Cancelled):
        run_in_process(abs, -1, cancelled=lambda: True)
    assert run_in_process(abs, -1, cancelled=lambda: False) == 1


def test_what_prints_or_cannot_be_sent_costs_no_process():
    first = run_in_process(os.getpid)
    assert run_in_process(print, "not an answer") is None
    assert run_in_process(os.write, 1, b"nor this") == 8
    with pytest.raises((AttributeError, pickle.PicklingError)):
        run_in_process(lambda: 1)
    with pytest.raises(TypeError, match="pickle"):
        run_in_process(open, os.devnull)
    assert run_in_process(os.getpid) == first


def test_it_ends_when_it_is_not_asked():
    process = ChildProcess("pictures", idle_seconds=2)
    first, begun = process.call(os.getpid), time.monotonic()
    while process.running and time.monotonic() < begun + 60:
        time.sleep(0.05)
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)
    assert process.call(os.getpid) != first


def test_a_program_that_ends_does_not_wait_for_a_picture():
    script = (
        "import time\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from slp_core.views.layouts import run_in_process\n"
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
        timeout=240,
        check=False,
    )
    assert (done.stdout, done.returncode) == ("end\n", 0), done.stderr


def test_it_does_not_outlive_a_program_that_is_killed():
    script = (
        "import os, signal\n"
        "from slp_core.views.layouts import run_in_process\n"
        "run_in_process(abs, 1)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    # Whoever waits for the output waits for the last process that could still write to it.
    subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, timeout=240, check=False
    )


def test_its_pictures_and_the_models_that_they_show_need_no_tables():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(24, 4)), np.repeat(["a", "b", "c"], 8)
    for method in methods_that_read("vectors"):
        model = method.make().fit(X, y)
        there = run_in_process(fit_projection, X, "decision_plane", model)
        np.testing.assert_allclose(
            there.points, fit_projection(X, "decision_plane", model).points, atol=1e-9
        )
    assert not run_in_process(_loads, "slp_core.views")


def _loads(module):
    importlib.import_module(module)
    return "pandas" in sys.modules
