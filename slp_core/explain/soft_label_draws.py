"""How soft labels vary across support sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from slp_core.explain.soft_labels import SoftLabels


@dataclass(frozen=True, eq=False)
class SoftLabelDraws:
    """The soft labels of one method on n draws; ``groupings`` of classes into lines."""

    method: str
    classes: tuple[str, ...]
    n: int
    labels: pd.DataFrame  # by draw and class that has a prototype, a column of weights each class
    groupings: int

    @cached_property
    def known(self) -> pd.Series:
        """On how many draws there is a soft label at a class, those with most of them first."""
        return self.labels.groupby("at").size().sort_values(ascending=False, kind="stable")

    @cached_property
    def most_moved(self) -> tuple[int, int] | None:
        """The class of the prototype, and the class, whose weight has the widest range."""
        each = self.labels.groupby("at")
        ranges = (each.max() - each.min())[each.size() > 1]
        if ranges.empty:
            return None
        at, of = divmod(int(ranges.to_numpy().argmax()), len(self.classes))
        return int(ranges.index[at]), of

    def range_of(self, at: int, of: int) -> tuple[float, float]:
        weights = self.labels.xs(at, level="at")[of]
        return float(weights.min()), float(weights.max())


def soft_labels_over_draws(by_draw: Mapping[int, SoftLabels]) -> SoftLabelDraws:
    first = next(iter(by_draw.values()))
    n_classes = len(first.classes)
    means = {
        (draw, one.at): one.mean
        for draw, labels in by_draw.items()
        for one in labels.prototypes
        if one.known
    }
    index = pd.MultiIndex.from_tuples(means, names=["draw", "at"])
    table = pd.DataFrame(np.reshape(list(means.values()), (-1, n_classes)), index)
    groupings = {
        frozenset(frozenset(line.classes) for line in labels.lines) for labels in by_draw.values()
    }
    return SoftLabelDraws(
        first.method, first.classes, len(by_draw), table.sort_index(), len(groupings)
    )
