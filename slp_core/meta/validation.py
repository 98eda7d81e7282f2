"""How well an encoder places classes it was not trained on: fixed few-shot episodes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from slp_core.data.dataset import FewShotDataset
from slp_core.encoders.trainable import LowerStates, TrainableLayers
from slp_core.errors import DatasetError
from slp_core.meta.episodes import (
    VALIDATION,
    VALIDATION_DRAWS,
    VALIDATION_QUERY,
    VALIDATION_SHOTS,
    Source,
    read_sources,
)

Answer: TypeAlias = Callable[[LowerStates, NDArray[np.intp], LowerStates], NDArray[np.intp]]

_SUPPORT = VALIDATION_DRAWS * VALIDATION_SHOTS  # rows of a class, for all draws


def read_validation(folder: Path) -> tuple[Source, ...]:
    """Read a folder's ``validation_*.jsonl``, each of which a `ValidationSet` can be made of.

    A file needs 2 to 100 classes and, where it has K, ⌊100 / K⌋ + 32 rows of each: the first are
    asked about, and the others make four support sets of eight.
    """
    sources = read_sources(folder, VALIDATION)
    for source in sources:
        _check(source)
    return sources


def _check(source: Source) -> None:
    n = len(source.rows)
    if not 2 <= n <= VALIDATION_QUERY:
        raise DatasetError(
            f"{source.path} must have 2 to {VALIDATION_QUERY} classes to be validated on, not {n}: "
            "mend the file, or take it out of its folder."
        )
    needed = _n_query(n) + _SUPPORT
    for label, rows in source.rows.items():
        if len(rows) < needed:
            raise DatasetError(
                f"{source.path}: class {label!r} must have at least {needed} rows to be validated "
                f"on, as one of {n}, not {len(rows)}: add rows, or take the file out of its folder."
            )


def _n_query(n_classes: int) -> int:
    return VALIDATION_QUERY // n_classes


@dataclass(frozen=True)
class ValidationSet:
    """Fixed episodes of one source; the query rows are the same for all its draws."""

    name: str  # the source's
    states: LowerStates  # of the rows that its episodes need, and no others
    labels: NDArray[np.intp]  # (n,) indices of classes
    supports: NDArray[np.intp]  # (draws, classes, shots) of these rows
    query: NDArray[np.intp]  # (m,) of these rows

    @classmethod
    def of(cls, source: Source, layers: TrainableLayers, max_tokens: int) -> ValidationSet:
        """Draw the episodes, the same ones on every call, and compute their lower states."""
        rng = np.random.default_rng(0)
        classes = list(source.rows.values())
        n_query = _n_query(len(classes))
        query, supports = [], []
        for rows in classes:
            shuffled = rng.permutation(rows)
            query.append(shuffled[:n_query])
            left = shuffled[n_query : n_query + _SUPPORT]
            supports.append(left.reshape(VALIDATION_DRAWS, VALIDATION_SHOTS))
        support = np.stack(supports, axis=1)
        rows = np.concatenate([support.ravel(), *query])
        states = layers.lower_states(source.examples.take(rows), max_tokens)
        class_of = np.searchsorted(list(source.rows), source.labels[rows])
        places = np.arange(len(rows))
        return cls(
            source.name,
            states,
            class_of,
            places[: support.size].reshape(support.shape),
            places[support.size :],
        )

    def accuracy_of(self, answer: Answer) -> float:
        """Of a classifier made for each draw, in the mean; in [0, 1]."""
        draws = []
        for support in self.supports:
            rows = support.ravel()
            found = answer(self.states.take(rows), self.labels[rows], self.states.take(self.query))
            draws.append((found == self.labels[self.query]).mean())
        return float(np.mean(draws))

    def accuracy(self, layers: TrainableLayers) -> float:
        """Of the nearest centroid among L2-normalised vectors, mean over the draws; in [0, 1]."""
        x = layers.all_vectors(self.states).cpu().numpy()
        x /= np.linalg.norm(x, axis=1, keepdims=True)
        draws = [
            nearest_centroid_accuracy(x[support], x[self.query], self.labels[self.query])
            for support in self.supports
        ]
        return float(np.mean(draws))


def nearest_centroid_accuracy(
    support: NDArray[np.floating], query: NDArray[np.floating], y: NDArray[np.intp]
) -> float:
    """Accuracy on (m, d) query vectors, given (K, shots, d) support vectors."""
    centroids = support.mean(axis=1)
    distances = ((query[:, None] - centroids) ** 2).sum(axis=2)
    return float((distances.argmin(axis=1) == y).mean())


def dataset_accuracy(
    dataset: FewShotDataset, vectors: NDArray[np.floating], shots: int, draws: int
) -> float:
    """The same of a dataset's own draws 0, 1, ..., given the vectors of all its rows."""
    accuracies = []
    for draw in range(draws):
        episode = dataset.draw(shots, draw)
        support = vectors[episode.support].reshape(len(dataset.classes), shots, -1)
        accuracies.append(
            nearest_centroid_accuracy(support, vectors[episode.query], episode.y_query)
        )
    return float(np.mean(accuracies))
