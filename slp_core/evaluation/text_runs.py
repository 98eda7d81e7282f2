"""One method that reads texts, and trains its encoder, over the draws of one dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from slp_core.errors import Cancelled
from slp_core.evaluation.method_runs import MethodRuns, asked
from slp_core.evaluation.runner import judge
from slp_core.methods.parameters import parameters_of

if TYPE_CHECKING:
    from slp_core.data import Episode, FewShotDataset
    from slp_core.methods.protocols import Classifier
    from slp_core.progress import Progress

MOST_QUERY = 1_000
"""Query points that are asked about where all would take longer than the training."""
_PART = 128  # rows that are answered between two looks at whether to stop
_FIT = 0.85  # of a run, about; the rest is the query set


def text_runs(
    make: Callable[[], Any],
    dataset: FewShotDataset,
    shots: int,
    draws: Sequence[int],
    most_query: int | None = None,
    progress: Callable[[int, float], None] = lambda draw, share: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[MethodRuns]:
    """Train a fresh classifier on each draw and judge it: one draw's runs at a time.

    What the layers below the trained ones make of the rows is computed once for all draws.
    """
    for _, found in _each(make, dataset, shots, draws, most_query, progress, cancelled):
        yield found


def text_probabilities(
    make: Callable[[], Any],
    dataset: FewShotDataset,
    shots: int,
    draw: int,
    most_query: int | None = None,
    progress: Callable[[int, float], None] = lambda draw, share: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> np.ndarray:
    """(m, K) what a classifier, trained on one draw, answers of its query points.

    Parameters and exceptions are those of `text_runs`.
    """
    each = _each(make, dataset, shots, (draw,), most_query, progress, cancelled)
    classifier, _ = next(each)
    return classifier.probabilities


def _each(
    make: Callable[[], Any],
    dataset: FewShotDataset,
    shots: int,
    draws: Sequence[int],
    most_query: int | None,
    progress: Callable[[int, float], None],
    cancelled: Callable[[], bool],
) -> Iterator[tuple[_InParts, MethodRuns]]:
    """Of each draw the trained classifier, and its runs."""
    episodes = [dataset.draw(shots, draw) for draw in draws]
    rows: _Rows | None = None
    for episode in episodes:
        if cancelled():
            raise Cancelled
        tell = _Teller(episode.draw, progress)
        tell(0.0)
        model = make().set_params(progress=tell.fitting, cancelled=cancelled)
        # One thread: two are at best twice as fast, and on a busy machine ten times as slow.
        with threadpool_limits(limits=1, user_api="openmp"):
            rows = rows or _Rows.of(model, episodes, most_query)
            classifier = _InParts(model, tell, cancelled)
            found = _run(classifier, episode, rows, most_query)
        yield classifier, found


def _run(classifier: _InParts, episode: Episode, rows: _Rows, most_query: int | None) -> MethodRuns:
    query = asked(episode, most_query)
    true = episode.dataset.y[query]
    scores = judge(classifier, rows[episode.support], episode.y_support, rows[query], true)
    answers = classifier.classes_[classifier.probabilities.argmax(axis=1)]
    parameters = parameters_of(classifier.model)
    return MethodRuns(episode.shots, (episode.draw,), (scores,), (true,), (answers,), parameters)


class _Rows:
    """Rows of a dataset as a classifier reads them."""

    def __init__(self, inputs: Any, numbers: np.ndarray):
        self._inputs, self._numbers = inputs, numbers

    @classmethod
    def of(cls, model: Classifier, episodes: Sequence[Episode], most_query: int | None) -> _Rows:
        """Those that the episodes need."""
        parts = [part for e in episodes for part in (e.support, asked(e, most_query))]
        numbers = np.unique(np.concatenate(parts))
        examples = episodes[0].dataset.examples.take(numbers)
        return cls(
            model.lower_states(examples) if hasattr(model, "lower_states") else examples, numbers
        )

    def __getitem__(self, numbers: np.ndarray) -> Any:
        return self._inputs.take(np.searchsorted(self._numbers, numbers))


class _Teller:
    """Tells of one draw's run how much of it is done."""

    def __init__(self, draw: int, progress: Callable[[int, float], None]):
        self._draw, self._progress = draw, progress

    def __call__(self, share: float) -> None:
        self._progress(self._draw, share)

    def fitting(self, progress: Progress) -> None:
        """What a classifier calls after a step."""
        self(_FIT * progress.done / max(progress.total, 1))


class _InParts:
    """A classifier that is asked part by part, so that it can be stopped; keeps what it said."""

    def __init__(
        self, model: Classifier, tell: Callable[[float], None], cancelled: Callable[[], bool]
    ):
        self.model, self._tell, self._cancelled = model, tell, cancelled
        self.classes_ = np.empty(0)
        self.probabilities = np.empty((0, 0))

    def fit(self, X: Any, y: np.ndarray) -> _InParts:
        self.classes_ = self.model.fit(X, y).classes_
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        parts, n = [], len(X)
        for start in range(0, n, _PART):
            if self._cancelled():
                raise Cancelled
            parts.append(self.model.predict_proba(X.take(np.arange(start, min(start + _PART, n)))))
            self._tell(_FIT + (1 - _FIT) * min(start + _PART, n) / n)
        self.probabilities = np.concatenate(parts)
        return self.probabilities

    def predict(self, X: Any) -> np.ndarray:
        return self.classes_[self.predict_proba(X).argmax(axis=1)]
