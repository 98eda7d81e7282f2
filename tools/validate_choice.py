"""Choose the encoder by the support set: ``python -m tools.validate_choice DATA CHECKPOINT``.

For each support set, the nearest-centroid rule says of every support point in turn, left out of
its class's mean, which class it is of, by plain vectors, by meta-trained ones and by both side by
side. What is right most often is chosen, both before one, the meta-trained before the plain.
DeepSLP's accuracy with the choice stands beside those of the three, and beside what the best of
the three would come to on each support set, which no choice can exceed. On the validation sets of
DATA, all classes of them, and the bundled texts; 4, 8 and 16 shots, ten draws.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from slp_core import DeepSLPClassifier, list_datasets, load_dataset
from slp_core.encoders import load_encoder
from slp_core.meta.episodes import VALIDATION, read_sources
from tools.validate_side_by_side import BASE, DRAWS, QUERY, SHOTS, beside, encoded

Vectors = NDArray[np.floating]
Rows = NDArray[np.intp]
CHOICES = ("beside", "meta-trained", "plain")


def left_out(x: Vectors, y: Rows) -> float:
    """Share of points that the nearest centroid, made without them, gives their own class."""
    counts = np.bincount(y)
    sums = np.stack([x[y == k].sum(axis=0) for k in range(len(counts))])
    right = []
    for point, k in zip(x, y, strict=True):
        centroids = sums / counts[:, None]
        centroids[k] = (sums[k] - point) / max(counts[k] - 1, 1)
        right.append(((centroids - point) ** 2).sum(axis=1).argmin() == k)
    return float(np.mean(right))


def row(vectors: dict[str, Vectors], y: Rows, draws: Iterator[tuple[Rows, Rows]]) -> list[float]:
    """Mean accuracies in percent: of each encoder, of the choice, and of the best of each draw."""
    found = []
    for support, query in draws:
        of_draw = {}
        for name, x in vectors.items():
            model = DeepSLPClassifier().fit(x[support], y[support])
            of_draw[name] = (model.predict(x[query]) == y[query]).mean()
        told = {name: left_out(vectors[name][support], y[support]) for name in CHOICES}
        chosen = max(CHOICES, key=told.__getitem__)
        found.append([*of_draw.values(), of_draw[chosen], max(of_draw.values())])
    return (100 * np.mean(found, axis=0)).tolist()


def of_classes(plain: Vectors, meta: Vectors) -> list[float]:
    """The row of (K, n, d) vectors of a validation set."""
    K, n = plain.shape[:2]
    (both,) = beside([plain], [meta], 0.5)
    places = np.arange(K * n).reshape(K, n)
    draws = (
        (places[:, first : first + shots].ravel(), places[:, :QUERY].ravel())
        for shots in SHOTS
        for first in range(QUERY, QUERY + DRAWS * shots, shots)
    )
    vectors = {"plain": plain, "meta-trained": meta, "beside": both}
    flat = {name: x.reshape(K * n, -1) for name, x in vectors.items()}
    return row(flat, np.repeat(np.arange(K), n), draws)


def of_dataset(name: str, meta: str) -> list[float]:
    """The row of a bundled dataset."""
    dataset = load_dataset(name)
    vectors = {"plain": load_encoder(BASE).encode(dataset)}
    vectors["meta-trained"] = load_encoder(meta).encode(dataset)
    (vectors["beside"],) = beside([vectors["plain"]], [vectors["meta-trained"]], 0.5)
    episodes = (
        dataset.draw(shots, draw)
        for shots in SHOTS
        if shots in dataset.shots_available
        for draw in range(DRAWS)
    )
    return row(vectors, dataset.y, ((each.support, each.query) for each in episodes))


def main() -> None:
    """Print a row for each set."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="what encoders are meta-trained from")
    parser.add_argument("checkpoint", help="the name of a meta-trained encoder")
    options = parser.parse_args()
    print("| set | plain | meta-trained | side by side | chosen | best of each draw |")
    print("|---|---|---|---|---|---|")

    def show(name: str, figures: list[float]) -> None:
        print("|", " | ".join([name, *(f"{f:.1f}" for f in figures)]), "|", flush=True)

    sources = read_sources(options.data, VALIDATION)
    plain, meta = encoded(BASE, sources), encoded(options.checkpoint, sources)
    for source, *both in zip(sources, plain, meta, strict=True):
        show(source.name, of_classes(*both))
    show("all classes", of_classes(np.concatenate(plain), np.concatenate(meta)))
    for info in list_datasets():
        if info.kind != "numeric":
            show(info.name, of_dataset(info.name, options.checkpoint))


if __name__ == "__main__":
    main()
