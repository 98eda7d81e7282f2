"""One method over the draws of one dataset, on vectors or texts, with its predictions on each."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from slp_core.encoders import Vectors, vectors_on
from slp_core.errors import Cancelled
from slp_core.evaluation.results import Scores
from slp_core.evaluation.runner import fit_and_score, score
from slp_core.methods.protocols import Parameters, parameters_of

if TYPE_CHECKING:
    from slp_core.data import Episode, FewShotDataset
    from slp_core.methods.protocols import Classifier

MOST_QUERY = 1_000
"""Query examples to evaluate on where all of them would take longer than the training."""
_PART = 128  # rows predicted between two checks for cancellation
_FIT = 0.85  # of a run, about; the rest is the query set


class DrawRun(NamedTuple):
    """A fit on one draw; classes are indices into the dataset's."""

    scores: Scores
    true: np.ndarray  # (m,) of the query examples
    predicted: np.ndarray  # (m,)
    parameters: Parameters | None  # None for a method that does not say


@dataclass(frozen=True, eq=False)
class MethodRuns:
    """A method's runs with one number of shots; parameters are told of the first draw."""

    shots: int
    by_draw: Mapping[int, DrawRun]
    missing: int = 0  # draws that it was asked for and has not run yet

    @property
    def draws(self) -> tuple[int, ...]:
        return tuple(self.by_draw)

    @property
    def accuracy(self) -> np.ndarray:
        """(n,) from 0 to 1."""
        return np.array([run.scores.accuracy for run in self.by_draw.values()])

    @property
    def parameters(self) -> Parameters | None:
        return next(iter(self.by_draw.values())).parameters

    def only(self, draws: Iterable[int]) -> MethodRuns:
        """Those of its draws that are among ``draws``, in their order."""
        kept = {draw: self.by_draw[draw] for draw in draws if draw in self.by_draw}
        return replace(self, by_draw=kept)


def judged_rows(episode: Episode, most: int | None) -> np.ndarray:
    """Query rows to evaluate on, at most ``most``: the same random ones for all methods."""
    query = episode.query
    if most is None or len(query) <= most:
        return query
    keys = np.random.default_rng(0).random(len(episode.dataset))[query]
    return np.sort(query[np.argsort(keys, kind="stable")[:most]])


def vector_runs(
    make: Callable[[], Classifier],
    dataset: FewShotDataset,
    X: Vectors,
    shots: int,
    draws: Iterable[int],
    cancelled: Callable[[], bool] = lambda: False,
    most_query: int | None = None,
) -> Iterator[tuple[int, DrawRun]]:
    """Fit a fresh classifier on each draw, one by one."""
    for position, draw in enumerate(draws):
        if cancelled():
            raise Cancelled
        episode, model = dataset.draw(shots, draw), make()
        vectors, query = vectors_on(X, episode.support), judged_rows(episode, most_query)
        support, y = vectors[episode.support], episode.y_support
        if position == 0:  # untimed: a first fit may import a library, which is not its time
            make().fit(support, y)
        true = dataset.y[query]
        scores, made = fit_and_score(model, support, y, vectors[query], true)
        yield draw, DrawRun(scores, true, made.predicted, parameters_of(model))


def text_runs(
    make: Callable[[], Any],
    dataset: FewShotDataset,
    shots: int,
    draws: Sequence[int],
    most_query: int | None = None,
    progress: Callable[[int, float], None] = lambda draw, share: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[tuple[int, DrawRun, np.ndarray]]:
    """Train a fresh classifier on each draw, one by one; with its (m, K) probabilities."""
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
        model = make().set_params(
            progress=lambda state, report=report: report(_FIT * state.share), cancelled=cancelled
        )
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
        run = DrawRun(scores, true, predicted, parameters_of(model))
        yield episode.draw, run, probabilities


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
