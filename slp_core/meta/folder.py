"""A checkpoint's folder while it is written: made, and one command's at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from slp_core.encoders.meta_checkpoint import CARD_FILE
from slp_core.errors import SLPError

LOCK_FILE = ".lock"


@contextmanager
def claimed(out: Path, state: str | None = None) -> Iterator[None]:
    """Make a checkpoint's folder and keep other commands from writing to it; ``.lock`` stays in it.

    While a file called ``state`` is there, its checkpoint is not finished.
    """
    from filelock import FileLock, Timeout

    _refuse_finished(out, state)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SLPError(
            f"{out} cannot be made a folder ({error.strerror}): name another."
        ) from error
    lock = FileLock(out / LOCK_FILE, timeout=0)
    try:
        held = lock.acquire()
    except Timeout:
        raise SLPError(
            f"Another command is writing {out}: wait for it, or name another folder."
        ) from None
    except OSError as error:
        raise SLPError(
            f"{out} cannot be written ({error.strerror}): name another folder."
        ) from error
    with held:
        _refuse_finished(out, state)  # another command may have ended since
        yield


def _refuse_finished(out: Path, state: str | None) -> None:
    going_on = state is not None and (out / state).exists()
    if (out / CARD_FILE).exists() and not going_on:
        raise SLPError(f"{out} holds a checkpoint: name another folder, or remove it.")
