"""One method over the draws of one dataset, with its predictions on each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slp_core.encoders import Vectors, vectors_on
from slp_core.errors import Cancelled
from slp_core.evaluation.results import Scores
from slp_core.evaluation.runner import fit_and_predict, score
from slp_core.methods.protocols import Parameters, parameters_of

if TYPE_CHECKING:
    from slp_core.data import Episode, FewShotDataset
    from slp_core.methods.protocols import Classifier


@dataclass(frozen=True, eq=False)
class MethodRuns:
    """Scores and predictions, draw by draw."""

    shots: int
    draws: tuple[int, ...]
    scores: tuple[Scores, ...]
    # of the query examples: true and predicted classes, as indices into the dataset's classes
    true: tuple[np.ndarray, ...]
    predicted: tuple[np.ndarray, ...]
    # counted on the first draw; None for a method that does not say
    parameters: Parameters | None

    @property
    def accuracy(self) -> np.ndarray:
        """(n,) from 0 to 1."""
        return np.array([scores.accuracy for scores in self.scores])

    def on(self, draw: int) -> tuple[np.ndarray, np.ndarray]:
        """True and predicted classes of the query examples of a draw."""
        at = self.draws.index(draw)
        return self.true[at], self.predicted[at]

    def only(self, draws: Collection[int]) -> MethodRuns:
        """The same without the other draws; at least one of ``draws`` is among its own."""
        at = [place for place, draw in enumerate(self.draws) if draw in draws]
        return MethodRuns(
            self.shots,
            tuple(self.draws[place] for place in at),
            tuple(self.scores[place] for place in at),
            tuple(self.true[place] for place in at),
            tuple(self.predicted[place] for place in at),
            self.parameters,
        )


def judged_rows(episode: Episode, most: int | None) -> np.ndarray:
    """Query rows to evaluate on, at most ``most``: the same random ones for all methods."""
    query = episode.query
    if most is None or len(query) <= most:
        return query
    keys = np.random.default_rng(0).random(len(episode.dataset))[query]
    return np.sort(query[np.argsort(keys, kind="stable")[:most]])


def joined(parts: Sequence[MethodRuns]) -> MethodRuns:
    """Runs of one method and one number of shots on several draws, by draw; at least one."""
    each = [
        run
        for part in parts
        for run in zip(part.draws, part.scores, part.true, part.predicted, strict=True)
    ]
    each.sort(key=lambda run: run[0])
    draws, scores, true, predicted = zip(*each, strict=True)
    first = min(parts, key=lambda part: min(part.draws))  # parameters are counted on it
    return MethodRuns(first.shots, draws, scores, true, predicted, first.parameters)


def run_method(
    make: Callable[[], Classifier],
    dataset: FewShotDataset,
    X: Vectors,
    shots: int,
    draws: Sequence[int],
    done: Callable[[], None] = lambda: None,
    cancelled: Callable[[], bool] = lambda: False,
    most_query: int | None = None,
) -> MethodRuns:
    """Fit a fresh classifier on each draw; its scores and predictions."""
    scores, true, predicted = [], [], []
    for position, number in enumerate(draws):
        if cancelled():
            raise Cancelled
        episode = dataset.draw(shots, number)
        vectors = vectors_on(X, episode.support)
        support, y = vectors[episode.support], episode.y_support
        if position == 0:  # untimed: a first fit may import a library, which is not its time
            parameters = parameters_of(make().fit(support, y))
        query = judged_rows(episode, most_query)
        made, seconds = fit_and_predict(make(), support, y, vectors[query])
        scores.append(score(*made, dataset.y[query], seconds))
        true.append(dataset.y[query])
        predicted.append(made.predicted)
        done()
    return MethodRuns(shots, tuple(draws), tuple(scores), tuple(true), tuple(predicted), parameters)
