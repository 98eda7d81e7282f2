"""Shares of two encoders by the support set: ``python -m tools.validate_weighted DATA CHECKPOINT``.

MiniLM's vectors and a bundled checkpoint's side by side, long texts by passage, with shares that
are fixed, that go by the difference of the two separations of a support set, or by their ratio.
DeepSLP on 4, 8 and 16 shots, ten draws: on the validation sets of DATA, all classes of them, and
the bundled texts. The worst is how far below plain MiniLM it comes on any of these.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from slp_core import DeepSLPClassifier, list_datasets, load_dataset
from slp_core.encoders import load_encoder
from slp_core.encoders.weighted import LEAST, separation, side_by_side
from slp_core.meta.episodes import VALIDATION, read_sources
from tools.validate_side_by_side import BASE, DRAWS, QUERY, SHOTS, chosen_rows

Halves = tuple[NDArray[np.float32], NDArray[np.float32]]
Rows = NDArray[np.intp]
Rule = Callable[[float, float], float]
FIXED = (0.0, 0.25, 0.35, 0.5, 0.75, 1.0)
STARTS, GAINS = (0.25, 0.35), (2.0, 4.0, 8.0)


def rules() -> Iterator[tuple[str, Rule]]:
    """The second encoder's share by the separations under the first and under the second."""
    for share in FIXED:
        yield f"{share:g}", partial(_fixed, share)
    for start in STARTS:
        for gain in GAINS:
            yield f"{start:g} + {gain:g} × difference", partial(_linear, start, gain)
    yield "ratio", lambda first, second: (second + 1e-9) / (first + second + 2e-9)


def _fixed(share: float, _first: float, _second: float) -> float:
    return share


def _linear(start: float, gain: float, first: float, second: float) -> float:
    return float(np.clip(start + gain * (second - first), LEAST, 1.0))


def accuracy(halves: Halves, y: Rows, draws: list[tuple[Rows, Rows]], rule: Rule) -> float:
    """DeepSLP's, in percent: the mean over draws of a support set and a query set."""
    right = []
    for support, query in draws:
        first, second = (separation(half[support], y[support]) or 0.0 for half in halves)
        x = side_by_side(halves, rule(first, second))
        model = DeepSLPClassifier().fit(x[support], y[support])
        right.append((model.predict(x[query]) == y[query]).mean())
    return 100 * float(np.mean(right))


def tasks(data: Path, names: tuple[str, str]) -> Iterator[tuple[str, Halves, Rows, list]]:
    """Name, vectors under both, classes and draws of each set."""
    encoders = [load_encoder(f"passages-{name}") for name in names]
    found: list[tuple[NDArray[np.float32], ...]] = []
    for source in read_sources(data, VALIDATION):
        rows = chosen_rows(source)
        examples = source.examples.take(rows.ravel())
        found.append(tuple(e.encode(examples).reshape(*rows.shape, -1) for e in encoders))
        yield source.name.removeprefix("validation_"), *_of_classes(found[-1])
    yield "all classes", *_of_classes(tuple(map(np.concatenate, zip(*found, strict=True))))
    for info in list_datasets():
        if info.kind != "numeric":
            dataset = load_dataset(info.name)
            draws = [
                (episode.support, episode.query)
                for shots in SHOTS
                for episode in (dataset.draw(shots, draw) for draw in range(DRAWS))
            ]
            first, second = (e.encode(dataset) for e in encoders)
            yield info.name, (first, second), dataset.y, draws


def _of_classes(halves: tuple[NDArray[np.float32], ...]) -> tuple[Halves, Rows, list]:
    K, n, d = halves[0].shape
    places = np.arange(K * n).reshape(K, n)
    draws = [
        (places[:, first : first + shots].ravel(), places[:, :QUERY].ravel())
        for shots in SHOTS
        for first in range(QUERY, QUERY + DRAWS * shots, shots)
    ]
    first, second = (half.reshape(K * n, d) for half in halves)
    return (first, second), np.repeat(np.arange(K), n), draws


def main() -> None:
    """Print a row for each rule: every set, and the means of validation sets and bundled ones."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="what encoders are meta-trained from")
    parser.add_argument("checkpoint", help="a bundled checkpoint's name, or meta:FOLDER")
    options = parser.parse_args()
    asked = list(tasks(options.data, (BASE, options.checkpoint)))
    names = [name for name, *_ in asked]
    n_validation = names.index("all classes") + 1
    print("|", " | ".join(["share", *names, "validation", "bundled", "worst"]), "|")
    print("|" + "---|" * (len(names) + 4))
    plain: list[float] = []
    for title, rule in rules():
        found = [accuracy(halves, y, draws, rule) for _, halves, y, draws in asked]
        plain = plain or found
        means = np.mean(found[:n_validation]), np.mean(found[n_validation:])
        worst = min(np.subtract(found, plain))
        cells = [*(f"{figure:.1f}" for figure in (*found, *means)), f"{worst:+.1f}"]
        print("|", " | ".join([title, *cells]), "|", flush=True)


if __name__ == "__main__":
    main()
