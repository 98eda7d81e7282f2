"""Shares of two encoders by the support set: how the rule of the weighted encoders was chosen.

Fixed shares of MiniLM and a checkpoint, in chunks, against shares by the difference or the ratio of
class separation; on the validation sets, all their classes, and the bundled texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from research.validation import (
    BASE,
    DRAWS,
    SHOTS,
    Draw,
    Rows,
    chosen_rows,
    draws_of,
    share_correct,
)
from slp_core import list_datasets, load_dataset
from slp_core.encoders import load_encoder
from slp_core.encoders.combine import LEAST, concatenated, separation
from slp_core.meta.episodes import VALIDATION, read_sources

Halves = tuple[NDArray[np.float32], NDArray[np.float32]]
Rule = Callable[[float, float], float]
FIXED = (0.0, 0.25, 0.35, 0.5, 0.75, 1.0)
STARTS, GAINS = (0.25, 0.35), (2.0, 4.0, 8.0)


class TriedSet(NamedTuple):
    """A dataset on which rules are tried."""

    name: str
    halves: Halves
    y: Rows
    draws: list[Draw]


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


def tried(data: Path, checkpoint: str) -> Iterator[list[str]]:
    """A table of rules; ``worst`` is the largest loss against plain MiniLM on any set."""
    sets = list(_sets(data, (BASE, checkpoint)))
    names = [each.name for each in sets]
    n_validation = names.index("all classes") + 1
    yield ["share", *names, "validation", "bundled", "worst"]
    plain: list[float] = []
    for title, rule in rules():
        found = [_accuracy(each, rule) for each in sets]
        plain = plain or found
        means = np.mean(found[:n_validation]), np.mean(found[n_validation:])
        worst = min(np.subtract(found, plain))
        yield [title, *(f"{figure:.1f}" for figure in (*found, *means)), f"{worst:+.1f}"]


def _accuracy(each: TriedSet, rule: Rule) -> float:
    """DeepSLP's, in percent."""
    correct = []
    for support, query in each.draws:
        first, second = (separation(half[support], each.y[support]) or 0.0 for half in each.halves)
        x = concatenated(each.halves, rule(first, second))
        correct.append(share_correct(x, each.y, (support, query)))
    return 100 * float(np.mean(correct))


def _sets(data: Path, names: tuple[str, str]) -> Iterator[TriedSet]:
    encoders = [load_encoder(f"passages-{name}") for name in names]
    found: list[tuple[NDArray[np.float32], ...]] = []
    for source in read_sources(data, VALIDATION):
        rows = chosen_rows(source)
        examples = source.examples.take(rows.ravel())
        found.append(tuple(e.encode(examples).reshape(*rows.shape, -1) for e in encoders))
        yield _of_classes(source.name.removeprefix("validation_"), found[-1])
    yield _of_classes("all classes", tuple(map(np.concatenate, zip(*found, strict=True))))
    for info in list_datasets():
        if info.kind != "numeric":
            dataset = load_dataset(info.name)
            episodes = [dataset.draw(shots, draw) for shots in SHOTS for draw in range(DRAWS)]
            first, second = (e.encode(dataset) for e in encoders)
            draws = [(each.support, each.query) for each in episodes]
            yield TriedSet(info.name, (first, second), dataset.y, draws)


def _of_classes(name: str, halves: tuple[NDArray[np.float32], ...]) -> TriedSet:
    K, n, d = halves[0].shape
    first, second = (half.reshape(K * n, d) for half in halves)
    return TriedSet(name, (first, second), np.repeat(np.arange(K), n), draws_of(K, n))
