"""Tiny tasks: a few dozen rows, so that an evaluation takes a fraction of a second."""

import json

import pytest
from made_data import make_dataset

from slp_core.evaluation.protocol import Task


@pytest.fixture
def toy_task():
    return Task("toy", lambda: make_dataset("toy"))


@pytest.fixture
def leopard_folder(tmp_path):
    """Writes LEOPARD task folders of two classes, 2 draws of 4 shots; ``empty`` draws hold []."""

    def write(name, empty=()):
        folder = tmp_path / "leopard" / name
        folder.mkdir(parents=True)
        words = {"bad": ["awful", "broken", "late", "rude"], "good": ["fine", "great", "kind"]}
        numbers = iter(range(10_000))

        def rows(n):
            return [
                {"sentence1": f"row {next(numbers)} {words[label][i % 3]} thing", "label": label}
                for i in range(n)
                for label in words
            ]

        (folder / f"{name}_eval.json").write_text(json.dumps(rows(6)))
        for draw in range(2):
            drawn = [] if draw in empty else rows(4)
            (folder / f"{name}_train_{draw}_4.json").write_text(json.dumps(drawn))
        return folder

    return write
