"""Vectors that need not be computed again: bundled with the sample data, or kept on this disk.

A row's key is a digest of everything its vector depends on, so rows are found again whatever
dataset, order or draw they come in, and a changed text is simply not found. Rows are kept in
immutable files, written while a run computes some: two processes never write to the same file, a
rerun after a cancelled one continues it, and a dataset that grew is encoded only where it grew.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
import uuid
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from slp_core.data.examples import Examples
from slp_core.resources import resource

BUNDLED_DIR = resource("sample_data") / "embeddings"
DEFAULT_CAP = 1_000_000_000  # bytes
KEY_BYTES = 16

_SMALL_FILE = 1_000_000  # bytes
_MANY_SMALL_FILES = 32
_ABANDONED_AFTER = 3600.0  # seconds


class Note(IntEnum):
    """What is to be known of a row beside its vector."""

    WHOLE = 0
    CUT = 1  # at the token limit
    WINDOWED = 2  # on both sides, around a mention beyond the token limit


@dataclass(frozen=True)
class Rows:
    """Vectors with their keys and notes: what a cache file holds.

    Parameters
    ----------
    keys
        (n, 16) uint8.
    notes
        (n,) uint8: a `Note` each.
    vectors
        (n, d), float32 in the cache and float16 where bundled; not normalised.
    """

    keys: NDArray[np.uint8]
    notes: NDArray[np.uint8]
    vectors: NDArray[np.floating]

    @classmethod
    def of(cls, keys: Sequence[bytes], notes: Sequence[int], vectors: NDArray[np.floating]) -> Rows:
        """Put rows together from their keys as bytes."""
        packed = np.frombuffer(b"".join(keys), np.uint8).reshape(-1, KEY_BYTES)
        return cls(packed, np.array(notes, np.uint8), vectors)

    def check(self, width: int | None = None) -> None:
        """Raise where the parts do not belong together, or hold what is no vector.

        Parameters
        ----------
        width
            How long vectors have to be; None where that is not known.

        Raises
        ------
        ValueError
        """
        n = len(self.keys)
        whole = (
            self.keys.shape == (n, KEY_BYTES)
            and self.keys.dtype == np.uint8
            and self.notes.shape == (n,)
            and self.notes.dtype == np.uint8
            and (self.notes <= max(Note)).all()
            and self.vectors.ndim == 2
            and len(self.vectors) == n
            and self.vectors.dtype in (np.float16, np.float32)
            and width in (None, self.vectors.shape[1])
            and np.isfinite(self.vectors).all()
        )
        if not whole:
            raise ValueError("these are no rows of a cache")

    def by_key(self) -> dict[bytes, tuple[NDArray[np.float32], int]]:
        """Vector and note of each key."""
        rows = zip(self.keys, self.vectors.astype(np.float32), self.notes, strict=True)
        return {key.tobytes(): (vector, int(note)) for key, vector, note in rows}

    def joined(self, others: Rows) -> Rows:
        """These rows and, of the others, those that are not among them."""
        here = {key.tobytes() for key in self.keys}
        new = np.zeros(len(others.keys), dtype=bool)
        for i, key in enumerate(map(bytes, others.keys)):
            new[i] = key not in here
            here.add(key)
        return Rows(
            np.concatenate([self.keys, others.keys[new]]),
            np.concatenate([self.notes, others.notes[new]]),
            np.concatenate([self.vectors, others.vectors[new]]),
        )

    def save(self, path: Path) -> None:
        """Write to `path` in one step, so that no reader ever sees half a file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"{uuid.uuid4().hex}.tmp")
        try:
            with unfinished.open("wb") as file:
                np.savez(
                    file,
                    allow_pickle=False,
                    keys=self.keys,
                    notes=self.notes,
                    vectors=self.vectors,
                )
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
    """Digest of each row together with `identity`, which says how rows become vectors."""
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
    """Looks rows up among the bundled and the cached ones, and keeps new ones.

    Parameters
    ----------
    folder
        Where cached rows are kept, one folder in it for each `identity`.
    bundled
        A folder of files that are only read.
    cap
        The most bytes of files in `folder`; the least recently used ones go first.
    """

    def __init__(self, folder: Path, bundled: Path | None = None, cap: int = DEFAULT_CAP) -> None:
        self.folder = folder
        self.bundled = bundled
        self.cap = cap

    def find(
        self, identity: str, keys: Iterable[bytes], width: int | None = None
    ) -> dict[bytes, tuple[NDArray[np.float32], int]]:
        """Vector and note of each of `keys` that is there; see `Rows.check` for `width`."""
        found = {}
        for path, wanted, rows in self._matches(identity, keys, with_vectors=True, width=width):
            for key, i in wanted.items():
                found[key] = rows.vectors[i].astype(np.float32), int(rows.notes[i])
            with contextlib.suppress(OSError):
                os.utime(path)  # the cap's measure of use
        return found

    def missing(self, identity: str, keys: Iterable[bytes]) -> set[bytes]:
        """The `keys` that are not there; reads no vectors."""
        left = set(keys)
        for _, wanted, _ in self._matches(identity, left, with_vectors=False):
            left -= wanted.keys()
        return left

    def keep(self, identity: str, rows: Rows) -> None:
        """Add rows. A disk that cannot be written to costs a warning, not the rows."""
        from filelock import FileLock

        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            # Two, of this process or others, that merge the same files would keep them twice.
            with FileLock(self.folder / ".lock"):
                self._keep(self.folder / identity, rows)
        except OSError as error:
            warnings.warn(
                f"Embeddings were not cached in {self.folder}: {error}. Set SLP_CACHE_DIR to a "
                "folder that can be written to.",
                stacklevel=2,
            )

    def _keep(self, folder: Path, rows: Rows) -> None:
        merged = self._small_files(folder)
        done = set()
        for path in merged:
            try:
                with np.load(path, allow_pickle=False) as old:
                    kept = Rows(old["keys"], old["notes"], old["vectors"])
                kept.check(rows.vectors.shape[1])
                rows = rows.joined(kept)
            except _UNREADABLE:
                continue
            except _DAMAGED:
                pass
            done.add(path)
        name = hashlib.blake2b(rows.keys.tobytes(), digest_size=KEY_BYTES).hexdigest()
        path = folder / f"{name}.npz"
        rows.save(path)
        for old_path in done - {path}:
            old_path.unlink(missing_ok=True)
        self._trim()

    def _matches(
        self,
        identity: str,
        keys: Iterable[bytes],
        *,
        with_vectors: bool,
        width: int | None = None,
    ) -> Iterator[tuple[Path, dict[bytes, int], Rows]]:
        """Files that hold some of the keys, and where; each key is looked for until it is found."""
        left, tried = set(keys), set[Path]()
        # Files that are merged while this looks are in a new one: so look for new ones again.
        while files := [path for path in self._files(identity) if path not in tried]:
            for path in files:
                if not left:
                    return
                tried.add(path)
                if found := self._read(path, left, with_vectors, width):
                    left -= found[0].keys()
                    yield path, *found

    def _read(
        self, path: Path, left: set[bytes], with_vectors: bool, width: int | None
    ) -> tuple[dict[bytes, int], Rows] | None:
        """Which of the keys are in a file, and where; None for none, or where it has no rows.

        A damaged file is taken away. One that cannot be read just now is left for another time.
        """
        try:
            with np.load(path, allow_pickle=False) as arrays:
                packed = arrays["keys"]
                stored = {key.tobytes(): i for i, key in enumerate(packed)}
                wanted = {key: stored[key] for key in left & stored.keys()}
                read = wanted and with_vectors
                vectors = arrays["vectors"] if read else np.empty((0, 0), np.float32)
                rows = Rows(packed, arrays["notes"], vectors)
                if read:
                    rows.check(width)
                return (wanted, rows) if wanted else None
        except _UNREADABLE:
            pass  # its rows are computed again
        except _DAMAGED:
            if self.folder in path.parents:
                with contextlib.suppress(OSError):
                    path.unlink()
        return None

    def _files(self, identity: str) -> list[Path]:
        files = sorted(self.bundled.glob("*.npz")) if self.bundled else []
        with contextlib.suppress(OSError):  # may not be looked into: `keep` warns
            files += sorted((self.folder / identity).glob("*.npz"))
        return files

    def _small_files(self, folder: Path) -> list[Path]:
        """The small files of a folder, once there are so many that opening them takes time."""
        small = [
            path for path, state in _stats(folder.glob("*.npz")) if state.st_size < _SMALL_FILE
        ]
        return small if len(small) >= _MANY_SMALL_FILES else []

    def _trim(self) -> None:
        total = 0
        files = _stats(self.folder.glob("*/*.npz"))
        for path, state in sorted(files, key=lambda file: file[1].st_mtime, reverse=True):
            total += state.st_size
            if total > self.cap:
                path.unlink(missing_ok=True)
        for path, state in _stats(self.folder.glob("*/*.tmp")):
            if time.time() - state.st_mtime > _ABANDONED_AFTER:
                path.unlink(missing_ok=True)


# Merged or trimmed, no permission, a failing disk, no memory: it may be whole all the same.
_UNREADABLE = (OSError, MemoryError)
# np.savez stores a CRC-32 of each array, which zipfile checks as the array is read.
_DAMAGED = (
    *(ValueError, KeyError, EOFError, TypeError, NotImplementedError),
    *(zipfile.BadZipFile, zlib.error),
)


def _stats(paths: Iterable[Path]) -> list[tuple[Path, os.stat_result]]:
    known = []
    for path in paths:
        with contextlib.suppress(FileNotFoundError):
            known.append((path, path.stat()))
    return known
