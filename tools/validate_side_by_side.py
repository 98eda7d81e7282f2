"""Compare encoders on the validation sets: ``python -m tools.validate_side_by_side DATA [NAME…]``.

DATA is the folder that encoders are meta-trained from, NAME an encoder (default: the bundled
checkpoints; ``meta:FOLDER`` for another). DATA's ``validation_*.jsonl`` have two classes
each; all of them together make a fourth task, of a class for each set and label, since a choice by
two classes of one kind alone would not see what meta-training forgets. The side-by-side encoders
are also tried with unequal weights: vectors times √(1 - w) and √w instead of 1/√2 both.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from slp_core import DeepSLPClassifier
from slp_core.encoders import load_encoder
from slp_core.encoders.meta_checkpoint import find_checkpoints
from slp_core.meta.episodes import VALIDATION, Source, read_sources

BASE = "minilm-l4"
SHOTS, DRAWS, QUERY, MAX_TOKENS = (4, 8, 16), 10, 100, 64
WEIGHTS = (0.25, 0.5, 0.75)


def chosen_rows(source: Source) -> NDArray[np.intp]:
    """(K, n) rows of a set's classes: the first of each are queries, the others for supports."""
    rng = np.random.default_rng(0)
    n = QUERY + DRAWS * max(SHOTS)
    return np.stack([rng.permutation(rows)[:n] for rows in source.rows.values()])


def accuracy(classes: NDArray[np.floating]) -> float:
    """DeepSLP's on (K, n, d) vectors, in percent: mean over numbers of shots and draws."""
    K, _, d = classes.shape
    query, supports = np.split(classes, [QUERY], axis=1)
    right = []
    for shots in SHOTS:
        for draw in range(DRAWS):
            support = supports[:, draw * shots : (draw + 1) * shots]
            model = DeepSLPClassifier().fit(support.reshape(-1, d), np.repeat(np.arange(K), shots))
            answers = model.predict(query.reshape(-1, d))
            right.append((answers == np.repeat(np.arange(K), QUERY)).mean())
    return 100 * float(np.mean(right))


def encoded(name: str, sources: tuple[Source, ...]) -> list[NDArray[np.floating]]:
    """(K, n, d) vectors of each set's chosen rows."""
    encoder = load_encoder(name, max_tokens=MAX_TOKENS)
    parts = []
    for source in sources:
        rows = chosen_rows(source)
        x = encoder.encode(source.examples.take(rows.ravel()))
        parts.append(x.reshape(*rows.shape, -1))
    return parts


def beside(
    first: list[NDArray[np.floating]], second: list[NDArray[np.floating]], w: float
) -> list[NDArray[np.floating]]:
    """Both sets of vectors side by side; `w` is the share of the second in a squared length."""
    return [
        np.concatenate([np.sqrt(1 - w) * a, np.sqrt(w) * b], axis=-1)
        for a, b in zip(first, second, strict=True)
    ]


def judged(sets: list[NDArray[np.floating]]) -> list[float]:
    """Accuracies on every set, on all classes of all sets, and the mean of both."""
    found = [accuracy(x) for x in sets]
    together = accuracy(np.concatenate(sets))
    return [*found, together, (float(np.mean(found)) + together) / 2]


def candidates(
    names: Iterable[str], sources: tuple[Source, ...]
) -> Iterator[tuple[str, list[NDArray[np.floating]]]]:
    """Each encoder with the vectors that it gives of each set."""
    base = encoded(BASE, sources)
    yield BASE, base
    for name in names:
        meta = encoded(name, sources)
        yield name, meta
        for w in WEIGHTS:
            yield f"beside {name}, w = {w}", beside(base, meta, w)


def main(folder: Path, *names: str) -> None:
    """Print a row for each encoder: every set, all classes of all sets, and the mean of both."""
    sources = read_sources(folder, VALIDATION)
    titles = [source.name.removeprefix("validation_") for source in sources]
    print("|", " | ".join(["encoder", *titles, "all classes", "mean of sets and all"]), "|")
    print("|" + "---|" * (len(titles) + 3))
    for name, sets in candidates(names or [path.name for path in find_checkpoints()], sources):
        print(
            "|", " | ".join([name, *(f"{figure:.1f}" for figure in judged(sets))]), "|", flush=True
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
