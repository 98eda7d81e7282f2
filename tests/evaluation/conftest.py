"""Tiny tasks: a few dozen rows, so that an evaluation takes a fraction of a second."""

import json

import numpy as np
import pytest

from slp_core.data import Examples, FewShotDataset
from slp_core.evaluation import Task


def make_dataset(name, n_classes=3, n_per_class=12, seed=0):
    """Noisy clusters on a circle, in the plane."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(n_classes), n_per_class)
    angle = 2 * np.pi * y / n_classes
    points = np.column_stack([np.cos(angle), np.sin(angle)]) + rng.normal(0, 0.6, (len(y), 2))
    classes = tuple(f"class {k}" for k in range(n_classes))
    return FewShotDataset(
        name=name,
        title=name,
        examples=Examples(kind="numeric", features=points),
        labels=np.array(classes)[y],
        classes=classes,
        default_encoder="raw",
    )


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
