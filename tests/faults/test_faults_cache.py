"""A broken cache of embeddings costs time, never a result or a stored row."""

import errno
import os
import shutil

import numpy as np
import pytest

from slp_core.data import Examples
from slp_core.encoders.cache import VectorCache, row_keys

KEYS = row_keys("model", Examples("text", texts=("a", "b", "c")))


def rows(keys=KEYS, value=1.0):
    return {key: (np.full(4, value, np.float32), False) for key in keys}


@pytest.fixture
def cache(tmp_path):
    """A cache that holds the first row."""
    cache = VectorCache(tmp_path / "cache")
    cache.keep("model", rows(KEYS[:1]))
    return cache


def full(*args, **options):
    raise OSError(errno.ENOSPC, "No space left on device")


def half_written(file, **options):
    file.write(b"PK\x03\x04 the first bytes")
    full()


@pytest.mark.parametrize("write", [full, half_written])
def test_a_full_disk_costs_a_warning_and_leaves_what_was_kept(cache, monkeypatch, write):
    monkeypatch.setattr(np, "savez", write)
    with pytest.warns(UserWarning, match="No space left on device.*SLP_CACHE_DIR"):
        cache.keep("model", rows(KEYS[1:]))
    assert set(cache.find("model", KEYS)) == set(KEYS[:1])
    assert not list(cache.folder.glob("*/*.tmp"))
    monkeypatch.undo()
    cache.keep("model", rows(KEYS[1:]))  # there is room again
    assert cache.find("model", KEYS).keys() == set(KEYS)


def test_a_folder_that_is_read_only_is_still_read(cache, monkeypatch):
    def refused(*args, **options):
        raise PermissionError(errno.EROFS, "Read-only file system")

    for name in ("utime", "replace", "unlink", "mkdir"):
        monkeypatch.setattr(os, name, refused)
    with pytest.warns(UserWarning, match="Read-only file system"):
        cache.keep("model", rows(KEYS[1:]))
    assert set(cache.find("model", KEYS)) == set(KEYS[:1])


def test_a_folder_that_is_deleted_midway_is_made_again(cache):
    shutil.rmtree(cache.folder)
    assert not cache.find("model", KEYS)
    cache.keep("model", rows())
    assert cache.find("model", KEYS).keys() == set(KEYS)


def test_a_file_that_goes_while_it_is_looked_for_is_computed_again(cache, monkeypatch):
    found = cache._files

    def gone(identity):
        files = found(identity)
        shutil.rmtree(cache.folder, ignore_errors=True)  # the cache looks once more
        return files

    monkeypatch.setattr(cache, "_files", gone)
    assert cache.find("model", KEYS) == {}


@pytest.mark.parametrize(
    "error", [PermissionError(errno.EACCES, "denied"), OSError(errno.EIO, "broken"), MemoryError()]
)
def test_a_file_that_cannot_be_read_just_now_is_left_alone(cache, monkeypatch, error):
    monkeypatch.setattr("slp_core.encoders.cache._MANY_SMALL_FILES", 1)
    (good,) = cache.folder.glob("*/*.npz")
    whole, load = good.read_bytes(), np.load

    def failing(path, **options):
        if path == good:
            raise error
        return load(path, **options)

    monkeypatch.setattr(np, "load", failing)
    assert not cache.find("model", KEYS[:1])
    cache.keep("model", rows(KEYS[1:]))  # merges what it can read
    assert good.read_bytes() == whole
    monkeypatch.undo()
    assert cache.find("model", KEYS).keys() == set(KEYS)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 the first bytes"])
def test_a_damaged_file_is_taken_away(cache, content):
    (path,) = cache.folder.glob("*/*.npz")
    path.write_bytes(content)
    assert not cache.find("model", KEYS[:1])
    assert not path.exists()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_garbage_in_the_folder_is_passed_over_and_taken_away(cache):
    rng = np.random.default_rng(0)
    folder = cache.folder / "model"
    (good,) = folder.glob("*.npz")
    whole = good.read_bytes()
    for number in range(40):
        torn = bytearray(whole)
        for place in rng.integers(len(whole), size=3):
            torn[place] = rng.integers(256)
        contents = [rng.bytes(500), bytes(torn), whole[: rng.integers(len(whole))], b""]
        (folder / f"{number}.npz").write_bytes(contents[number % 4])
    (folder / "notes.txt").write_text("somebody's")
    assert (cache.find("model", KEYS)[KEYS[0]][0] == 1).all()
    cache.keep("model", rows(KEYS[1:]))
    assert cache.find("model", KEYS).keys() == set(KEYS)
    assert (folder / "notes.txt").exists()
