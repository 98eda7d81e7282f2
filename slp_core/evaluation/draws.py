"""How much accuracy varies with the support set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from slp_core.encoders import Vectors, vectors_on
from slp_core.errors import Cancelled

if TYPE_CHECKING:
    from slp_core.data import Episode, FewShotDataset
    from slp_core.methods.protocols import Classifier


class EpisodeArrays(NamedTuple):
    """Vectors and class names of an episode: (n, d), (n,), (m, d) and (m,)."""

    X_support: np.ndarray
    y_support: np.ndarray
    X_query: np.ndarray
    y_query: np.ndarray


def arrays_of(episode: Episode, X: Vectors) -> EpisodeArrays:
    """The arrays that a classifier is fitted on and evaluated on."""
    names, X = np.array(episode.dataset.classes), vectors_on(X, episode.support)
    return EpisodeArrays(
        X[episode.support], names[episode.y_support], X[episode.query], names[episode.y_query]
    )


@dataclass(frozen=True)
class Spread:
    """Accuracy on the query set for each draw."""

    draws: tuple[int, ...]
    accuracy: np.ndarray  # (n,) from 0 to 1

    @property
    def mean(self) -> float:
        return float(self.accuracy.mean())

    @property
    def std(self) -> float:
        """Over the draws, with ddof = 0 as in the paper's sources."""
        return float(self.accuracy.std())


def accuracy_over_draws(
    make: Callable[..., Classifier],
    dataset: FewShotDataset,
    X: Vectors,
    shots: int,
    draws: Sequence[int],
    cancelled: Callable[[], bool] = lambda: False,
    seeds: Sequence[int] | None = None,
) -> Spread:
    """Fit a fresh classifier on each draw, from each seed where there are any, seed by seed."""
    each: list[tuple[int, ...]] = [(seed,) for seed in seeds] if seeds else [()]
    accuracy = []
    for seed in each:
        for draw in draws:
            if cancelled():
                raise Cancelled
            data = arrays_of(dataset.draw(shots, draw), X)
            model = make(*seed).fit(data.X_support, data.y_support)
            accuracy.append(np.mean(model.predict(data.X_query) == data.y_query))
    return Spread(tuple(draws) * len(each), np.array(accuracy))
