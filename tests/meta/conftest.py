import gzip
import json

import pytest

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


@pytest.fixture
def data(tmp_path):
    """A folder of three classes of texts, two of pairs, and a validation set."""
    folder = tmp_path / "data"
    folder.mkdir()
    write(folder / "weather_train.jsonl.gz", lines(WORDS))
    write(folder / "pairs_train.jsonl", lines(["rain", "sun"], pairs=True))
    many = [row for _ in range(5) for row in lines(["rain", "snow"])]
    write(folder / "validation_days.jsonl", many)
    write(folder / "left_out.jsonl", lines(["sun", "snow"]))
    return folder


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
