"""Which shots: choices of them judged on held-out halves, and flipped labels found again.

``python -m benchmarks.shots [DRAWS] [LEOPARD_FOLDER ...]`` prints two tables, for the bundled text
sets and the tasks in these folders. It fits some thousand classifiers a line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

import numpy as np

import slp_core as slp
from slp_core.data import Episode, FewShotDataset
from slp_core.evaluation.shot_search import REPEATS, judge, split_query
from slp_core.explain.shots import read_shots

METHODS: dict[str, Callable[[], Any]] = {
    "DeepSLP": slp.DeepSLPClassifier,
    "constraintSLP": slp.ConstraintSLPClassifier,
    "nearest centroid": slp.NearestCentroidClassifier,
}
SHOTS = (16, 8)
CHOICES: tuple[Literal["medoids", "coverage"], ...] = ("medoids", "coverage")
MOST_SWAPS = 4
MOST_CHOSEN_FROM = 1_000  # rows, for medoids and coverage
FLIPPED, JUDGED = 0.05, 20  # share of the labels, and rows at the head of the list


def choices(dataset: FewShotDataset, X: np.ndarray, shots: int, draws: int) -> Iterator[str]:
    """Accuracy in percent on the half of the query set that nothing was chosen on."""
    numbers = dataset.available_draws(shots)[:draws]
    found = 100 * np.array([on_draw(dataset, X, shots, draw) for draw in numbers])
    for name, mean, sd in zip(METHODS, found.mean(axis=0), found.std(axis=0), strict=True):
        cells = " | ".join(f"{m:.1f} ± {s:.1f}" for m, s in zip(mean, sd, strict=True))
        yield f"| {dataset.title} | {shots} | {name} | {cells} |"


def on_draw(dataset: FewShotDataset, X: np.ndarray, shots: int, draw: int) -> list[list[float]]:
    """Of each method, accuracy with random shots, medoids, coverage, swaps, swaps at random."""
    y, episode = dataset.y, dataset.draw(shots, draw)
    searches = [swaps(make(), X, episode) for make in METHODS.values()]
    judged = searches[0][0]  # the same for all
    others = np.setdiff1d(np.arange(len(y)), judged)
    others = np.random.default_rng(draw).permutation(others)[:MOST_CHOSEN_FROM]
    chosen = [others[slp.select_shots(X[others], y[others], shots, each)] for each in CHOICES]
    found = []
    for make, search in zip(METHODS.values(), searches, strict=True):
        models = [make().fit(X[rows], y[rows]) for rows in chosen]
        by_labels = [float((each.predict(X[judged]) == y[judged]).mean()) for each in models]
        _, drawn, chosen_swaps, at_random = search
        found.append([drawn, *by_labels, chosen_swaps, at_random])
    return found


def swaps(model: Any, X: np.ndarray, episode: Episode) -> tuple[np.ndarray, float, float, float]:
    """Rows held out, and accuracy on them as drawn, after up to four swaps, and after random ones.

    The most misleading shot goes, and the candidate of its class that helps most comes.
    """
    y, rng = episode.labels, np.random.default_rng(episode.draw)
    first_pool, chosen_on, held_out = split_query(y, episode.query, rng)
    first = episode.support
    shots, pool, done = first, first_pool, 0
    while done < MOST_SWAPS and len(chosen_on):
        found = read_shots(model, X[shots], y[shots], X[chosen_on], y[chosen_on])
        if not len(found.order):
            break
        out = shots[found.order[0]]
        options = [out, *pool[y[pool] == y[out]].tolist()]
        swapped = [np.where(shots == out, row, shots) for row in options]
        best = max(range(len(options)), key=lambda i: judge(model, X, y, swapped[i], chosen_on))
        if best == 0:
            break
        shots, pool, done = swapped[best], pool[pool != options[best]], done + 1
    at_random = []
    for _ in range(REPEATS):
        some, pool = first, first_pool
        for _ in range(done):
            able = [row for row in some if (y[pool] == y[row]).any()]
            out = int(rng.choice(able))
            into = int(rng.choice(pool[y[pool] == y[out]]))
            some, pool = np.where(some == out, into, some), pool[pool != into]
        at_random.append(judge(model, X, y, some, held_out)[0])
    drawn, chosen = (judge(model, X, y, each, held_out)[0] for each in (first, shots))
    return held_out, drawn, chosen, float(np.mean(at_random))


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
