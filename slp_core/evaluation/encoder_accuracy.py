"""Accuracy under two encoders, over the draws of every number of shots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from slp_core.encoders import Vectors
from slp_core.evaluation.draws import accuracy_over_draws

if TYPE_CHECKING:
    from slp_core.data import FewShotDataset
    from slp_core.encoders import Encoder
    from slp_core.methods.table import Method


@dataclass(frozen=True, eq=False)
class AccuracyByShots:
    """Accuracy of methods, or on datasets, under two encoders, draw by draw."""

    names: tuple[str, str]  # what the encoders are called, before and after
    # of each method and number of shots; NaN on a draw without a query set
    accuracy: Mapping[tuple[str, int], np.ndarray]
    what: Literal["method", "dataset"] = "method"  # of the settings, beside shots

    @classmethod
    def of(
        cls,
        names: tuple[str, str],
        before: Mapping[tuple[str, int], np.ndarray],
        after: Mapping[tuple[str, int], np.ndarray],
    ) -> AccuracyByShots:
        """From the results of `accuracy_by_shots` for either encoder."""
        return cls(names, {key: np.stack([before[key], after[key]]) for key in before})

    def table(self) -> pd.DataFrame:
        """Mean and population SD; ``better on``: draws on which the encoder after leads."""
        rows = []
        for key, values in self.accuracy.items():
            before, after = values[:, ~np.isnan(values).any(axis=0)]
            if len(before):
                spread = before.mean(), before.std(), after.mean(), after.std()
                gain = after.mean() - before.mean(), int((after > before).sum()), len(before)
                rows.append((*key, *spread, *gain))
        means = ["before", "± before", "after", "± after"]
        columns = [self.what, "shots", *means, "difference", "better on", "draws"]
        return pd.DataFrame(rows, columns=columns)


def accuracy_by_shots(
    methods: Sequence[Method],
    dataset: FewShotDataset,
    X: Vectors,
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> dict[tuple[str, int], np.ndarray]:
    """Evaluate methods, with their defaults, on every draw of every number of shots."""
    accuracy = {}
    pairs = [(method, shots) for shots in dataset.shots_available for method in methods]
    for done, (method, shots) in enumerate(pairs):
        progress(done, len(pairs))
        draws = dataset.available_draws(shots)
        spread = accuracy_over_draws(method.make, dataset, X, shots, draws, cancelled)
        accuracy[method.title, shots] = spread.accuracy
    return accuracy


def accuracy_by_dataset(
    method: Method,
    datasets: Sequence[FewShotDataset],
    encoders: tuple[Encoder, Encoder],
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> AccuracyByShots:
    """Evaluate a method on each dataset, by its title, that both encoders have cached."""
    accuracy = {}
    for done, dataset in enumerate(datasets):
        progress(done, len(datasets))
        if all(encoder.is_cached(dataset) for encoder in encoders):
            spaces = [encoder.encode_for_draws(dataset) for encoder in encoders]
            both = [accuracy_by_shots([method], dataset, X, cancelled=cancelled) for X in spaces]
            for shots in dataset.shots_available:
                pair = np.stack([each[method.title, shots] for each in both])
                accuracy[dataset.title, shots] = pair
    titles = (encoders[0].info.title, encoders[1].info.title)
    return AccuracyByShots(titles, accuracy, "dataset")
