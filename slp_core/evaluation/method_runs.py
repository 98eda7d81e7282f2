"""One method over the draws of one dataset, on vectors or texts, with its predictions on each."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from slp_core.encoders import Vectors, vectors_on
from slp_core.errors import Cancelled
from slp_core.evaluation.results import Scores
from slp_core.evaluation.runner import fit_and_predict, score
from slp_core.methods.protocols import Parameters, parameters_of

if TYPE_CHECKING:
    from slp_core.data import Episode, FewShotDataset
    from slp_core.methods.protocols import Classifier
    from slp_core.progress import Progress

MOST_QUERY = 1_000
"""Query examples to evaluate on where all of them would take longer than the training."""
_PART = 128  # rows predicted between two checks for cancellation
_FIT = 0.85  # of a run, about; the rest is the query set


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
        kept = [draw in draws for draw in self.draws]
        return MethodRuns(
            self.shots,
            tuple(compress(self.draws, kept)),
            tuple(compress(self.scores, kept)),
            tuple(compress(self.true, kept)),
            tuple(compress(self.predicted, kept)),
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


def text_runs(
    make: Callable[[], Any],
    dataset: FewShotDataset,
    shots: int,
    draws: Sequence[int],
    most_query: int | None = None,
    progress: Callable[[int, float], None] = lambda draw, share: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[tuple[np.ndarray, MethodRuns]]:
    """Train a fresh classifier on each draw: its (m, K) probabilities and its run."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    episodes = [dataset.draw(shots, draw) for draw in draws]
    queries = [judged_rows(episode, most_query) for episode in episodes]
    numbers = np.unique(np.concatenate([*(each.support for each in episodes), *queries]))
    rows: Any = None
    for episode, query in zip(episodes, queries, strict=True):
        if cancelled():
            raise Cancelled
        report = partial(progress, episode.draw)
        report(0.0)
        model = make().set_params(progress=partial(_report_fit, report), cancelled=cancelled)
        # One thread: two are at best twice as fast, and on a busy machine ten times as slow.
        with threadpool_limits(limits=1, user_api="openmp"):
            if rows is None:
                examples = dataset.examples.take(numbers)
                rows = model.lower_states(examples) if hasattr(model, "lower_states") else examples
            support, points = (
                rows.take(np.searchsorted(numbers, each)) for each in (episode.support, query)
            )
            began = time.perf_counter()
            model.fit(support, episode.y_support)
            seconds = time.perf_counter() - began
            probabilities = _in_parts(model, points, report, cancelled)
        predicted, true = model.classes_[probabilities.argmax(axis=1)], dataset.y[query]
        scores = score(model.classes_, probabilities, predicted, true, seconds)
        of_draw = (shots, (episode.draw,), (scores,), (true,), (predicted,), parameters_of(model))
        yield probabilities, MethodRuns(*of_draw)


def _report_fit(report: Callable[[float], None], state: Progress) -> None:
    report(_FIT * state.done / max(state.total, 1))


def _in_parts(
    model: Classifier, X: Any, report: Callable[[float], None], cancelled: Callable[[], bool]
) -> np.ndarray:
    """(m, K) probabilities, in parts, so that it can be cancelled."""
    parts, n = [], len(X)
    for start in range(0, n, _PART):
        if cancelled():
            raise Cancelled
        end = min(start + _PART, n)
        parts.append(model.predict_proba(X.take(np.arange(start, end))))
        report(_FIT + (1 - _FIT) * end / n)
    return np.concatenate(parts)
