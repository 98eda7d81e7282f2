"""What the server made once, on this disk: its next start has it at once.

A file is named after what it was made from, so one that is out of date is never found, and holds
its own digest, so one that is damaged is made anew.
"""

from __future__ import annotations

import os
import time
import uuid
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

_UNUSED = 90 * 86_400.0  # seconds after which a file goes: another version has files of its own
_BYTES = 16  # of a digest


def digest(*parts: bytes) -> str:
    """Of what something is made from.

    Parameters
    ----------
    *parts : bytes
    """
    whole = blake2b(digest_size=_BYTES)
    for part in parts:
        whole.update(len(part).to_bytes(8, "little") + part)
    return whole.hexdigest()


def read(name: str) -> bytes | None:
    """What was kept by that name; None where it is not there, or not whole.

    Parameters
    ----------
    name : str
        Of :func:`digest`.
    """
    path = _folder() / name
    try:
        whole = path.read_bytes()
        os.utime(path)
    except OSError:
        return None
    seal, body = whole[:_BYTES], whole[_BYTES:]
    return body if _seal(body) == seal else None


def keep(name: str, body: bytes) -> None:
    """Write it in one step; on a disk that cannot be written to, it is made again next time.

    Parameters
    ----------
    name : str
        Of :func:`digest`.
    body : bytes
    """
    folder = _folder()
    unfinished = folder / f"{uuid.uuid4().hex}.tmp"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        unfinished.write_bytes(_seal(body) + body)
        os.replace(unfinished, folder / name)
        for path in folder.iterdir():
            if time.time() - path.stat().st_mtime > _UNUSED:
                path.unlink(missing_ok=True)


def _folder() -> Path:
    from slp_core.encoders.cache import default_cache_dir

    return default_cache_dir() / "served"


def _seal(body: bytes) -> bytes:
    return blake2b(body, digest_size=_BYTES).digest()
