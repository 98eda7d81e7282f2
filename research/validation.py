"""Encoders on the validation sets, by DeepSLP, for choices.

The sets have two classes each; together they make one more task with a class per set and label,
which shows what meta-training forgets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from slp_core import DeepSLPClassifier
from slp_core.encoders import load_encoder
from slp_core.meta.episodes import VALIDATION, Source, read_sources

Vectors: TypeAlias = NDArray[np.floating]
Rows: TypeAlias = NDArray[np.intp]
Draw: TypeAlias = tuple[Rows, Rows]
"""Row numbers of a support set and of a query set."""

BASE = "minilm-l4"
SHOTS, DRAWS, QUERY, MAX_TOKENS = (4, 8, 16), 10, 100, 64
WEIGHTS = (0.25, 0.5, 0.75)


def chosen_rows(source: Source) -> Rows:
    """(K, n) rows of a set's classes: the first of each are queries, the others for supports."""
    rng = np.random.default_rng(0)
    n = QUERY + DRAWS * max(SHOTS)
    return np.stack([rng.permutation(rows)[:n] for rows in source.rows.values()])


def draws_of(n_classes: int, n: int) -> list[Draw]:
    """Of K classes with n chosen rows each, one class after the other."""
    places = np.arange(n_classes * n).reshape(n_classes, n)
    return [
        (places[:, first : first + shots].ravel(), places[:, :QUERY].ravel())
        for shots in SHOTS
        for first in range(QUERY, QUERY + DRAWS * shots, shots)
    ]


def accuracy(classes: Vectors) -> float:
    """DeepSLP's on (K, n, d) vectors, in percent: mean over numbers of shots and draws."""
    K, n, d = classes.shape
    x, y = classes.reshape(K * n, d), np.repeat(np.arange(K), n)
    return accuracy_on(x, y, draws_of(K, n))


def accuracy_on(x: Vectors, y: Rows, draws: Sequence[Draw]) -> float:
    """DeepSLP's on these draws, in percent."""
    return 100 * float(np.mean([share_correct(x, y, draw) for draw in draws]))


def share_correct(x: Vectors, y: Rows, draw: Draw) -> float:
    """DeepSLP's accuracy on one draw."""
    support, query = draw
    model = DeepSLPClassifier().fit(x[support], y[support])
    return float((model.predict(x[query]) == y[query]).mean())


def encoded(name: str, sources: Iterable[Source]) -> list[Vectors]:
    """(K, n, d) vectors of each set's chosen rows."""
    encoder = load_encoder(name, max_tokens=MAX_TOKENS)
    parts = []
    for source in sources:
        rows = chosen_rows(source)
        x = encoder.encode(source.examples.take(rows.ravel()))
        parts.append(x.reshape(*rows.shape, -1))
    return parts


def concatenated(first: list[Vectors], second: list[Vectors], w: float) -> list[Vectors]:
    """Vectors of both encoders; `w` is the share of the second in a squared length."""
    return [
        np.concatenate([np.sqrt(1 - w) * a, np.sqrt(w) * b], axis=-1)
        for a, b in zip(first, second, strict=True)
    ]


def on_all_sets(sets: list[Vectors]) -> list[float]:
    """Accuracies on every set, on all classes of all sets, and the mean of both."""
    found = [accuracy(x) for x in sets]
    together = accuracy(np.concatenate(sets))
    return [*found, together, (float(np.mean(found)) + together) / 2]


def header(sources: Iterable[Source]) -> list[str]:
    """What `on_all_sets` gives figures of."""
    titles = [source.name.removeprefix("validation_") for source in sources]
    return [*titles, "all classes", "mean of sets and all"]


def compared(data: Path, names: Iterable[str]) -> Iterator[list[str]]:
    """A table of encoders, each alone and concatenated with the base by several weights."""
    sources = read_sources(data, VALIDATION)
    yield ["encoder", *header(sources)]
    base = encoded(BASE, sources)
    yield row(BASE, on_all_sets(base))
    for name in names:
        meta = encoded(name, sources)
        yield row(name, on_all_sets(meta))
        for w in WEIGHTS:
            yield row(f"{name} with {BASE}, w = {w}", on_all_sets(concatenated(base, meta, w)))


def row(title: str, percents: Iterable[float]) -> list[str]:
    """Cells of a table."""
    return [title, *(f"{percent:.1f}" for percent in percents)]
