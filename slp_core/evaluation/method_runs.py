"""One method over the draws of one dataset, with what it answered on each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from slp_core.errors import Cancelled
from slp_core.evaluation.parameters import Parameters, trainable_parameters
from slp_core.evaluation.results import Scores
from slp_core.evaluation.runner import judge

if TYPE_CHECKING:
    from slp_core.data import FewShotDataset


@dataclass(frozen=True, eq=False)
class MethodRuns:
    """Scores and answers, draw by draw.

    Attributes
    ----------
    shots : int
    draws : tuple of int
    scores : tuple of Scores
    true, answers : tuple of (m,) arrays
        The query points' classes, and what was answered, as indices into the dataset's classes.
    parameters : Parameters
        Of the method as fitted on the first of the draws.
    """

    shots: int
    draws: tuple[int, ...]
    scores: tuple[Scores, ...]
    true: tuple[np.ndarray, ...]
    answers: tuple[np.ndarray, ...]
    parameters: Parameters

    @property
    def accuracy(self) -> np.ndarray:
        """(n,) from 0 to 1."""
        return np.array([scores.accuracy for scores in self.scores])

    @property
    def fit_seconds(self) -> np.ndarray:
        """(n,) of the fits alone."""
        return np.array([scores.fit_seconds for scores in self.scores])

    def on(self, draw: int) -> tuple[np.ndarray, np.ndarray]:
        """Classes and answers of the query points of a draw."""
        at = self.draws.index(draw)
        return self.true[at], self.answers[at]


def run_method(
    make: Callable[[], Any],
    dataset: FewShotDataset,
    X: np.ndarray,
    shots: int,
    draws: Sequence[int],
    done: Callable[[], None] = lambda: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> MethodRuns:
    """Fit a fresh classifier on each draw, judge it, and keep what it answered.

    Parameters
    ----------
    make : callable
        Makes an unfitted classifier.
    dataset : FewShotDataset
    X : (n, d) array
        Its embeddings, row by row.
    shots : int
    draws : sequence of int
        At least one.
    done : callable
        Called after each draw.
    cancelled : callable
        Asked before each draw.

    Raises
    ------
    Cancelled
    """
    scores, true, answers = [], [], []
    for position, number in enumerate(draws):
        if cancelled():
            raise Cancelled
        episode = dataset.draw(shots, number)
        support, y = X[episode.support], episode.y_support
        if position == 0:  # untimed: a first fit may import a library, which is not its time
            parameters = trainable_parameters(make().fit(support, y))
        model = make()
        scores.append(judge(model, support, y, X[episode.query], episode.y_query))
        true.append(episode.y_query)
        answers.append(model.predict(X[episode.query]))
        done()
    return MethodRuns(shots, tuple(draws), tuple(scores), tuple(true), tuple(answers), parameters)
