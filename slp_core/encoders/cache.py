"""Embeddings by digest, in immutable files that are written atomically and need no lock."""

from __future__ import annotations

import contextlib
import hashlib
import os
import uuid
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from slp_core.data.examples import Examples
from slp_core.resources import resource

BUNDLED_DIR = resource("sample_data") / "embeddings"
DEFAULT_CAP = 1_000_000_000  # bytes
KEY_BYTES = 16

_SMALL_FILE = 1_000_000  # bytes
_MANY_SMALL_FILES = 32

Found: TypeAlias = dict[bytes, tuple[NDArray[np.float32], bool]]
"""By key the embedding of a row, not normalised, and whether the row was truncated."""


def write_rows(path: Path, rows: Found, dtype: type = np.float32) -> None:
    """Write rows to `path` atomically."""
    vectors, cut = zip(*rows.values(), strict=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{uuid.uuid4().hex}.tmp")
    try:
        with unfinished.open("wb") as file:
            keys = np.frombuffer(b"".join(rows), np.uint8).reshape(-1, KEY_BYTES)
            np.savez(file, keys=keys, notes=np.array(cut), vectors=np.array(vectors, dtype))
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def default_cache_dir() -> Path:
    """``$SLP_CACHE_DIR``, or ``slp-explorer`` in the platform's folder for caches."""
    if chosen := os.environ.get("SLP_CACHE_DIR"):
        return Path(chosen).expanduser()
    from platformdirs import user_cache_path

    return user_cache_path("slp-explorer", appauthor=False, opinion=False)


def row_keys(identity: str, examples: Examples) -> list[bytes]:
    """Digest of each row with the encoder's `identity`."""
    start = hashlib.blake2b(f"{identity}\0{examples.kind}".encode(), digest_size=KEY_BYTES)
    columns = [c for c in (examples.texts, examples.pairs, examples.spans) if c is not None]
    keys = []
    for row in zip(*columns, strict=True):
        digest = start.copy()
        for part in row:
            data = str(part).encode("utf-8", "surrogatepass")
            digest.update(len(data).to_bytes(8, "little") + data)
        keys.append(digest.digest())
    return keys


class VectorCache:
    """Finds rows in `bundled` and in `folder`, where the longest unused go beyond `cap` bytes."""

    def __init__(self, folder: Path, bundled: Path | None = None, cap: int = DEFAULT_CAP) -> None:
        self.folder = folder
        self.bundled = bundled
        self.cap = cap

    def find(self, identity: str, keys: Iterable[bytes]) -> Found:
        """Those of `keys` that are cached."""
        left = set(keys)
        found: Found = {}
        for path in self._files(identity):
            if rows := self._read(path, left):
                found |= rows
                left -= rows.keys()
                with contextlib.suppress(OSError):
                    os.utime(path)  # the cap's measure of use
        return found

    def keep(self, identity: str, rows: Found) -> None:
        """Add rows; warn if the disk cannot be written to."""
        folder, merged = self.folder / identity, []
        small = [path for path, state in _stats(folder) if state.st_size < _SMALL_FILE]
        for path in small if len(small) >= _MANY_SMALL_FILES else ():
            if old := self._read(path):
                merged.append(path)
                rows = old | rows
        new = folder / f"{hashlib.blake2b(b''.join(rows), digest_size=16).hexdigest()}.npz"
        try:
            write_rows(new, rows)
            for path in merged:
                if path != new:
                    path.unlink(missing_ok=True)
            self._trim()
        except OSError as error:
            warnings.warn(
                f"Embeddings were not cached in {self.folder}: {error}. Set SLP_CACHE_DIR to a "
                "folder that can be written to.",
                stacklevel=2,
            )

    def _read(self, path: Path, wanted: set[bytes] | None = None) -> Found:
        """The wanted rows of a file, or all; it is deleted if damaged, not if unreadable now."""
        try:
            with np.load(path, allow_pickle=False) as arrays:
                keys = list(map(bytes, arrays["keys"]))
                if wanted is not None and wanted.isdisjoint(keys):
                    return {}  # before vectors are read
                vectors = arrays["vectors"].astype(np.float32)  # float16 if bundled
                rows = zip(vectors, arrays["notes"].tolist(), strict=True)
                found = dict(zip(keys, rows, strict=True))
            return found if wanted is None else {key: found[key] for key in wanted & found.keys()}
        except (OSError, MemoryError):
            pass
        except Exception:  # any error that damaged bytes cause
            if self.folder in path.parents:
                with contextlib.suppress(OSError):
                    path.unlink()
        return {}

    def _files(self, identity: str) -> list[Path]:
        files = sorted(self.bundled.glob("*.npz")) if self.bundled else []
        return files + sorted(path for path, _ in _stats(self.folder / identity))

    def _trim(self) -> None:
        total = 0
        files = _stats(self.folder, "*/*")  # with unfinished ones that a killed process has left
        for path, state in sorted(files, key=lambda file: file[1].st_mtime, reverse=True):
            total += state.st_size
            if total > self.cap:
                path.unlink(missing_ok=True)


def _stats(folder: Path, pattern: str = "*.npz") -> list[tuple[Path, os.stat_result]]:
    """Files with their states; empty if there is no such folder."""
    known = []
    with contextlib.suppress(OSError):  # unreadable folder
        for path in folder.glob(pattern):
            with contextlib.suppress(FileNotFoundError):
                known.append((path, path.stat()))
    return known
