"""What 8-bit arithmetic costs in accuracy: ``python -m benchmarks.precision FOLDER [ROWS]``.

FOLDER holds LEOPARD's tasks. Nearest centroid is fitted on each of their draws, on vectors of
either precision, and evaluated on the same ROWS query examples (default 1,000), drawn at random
once.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from slp_core.data import read_leopard
from slp_core.encoders import load_encoder
from slp_core.methods.baselines import NearestCentroidClassifier

ENCODERS = ("minilm-l4", "minilm-l4-int8")
SHOTS = (4, 8, 16)


def main(folder: str, n_query: int = 1_000) -> None:
    lost = []
    for task in sorted(path for path in Path(folder).iterdir() if path.is_dir()):
        exact, rounded, n = accuracies(task, n_query)
        lost.append(exact - rounded)
        print(f"{task.name}, {n:,} query examples: {exact:.2%} in float32, {rounded:.2%} in 8 bits")
    mean, worst = 100 * np.mean(lost), 100 * max(lost)
    print(f"lost, in points: {mean:+.2f} in the mean, {worst:+.2f} at worst")


def accuracies(task: Path, n_query: int) -> tuple[float, float, int]:
    """Mean accuracy over shots and draws in either precision, and the number of query examples."""
    dataset = read_leopard(task)
    episodes = [
        dataset.draw(shots, draw) for shots in SHOTS for draw in dataset.available_draws(shots)
    ]
    support = np.unique(np.concatenate([episode.support for episode in episodes]))
    rest = np.setdiff1d(episodes[0].query, support)
    query = np.sort(np.random.default_rng(0).permutation(rest)[:n_query])
    rows = np.concatenate([support, query])
    found = []
    for name in ENCODERS:
        vectors = load_encoder(name).encode(dataset.examples.take(rows))
        asked = vectors[len(support) :]
        each = []
        for episode in episodes:
            learnt = vectors[np.searchsorted(support, episode.support)]
            model = NearestCentroidClassifier().fit(learnt, episode.y_support)
            each.append((model.predict(asked) == dataset.y[query]).mean())
        found.append(float(np.mean(each)))
    return found[0], found[1], len(query)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
