"""One method that reads texts, and trains its encoder, over the draws of one dataset."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from slp_core.errors import Cancelled
from slp_core.evaluation.method_runs import MethodRuns, judged_rows
from slp_core.evaluation.runner import score
from slp_core.methods.protocols import parameters_of

if TYPE_CHECKING:
    from slp_core.data import FewShotDataset
    from slp_core.methods.protocols import Classifier
    from slp_core.progress import Progress

MOST_QUERY = 1_000
"""Query examples to evaluate on where all of them would take longer than the training."""
_PART = 128  # rows predicted between two checks for cancellation
_FIT = 0.85  # of a run, about; the rest is the query set


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
