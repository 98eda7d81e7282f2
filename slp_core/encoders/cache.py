"""Embeddings by digest, in immutable files that are written atomically and need no lock."""

from __future__ import annotations

import contextlib
import hashlib
import os
import uuid
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from slp_core.data.examples import Examples
from slp_core.resources import resource

BUNDLED_DIR = resource("sample_data") / "embeddings"
DEFAULT_CAP = 1_000_000_000  # bytes
KEY_BYTES = 16

_SMALL_FILE = 1_000_000  # bytes
_MANY_SMALL_FILES = 32

T = TypeVar("T")
Found: TypeAlias = dict[bytes, tuple[NDArray[np.float32], bool]]
"""By key the embedding of a row, and whether the row was truncated."""


@dataclass(frozen=True)
class Rows:
    """The content of a cache file: embeddings (float16 if bundled) and keys."""

    keys: NDArray[np.uint8]  # (n, 16)
    cut: NDArray[np.bool_]  # (n,) whether a row was truncated
    vectors: NDArray[np.floating]  # (n, d), not normalised

    @classmethod
    def of(cls, keys: Sequence[bytes], cut: Sequence[bool], vectors: NDArray[np.floating]) -> Rows:
        """Rows from keys as bytes."""
        packed = np.frombuffer(b"".join(keys), np.uint8).reshape(-1, KEY_BYTES)
        return cls(packed, np.array(cut, bool), vectors)

    @classmethod
    def read(cls, arrays: Any, width: int | None = None) -> Rows:
        """Rows of an open file; ValueError if it is damaged or of another width."""
        rows = cls(arrays["keys"], arrays["notes"].astype(bool), arrays["vectors"])
        n = len(rows.keys)
        whole = (
            rows.keys.dtype == np.uint8
            and rows.keys.shape == (n, KEY_BYTES)
            and rows.cut.shape == (n,)
            and rows.vectors.dtype in (np.float16, np.float32)
            and rows.vectors.shape == (n, width or rows.vectors.shape[-1])
            and np.isfinite(rows.vectors).all()
        )
        if not whole:
            raise ValueError("these are no rows of a cache")
        return rows

    def by_key(self) -> Found:
        """The embedding of each key, and whether the row was truncated."""
        rows = zip(self.keys, self.vectors.astype(np.float32), self.cut.tolist(), strict=True)
        return {key.tobytes(): (vector, cut) for key, vector, cut in rows}

    def joined(self, others: Rows) -> Rows:
        """The union of two sets of rows."""
        keys = np.concatenate([self.keys, others.keys])
        cut = np.concatenate([self.cut, others.cut])
        vectors = np.concatenate([self.vectors, others.vectors])
        first = np.sort(np.unique(keys, axis=0, return_index=True)[1])
        return Rows(keys[first], cut[first], vectors[first])

    def save(self, path: Path) -> None:
        """Write to `path` atomically."""
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"{uuid.uuid4().hex}.tmp")
        try:
            with unfinished.open("wb") as file:
                np.savez(file, keys=self.keys, notes=self.cut, vectors=self.vectors)
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

    def find(self, identity: str, keys: Iterable[bytes], width: int | None = None) -> Found:
        """Those of `keys` that are cached."""
        left = set(keys)
        found: Found = {}

        def wanted(arrays: Any) -> Found:
            if left.isdisjoint(_keys(arrays)):
                return {}  # before vectors are read
            rows = Rows.read(arrays, width).by_key()
            return {key: rows[key] for key in left & rows.keys()}

        for path in self._files(identity):
            if rows := self._read(path, wanted):
                found |= rows
                left -= rows.keys()
                with contextlib.suppress(OSError):
                    os.utime(path)  # the cap's measure of use
        return found

    def missing(self, identity: str, keys: Iterable[bytes]) -> set[bytes]:
        """The `keys` that are not cached; reads no embeddings."""
        left = set(keys)
        for path in self._files(identity):
            left -= (left and self._read(path, _keys)) or set()
        return left

    def keep(self, identity: str, rows: Rows) -> None:
        """Add rows; warn if the disk cannot be written to."""
        folder, merged, width = self.folder / identity, [], rows.vectors.shape[1]
        small = [path for path, state in _stats(folder) if state.st_size < _SMALL_FILE]
        for path in small if len(small) >= _MANY_SMALL_FILES else ():
            old = self._read(path, lambda arrays: Rows.read(arrays, width))
            if old is not None:
                merged.append(path)
                rows = rows.joined(old)
        new = folder / f"{hashlib.blake2b(rows.keys.tobytes(), digest_size=16).hexdigest()}.npz"
        try:
            rows.save(new)
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

    def _read(self, path: Path, read: Callable[[Any], T]) -> T | None:
        """Read a file; delete it if it is damaged, keep it if it is only unreadable now."""
        try:
            with np.load(path, allow_pickle=False) as arrays:
                return read(arrays)
        except (OSError, MemoryError):
            pass
        except Exception:  # any error that damaged bytes cause
            if self.folder in path.parents:
                with contextlib.suppress(OSError):
                    path.unlink()
        return None

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


def _keys(arrays: Any) -> set[bytes]:
    return {key.tobytes() for key in arrays["keys"]}


def _stats(folder: Path, pattern: str = "*.npz") -> list[tuple[Path, os.stat_result]]:
    """Files with their states; empty if there is no such folder."""
    known = []
    with contextlib.suppress(OSError):  # unreadable folder
        for path in folder.glob(pattern):
            with contextlib.suppress(FileNotFoundError):
                known.append((path, path.stat()))
    return known
