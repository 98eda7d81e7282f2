"""Accuracy over support sets, of one encoder or of two beside each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import pandas as pd

from slp_core.encoders import Vectors, vectors_on
from slp_core.errors import Cancelled
from slp_core.progress import Progress, ProgressCallback

if TYPE_CHECKING:
    from slp_core.data import Episode, FewShotDataset
    from slp_core.methods.protocols import Classifier
    from slp_core.methods.table import Method


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


def accuracy_over_draws(
    make: Callable[..., Classifier],
    dataset: FewShotDataset,
    X: Vectors,
    shots: int,
    draws: Sequence[int],
    cancelled: Callable[[], bool] = lambda: False,
    seeds: Sequence[int] | None = None,
) -> pd.Series:
    """By draw, of a fresh classifier; from each seed where there are any, seed by seed."""
    each: list[tuple[int, ...]] = [(seed,) for seed in seeds] if seeds else [()]
    accuracy = []
    for seed in each:
        for draw in draws:
            if cancelled():
                raise Cancelled
            data = arrays_of(dataset.draw(shots, draw), X)
            model = make(*seed).fit(data.X_support, data.y_support)
            accuracy.append(np.mean(model.predict(data.X_query) == data.y_query))
    return pd.Series(accuracy, list(draws) * len(each), float)


def accuracy_by_shots(
    cells: Sequence[tuple[str, Method, FewShotDataset, Sequence[Vectors]]],
    what: Literal["method", "dataset"],
    progress: ProgressCallback = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> pd.DataFrame:
    """Methods, with their defaults, on every draw of every number of shots: `two_encoders`.

    A cell has the title of its ``what``, and the dataset's vectors under both encoders.
    """
    accuracy = {}
    each = [(*cell, shots) for cell in cells for shots in cell[2].shots_available]
    for done, (title, method, dataset, both, shots) in enumerate(each):
        progress(Progress(done, len(each)))
        data = shots, dataset.available_draws(shots), cancelled
        over_draws = [accuracy_over_draws(method.make, dataset, X, *data) for X in both]
        accuracy[title, shots] = np.stack(over_draws)
    return two_encoders(accuracy, what)


def two_encoders(
    accuracy: Mapping[tuple[str, int], np.ndarray], what: Literal["method", "dataset"]
) -> pd.DataFrame:
    """Mean and population SD of (2, n) accuracies on n draws, NaN without a query set.

    ``better on``: draws on which the second encoder leads.
    """
    rows = []
    for key, values in accuracy.items():
        before, after = values[:, ~np.isnan(values).any(axis=0)]
        if len(before):
            spread = before.mean(), before.std(), after.mean(), after.std()
            gain = after.mean() - before.mean(), int((after > before).sum()), len(before)
            rows.append((*key, *spread, *gain))
    means = ["before", "± before", "after", "± after"]
    columns = [what, "shots", *means, "difference", "better on", "support sets"]
    return pd.DataFrame(rows, columns=columns)
