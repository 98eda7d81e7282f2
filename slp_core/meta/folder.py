"""Exclusive access to a checkpoint's folder while it is written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from slp_core.encoders.meta_checkpoint import CARD_FILE
from slp_core.errors import SLPError

LOCK_FILE = ".lock"


@contextmanager
def claimed(out: Path, state: str | None = None) -> Iterator[None]:
    """Create and lock a checkpoint's folder; a file called ``state`` marks an unfinished run."""
    from filelock import FileLock, Timeout

    _refuse_finished(out, state)
    try:
        out.mkdir(parents=True, exist_ok=True)
        held = FileLock(out / LOCK_FILE, timeout=0).acquire()
    except Timeout:
        raise SLPError(
            f"Another command is writing {out}: wait for it, or name another folder."
        ) from None
    except OSError as error:
        raise SLPError(
            f"{out} cannot be written ({error.strerror}): name another folder."
        ) from error
    with held:
        _refuse_finished(out, state)  # another command may have finished meanwhile
        yield


def _refuse_finished(out: Path, state: str | None) -> None:
    unfinished = state is not None and (out / state).exists()
    if (out / CARD_FILE).exists() and not unfinished:
        raise SLPError(f"{out} contains a checkpoint: name another folder, or remove it.")
