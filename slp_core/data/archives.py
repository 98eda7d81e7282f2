"""Zip archives that somebody hands in: looked at before anything in them is expanded."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from slp_core.data.limits import LIMITS, MB
from slp_core.errors import SLPError

# Of zipfile: damage, a password, a way of packing that it does not know, names that are no text.
DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    ValueError,
    RuntimeError,
    OverflowError,
)


@contextmanager
def open_archive(
    content: bytes,
    name: str,
    error: type[SLPError] = SLPError,
    what: str = "a .zip file",
    unpacked: int | None = None,
) -> Iterator[zipfile.ZipFile]:
    """An archive in memory whose parts are few, and not larger in whole than is allowed."""
    unpacked = unpacked or LIMITS.unpacked_bytes
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            if len(members) > LIMITS.members:
                raise error(f"{name} holds more than {LIMITS.members:,} files: leave some out.")
            if sum(member.file_size for member in members) > unpacked:
                raise error(f"{name} unpacks to more than {unpacked // MB:,} MB: make it smaller.")
            yield archive
    except SLPError:
        raise
    except DAMAGE as damage:
        raise error(
            f"{name} cannot be opened as {what} (damaged, cut short or protected by a password): "
            "save it again."
        ) from damage
