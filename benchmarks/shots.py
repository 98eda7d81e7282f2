"""Which shots: choices of them judged on held-out halves, and flipped labels found again.

``python -m benchmarks.shots [DRAWS] [LEOPARD_FOLDER ...]`` prints two tables, for the bundled text
sets and the tasks in these folders. It fits some thousand classifiers a line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

import slp_core as slp
from slp_core.data import FewShotDataset
from slp_core.evaluation.shot_search import search_shots

METHODS: dict[str, Callable[[], Any]] = {
    "DeepSLP": slp.DeepSLPClassifier,
    "constraintSLP": slp.ConstraintSLPClassifier,
    "nearest centroid": slp.NearestCentroidClassifier,
}
SHOTS = (16, 8)
MOST_CHOSEN_FROM = 1_000  # rows, for medoids and coverage
FLIPPED, JUDGED = 0.05, 20  # share of the labels, and rows at the head of the list


def choices(dataset: FewShotDataset, X: np.ndarray, shots: int, draws: int) -> Iterator[str]:
    """Accuracy in percent on the half of the query set that nothing was chosen on."""
    for name, make in METHODS.items():
        found = [on_draw(dataset, X, shots, draw, make) for draw in range(draws)]
        mean, sd = 100 * np.mean(found, axis=0), 100 * np.std(found, axis=0)
        cells = " | ".join(f"{m:.1f} ± {s:.1f}" for m, s in zip(mean, sd, strict=True))
        yield f"| {dataset.title} | {shots} | {name} | {cells} |"


def on_draw(
    dataset: FewShotDataset, X: np.ndarray, shots: int, draw: int, make: Callable[[], Any]
) -> list[float]:
    """Accuracy with random shots, medoids, coverage, shots swapped, and swapped at random."""
    y = dataset.y
    search = search_shots(make(), X, dataset.draw(shots, draw))
    found, judged = [search.held_out[0]], search.judged
    others = np.setdiff1d(np.arange(len(y)), judged)
    others = np.random.default_rng(draw).permutation(others)[:MOST_CHOSEN_FROM]
    for method in ("medoids", "coverage"):
        chosen = others[slp.select_shots(X[others], y[others], shots, method)]
        model = make().fit(X[chosen], y[chosen])
        found.append(float((model.predict(X[judged]) == y[judged]).mean()))
    return [*found, search.held_out[-1], search.at_random.mean()]


def precision(dataset: FewShotDataset, X: np.ndarray, seeds: Sequence[int]) -> str:
    """Of the first 20 doubtful labels, how many are among those flipped on purpose."""
    shares = []
    for seed in seeds:
        rng, y = np.random.default_rng(seed), dataset.y.copy()
        flipped = rng.choice(len(y), max(JUDGED, round(FLIPPED * len(y))), replace=False)
        y[flipped] = (y[flipped] + rng.integers(1, len(dataset.classes), len(flipped))) % len(
            dataset.classes
        )
        first = slp.doubtful_labels(X, y, seed=seed)["row"][:JUDGED]
        shares.append(float(np.isin(first, flipped).mean()))
    return f"| {dataset.title} | {np.mean(shares):.2f} ± {np.std(shares):.2f} |"


def main(draws: int, folders: Sequence[str]) -> None:
    bundled = [slp.load_dataset(i.name) for i in slp.list_datasets() if i.kind != "numeric"]
    encoder = slp.load_encoder("minilm-l4")
    vectors = [(each, encoder.encode(each)) for each in bundled]
    print("| dataset | precision at 20 |\n|---|---|")
    for dataset, X in vectors:
        print(precision(dataset, X, range(draws)), flush=True)
    vectors += [(each, encoder.encode(each)) for each in map(slp.read_leopard, folders)]
    print(
        "\n| dataset | shots | method | random | medoids | coverage | swapped | swapped at random |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for dataset, X in vectors:
        for shots in SHOTS:
            for line in choices(dataset, X, shots, draws):
                print(line, flush=True)


if __name__ == "__main__":
    main(int((sys.argv[1:] or ["10"])[0]), sys.argv[2:])
