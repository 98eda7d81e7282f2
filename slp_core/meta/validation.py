"""Validation of an encoder on fixed few-shot episodes of other classes."""

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
from slp_core.methods.baselines import NearestCentroidClassifier

Predict: TypeAlias = Callable[[LowerStates, NDArray[np.intp], LowerStates], NDArray[np.intp]]

_SUPPORT = VALIDATION_DRAWS * VALIDATION_SHOTS  # rows of a class, for all draws


def read_validation(folder: Path) -> tuple[Source, ...]:
    """A folder's ``validation_*.jsonl``; each needs enough rows of its 2 to 100 classes."""
    sources = read_sources(folder, VALIDATION)
    for source in sources:
        _check(source)
    return sources


def _check(source: Source) -> None:
    n = len(source.rows)
    if not 2 <= n <= VALIDATION_QUERY:
        raise DatasetError(
            f"{source.path} must have 2 to {VALIDATION_QUERY} classes to be validated on, not {n}: "
            "correct or remove the file."
        )
    needed = VALIDATION_QUERY // n + _SUPPORT
    for label, rows in source.rows.items():
        if len(rows) < needed:
            raise DatasetError(
                f"{source.path}: class {label!r} must have at least {needed} rows to be validated "
                f"on, as one of {n}, not {len(rows)}: add rows, or remove the file."
            )


@dataclass(frozen=True)
class ValidationSet:
    """Fixed episodes of one source with the same query rows."""

    name: str  # of the source
    states: LowerStates  # of the episodes' rows
    labels: NDArray[np.intp]  # (n,) indices of classes
    supports: NDArray[np.intp]  # (draws, classes, shots) of these rows
    query: NDArray[np.intp]  # (m,) of these rows

    @classmethod
    def of(cls, source: Source, layers: TrainableLayers, max_tokens: int) -> ValidationSet:
        """Draw the episodes (always the same) and compute their lower states."""
        rng = np.random.default_rng(0)
        classes = list(source.rows.values())
        n_query = VALIDATION_QUERY // len(classes)
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

    def accuracy_of(self, predict: Predict) -> float:
        """Mean accuracy of a classifier fitted to each support set; in [0, 1]."""
        draws = []
        for support in self.supports:
            rows = support.ravel()
            found = predict(self.states.take(rows), self.labels[rows], self.states.take(self.query))
            draws.append((found == self.labels[self.query]).mean())
        return float(np.mean(draws))

    def accuracy(self, layers: TrainableLayers) -> float:
        """Mean accuracy of nearest centroid on unit embeddings; in [0, 1]."""
        x = layers.all_vectors(self.states).cpu().numpy()
        x /= np.linalg.norm(x, axis=1, keepdims=True)
        draws = [
            _nearest_centroid(x, self.labels, rows, self.query)
            for rows in self.supports.reshape(len(self.supports), -1)
        ]
        return float(np.mean(draws))


def dataset_accuracy(
    dataset: FewShotDataset, vectors: NDArray[np.floating], shots: int, draws: int
) -> float:
    """Mean accuracy of nearest centroid over a dataset's draws 0, 1, …, given all embeddings."""
    episodes = [dataset.draw(shots, draw) for draw in range(draws)]
    accuracies = [_nearest_centroid(vectors, dataset.y, e.support, e.query) for e in episodes]
    return float(np.mean(accuracies))


def _nearest_centroid(
    X: NDArray[np.floating], y: NDArray[np.intp], support: NDArray[np.intp], query: NDArray[np.intp]
) -> float:
    fitted = NearestCentroidClassifier().fit(X[support], y[support])
    return float(fitted.score(X[query], y[query]))
