"""Data, settings and checkpoints that tests of meta-training and of research share."""

import dataclasses
import functools
import gzip
import json

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from slp_core.data import load_dataset
from slp_core.encoders import minilm
from slp_core.encoders.checkpoint import sha256
from slp_core.meta import card
from slp_core.meta.settings import preset_settings

PLACES = ("the harbour", "a narrow street", "our kitchen", "the old mill", "platform nine")
WORDS = {
    "rain": ("wet", "grey", "flooded", "dripping"),
    "sun": ("bright", "warm", "dry", "golden"),
    "snow": ("white", "frozen", "icy", "silent"),
}


def lines(labels, pairs=False):
    for label in labels:
        for word in WORDS[label]:
            for place in PLACES:
                row = {"sentence1": f"It was {word} at {place}.", "label": label}
                yield row | ({"sentence2": f"We saw {place}."} if pairs else {})


def write(path, rows):
    content = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)


def few_rows(name):
    """A bundled dataset with as many rows of each class as two support sets of a card's figure."""
    dataset = load_dataset(name)
    rows = np.concatenate(
        [np.flatnonzero(dataset.y == c)[:16] for c in range(len(dataset.classes))]
    )
    return dataclasses.replace(
        dataset, examples=dataset.examples.take(rows), labels=dataset.labels[rows]
    )


@pytest.fixture(autouse=True)
def few_sample_texts(monkeypatch):
    """A checkpoint is checked on few rows: encoding all of them takes longer than its training.

    That the bundled ones are checked on all is held beside the encoders. What the base encoder
    makes of them is the same for every checkpoint, and computed once.
    """
    monkeypatch.setattr(card, "load_dataset", few_rows)
    checked = card.sample_accuracy

    def accuracy(name):
        return checked(name) if "meta:" in name else of_bundled(name, minilm.WEIGHTS_SHA256)

    monkeypatch.setattr(card, "sample_accuracy", accuracy)


@functools.cache
def of_bundled(name, weights, of=card.sample_accuracy):
    return of(name)


@pytest.fixture
def data(tmp_path, narrow_minilm):
    """Three classes of texts, two of pairs, and a validation set, to train a narrow MiniLM on."""
    return write_data(tmp_path / "data")


def write_data(folder):
    folder.mkdir()
    write(folder / "weather_train.jsonl.gz", lines(WORDS))
    write(folder / "pairs_train.jsonl", lines(["rain", "sun"], pairs=True))
    many = [row for _ in range(5) for row in lines(["rain", "snow"])]
    write(folder / "validation_days.jsonl", many)
    write(folder / "left_out.jsonl", lines(["sun", "snow"]))
    return folder


@pytest.fixture
def more_data(data):
    """The same with a second source of texts."""
    write(data / "moods_train.jsonl", lines(["rain", "sun"]))
    return data


@pytest.fixture
def small():
    """Settings of a run that takes seconds, for a method."""

    def make(method="metaslp-reptile", **changes):
        quick = {
            "shots": 4,
            "batch_size": 4,
            "inner_steps": 2,
            "tasks_per_step": 2,
            "n_trainable": 1,
            "max_tokens": 16,
            "validate_every": 2,
            "steps": 4,
            "patience": 100,
        }
        return preset_settings(method, **(quick | changes))

    return make


@pytest.fixture
def change_weights():
    """Gives a checkpoint other weights, and a card that fits them."""

    def change(folder):
        weights, path = folder / "model.safetensors", folder / "card.json"
        save_file({"encoder.layer.3.output.dense.bias": torch.full((48,), 0.5)}, weights)
        card = json.loads(path.read_text()) | {"weights_sha256": sha256(weights)}
        path.write_text(json.dumps(card))

    return change
