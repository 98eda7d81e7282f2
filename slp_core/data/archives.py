"""Uploaded zip archives, checked before anything in them is expanded."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import PurePath

from slp_core.data.limits import LIMITS, MB, check_file_size
from slp_core.errors import DatasetError, SLPError

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


def unzipped(content: bytes, name: str) -> bytes:
    """The file in a .gz, if it is not larger than a file may be."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
            data = file.read(LIMITS.file_bytes + 1)
    except DAMAGE as damage:
        raise DatasetError(
            f"{name} cannot be opened as a .gz file (damaged or cut short): save it again."
        ) from damage
    check_file_size(name, len(data))
    return data


def files_of(
    content: bytes,
    name: str,
    endings: Collection[str],
    error: type[SLPError] = DatasetError,
    unpacked: int | None = None,
) -> list[tuple[str, bytes]]:
    """Files in a .zip with one of these endings, in their order, without those of operating
    systems.
    """
    with open_archive(content, name, error, unpacked=unpacked) as archive:
        found = [
            member
            for member in archive.namelist()
            if PurePath(member).suffix.lower() in endings
            and not any(part.startswith((".", "__MACOSX")) for part in PurePath(member).parts)
        ]
        return [(PurePath(member).name, archive.read(member)) for member in found]


@contextmanager
def open_archive(
    content: bytes,
    name: str,
    error: type[SLPError] = SLPError,
    what: str = "a .zip file",
    unpacked: int | None = None,
) -> Iterator[zipfile.ZipFile]:
    """An archive in memory, with limits on its parts and its total size."""
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
