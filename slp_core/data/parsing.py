"""Parse uploads in a subprocess, so that a hostile file ends only that process."""

from __future__ import annotations

import importlib
import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, LifoQueue
from typing import Any, TypeVar

from slp_core.data.limits import LIMITS, MB
from slp_core.errors import Cancelled, DatasetError, SLPError
from slp_core.process import Bounds, ChildProcess, ProcessEnded, TookTooLong

Result = TypeVar("Result")

PROCESSES = 2
"""Files that are read at once: one that takes long holds up no other one."""
PATIENCE = 3
"""Seconds to wait for each second of work that a reading may take: the machine may be busy."""

_IDLE_SECONDS = 60
_LOOK = 0.1  # seconds between two looks at whether a call was cancelled
_KEPT_BYTES = 400 * MB
_PRELOADED = ("pandas", "pyarrow.parquet", "slp_core.data.read")
# Threads of libraries take address space, which is what is limited.
_ENVIRONMENT = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    "MALLOC_ARENA_MAX": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
}
_log = logging.getLogger(__name__)


def _processes() -> LifoQueue[ChildProcess]:
    """All free ones; the last used is taken first, so that idle ones may end."""
    free: LifoQueue[ChildProcess] = LifoQueue()
    bounds = Bounds(LIMITS.memory_bytes, LIMITS.seconds, LIMITS.response_bytes, _KEPT_BYTES)
    for _ in range(PROCESSES):
        free.put(ChildProcess("files", _IDLE_SECONDS, bounds, _ENVIRONMENT))
    return free


_free = _processes()


def read_apart(
    function: Callable[..., Result],
    *args: Any,
    name: str,
    cancelled: Callable[[], bool] | None = None,
    **options: Any,
) -> Result:
    process = _taken(cancelled or (lambda: False), name)
    try:
        seconds = PATIENCE * LIMITS.seconds
        return process.call(function, *args, cancelled=cancelled, seconds=seconds, **options)
    except (SLPError, Cancelled):
        raise
    except TookTooLong as error:
        raise DatasetError(
            f"{name} took more than {LIMITS.seconds} seconds to read, which is the limit: give a "
            "smaller or simpler file."
        ) from error
    except ProcessEnded as error:
        raise DatasetError(
            f"{name} ended the process that was reading it, by its size or by damage: export it "
            "again, or give a smaller file."
        ) from error
    except MemoryError as error:
        raise DatasetError(
            f"{name} takes more than {LIMITS.memory_bytes // MB:,} MB of memory to read, which is "
            "the limit: give a smaller file."
        ) from error
    except Exception as error:
        # The notes say where it was raised; the message may quote the file, and is not logged.
        _log.error("A reader failed with %s", type(error).__name__)
        raise DatasetError(
            f"{name} is damaged, or made in a way that this program does not know: export it again."
        ) from error
    finally:
        _free.put(process)


def warm() -> None:
    """Start a process in the background if none runs, so that the first file need not wait."""
    if any(process.running for process in list(_free.queue)):
        return
    held: list[ChildProcess] = []
    with suppress(Empty):  # all of them: a file waits for the one that starts, and starts no other
        while True:
            held.append(_free.get_nowait())
    if held:
        threading.Thread(target=_warm, args=(held,), name="warm reader", daemon=True).start()


def _warm(held: list[ChildProcess]) -> None:
    try:
        with suppress(ProcessEnded):  # whoever gives a file is told
            held[-1].call(_preload, seconds=PATIENCE * LIMITS.seconds)
    finally:
        for process in held:
            _free.put(process)


def _preload() -> None:
    for module in _PRELOADED:
        importlib.import_module(module)


def _taken(cancelled: Callable[[], bool], name: str) -> ChildProcess:
    end = time.monotonic() + 2 * PATIENCE * LIMITS.seconds
    while time.monotonic() < end:
        if cancelled():
            raise Cancelled
        with suppress(Empty):
            return _free.get(timeout=_LOOK)
    raise DatasetError(f"{name} was not read, because others are: give it again in a minute.")
