"""How well an encoder places classes it was not trained on: fixed few-shot episodes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from slp_core.data.dataset import FewShotDataset
from slp_core.encoders.trainable import LowerStates, TrainableLayers
from slp_core.meta.episodes import VALIDATION_DRAWS, VALIDATION_QUERY, VALIDATION_SHOTS, Source

Answer: TypeAlias = Callable[[LowerStates, NDArray[np.intp], LowerStates], NDArray[np.intp]]


@dataclass(frozen=True)
class ValidationSet:
    """Fixed episodes of one source; the query rows are the same for all its draws.

    Parameters
    ----------
    name
        The source's.
    states
        Of the rows that its episodes need, and no others.
    labels
        (n,) indices of classes.
    supports
        (draws, classes, shots) of these rows.
    query
        (m,) of these rows.
    """

    name: str
    states: LowerStates
    labels: NDArray[np.intp]
    supports: NDArray[np.intp]
    query: NDArray[np.intp]

    @classmethod
    def of(cls, source: Source, layers: TrainableLayers, max_tokens: int) -> ValidationSet:
        """Draw the episodes, the same ones on every call, and compute their lower states."""
        rng = np.random.default_rng(0)
        classes = list(source.rows.values())
        n_query = VALIDATION_QUERY // len(classes)
        query, supports = [], []
        for rows in classes:
            shuffled = rng.permutation(rows)
            query.append(shuffled[:n_query])
            n_support = VALIDATION_DRAWS * VALIDATION_SHOTS
            left = shuffled[n_query : n_query + n_support]
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
        """Of a classifier made for each draw, in the mean; in [0, 1].

        Parameters
        ----------
        answer
            Given the support set's states and classes, from 0 to K − 1, and the query set's
            states: (m,) classes.
        """
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
