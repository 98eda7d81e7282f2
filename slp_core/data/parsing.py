"""Parse uploads in a subprocess, so that a hostile file ends only that process."""

from __future__ import annotations

import importlib
import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from slp_core.data.limits import LIMITS, MB
from slp_core.errors import Cancelled, DatasetError, SLPError
from slp_core.process import Bounds, ChildProcess, ProcessEnded, TookTooLong

Result = TypeVar("Result")

PATIENCE = 3
"""Seconds to wait for each second of work that a reading may take: the machine may be busy."""

# Threads of libraries take address space, which is what is limited.
_ENVIRONMENT = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    "MALLOC_ARENA_MAX": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
}
_bounds = Bounds(LIMITS.memory_bytes, LIMITS.seconds, kept_bytes=400 * MB)
_reader = ChildProcess("files", 60, _bounds, _ENVIRONMENT)
_log = logging.getLogger(__name__)


def read_apart(
    function: Callable[..., Result],
    *args: Any,
    name: str,
    cancelled: Callable[[], bool] | None = None,
    **options: Any,
) -> Result:
    """Call a reader for an upload of that name, after those that came before."""
    try:
        seconds = PATIENCE * LIMITS.seconds
        return _reader.call(function, *args, cancelled=cancelled, seconds=seconds, **options)
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


def warm() -> None:
    """Start the process in the background unless it runs, so that the first file need not wait."""
    if not _reader.running:
        threading.Thread(target=_warm, name="warm reader", daemon=True).start()


def _warm() -> None:
    with suppress(ProcessEnded):  # whoever gives a file is told
        _reader.call(_preload, seconds=PATIENCE * LIMITS.seconds)


def _preload() -> None:
    for module in ("pandas", "pyarrow.parquet"):
        importlib.import_module(module)
