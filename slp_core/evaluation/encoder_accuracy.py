"""Accuracy under two encoders, over the draws of every number of shots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from slp_core.encoders import Vectors
from slp_core.evaluation.draws import accuracy_over_draws
from slp_core.progress import Progress, ProgressCallback

if TYPE_CHECKING:
    from slp_core.data import FewShotDataset
    from slp_core.methods.table import Method


@dataclass(frozen=True, eq=False)
class AccuracyByShots:
    """Accuracy of methods, or on datasets, under two encoders, draw by draw."""

    names: tuple[str, str]  # what the encoders are called, before and after
    # of each method and number of shots; NaN on a draw without a query set
    accuracy: Mapping[tuple[str, int], np.ndarray]
    what: Literal["method", "dataset"] = "method"  # of the settings, beside shots

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
    cells: Sequence[tuple[str, Method, FewShotDataset, Sequence[Vectors]]],
    names: tuple[str, str],
    what: Literal["method", "dataset"],
    progress: ProgressCallback = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> AccuracyByShots:
    """Evaluate methods, with their defaults, on every draw of every number of shots.

    A cell has the title of its ``what``, and the dataset's vectors under both encoders.
    """
    accuracy = {}
    each = [(*cell, shots) for cell in cells for shots in cell[2].shots_available]
    for done, (title, method, dataset, both, shots) in enumerate(each):
        progress(Progress(done, len(each)))
        data = shots, dataset.available_draws(shots), cancelled
        spreads = [accuracy_over_draws(method.make, dataset, X, *data) for X in both]
        accuracy[title, shots] = np.stack([spread.accuracy for spread in spreads])
    return AccuracyByShots(names, accuracy, what)
