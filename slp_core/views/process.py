"""Pictures that take seconds, made in a process of their own.

UMAP compiles itself on first use and is not thread-safe, and both hold up every other thread of
the process it runs in. Here it has a process of low priority to itself, which ends when it has
not been asked for an hour.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import numpy as np
from joblib.externals.loky import get_reusable_executor
from joblib.externals.loky import reusable_executor as _executor_module
from joblib.externals.loky.process_executor import BrokenProcessPool, ShutdownExecutorError

from slp_core.errors import SLPError
from slp_core.views.projection import fit_projection

IDLE_SECONDS = 3_600

Result = TypeVar("Result")


def run_in_process(function: Callable[..., Result], *args: Any, **options: Any) -> Result:
    """Call a function in the process for pictures, and wait for it; calls queue.

    Parameters
    ----------
    function : callable
        Importable, as are its arguments' types.

    Raises
    ------
    SLPError
        Where the process was ended from outside, as by a machine that runs out of memory.
    """
    if _stopping.is_set():
        raise SLPError("The program is ending.")
    executor = get_reusable_executor(
        max_workers=1, timeout=IDLE_SECONDS, initializer=_begin, initargs=(os.getpid(),)
    )
    try:
        future = executor.submit(function, *args, **options)
        _stop_at_the_end()
        return future.result()
    except (BrokenProcessPool, ShutdownExecutorError) as error:
        raise SLPError(
            "The process that makes this picture was ended from outside, perhaps for want of "
            "memory: ask for it again, or use PCA."
        ) from error


_stopping = threading.Event()


@cache
def _stop_at_the_end() -> None:
    """Have the process killed first of all when the program ends.

    Python then waits for the threads of its executors, one of which may be waiting for a picture,
    and comes to atexit's functions only after that; the last one registered here goes first.
    """
    threading._register_atexit(_stop)  # type: ignore[attr-defined]


def _stop() -> None:
    _stopping.set()
    executor = _executor_module._executor
    if executor is not None:
        executor.shutdown(wait=False, kill_workers=True)


def warm_up() -> None:
    """Start the process and have it compile UMAP."""
    run_in_process(_first_layout)


def _first_layout() -> None:
    fit_projection(np.random.default_rng(0).normal(size=(40, 8)), "umap")


def _begin(parent: int) -> None:
    """In the new process: give way to the program it serves, and do not outlive it."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(10)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    """End this process when its parent is gone, killed or in the midst of starting it.

    Its queue does not tell, and whoever waits for the output they share would wait as well.
    """
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)
