"""How soft labels vary across support sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from slp_core.explain.soft_labels import SoftLabels


@dataclass(frozen=True, eq=False)
class SoftLabelDraws:
    """The soft labels of one method on several draws; ``groupings`` of classes into lines."""

    method: str
    classes: tuple[str, ...]
    draws: tuple[int, ...]
    labels: np.ndarray  # (D, K, K)
    groupings: int

    @cached_property
    def known(self) -> np.ndarray:
        """(K,) int: on how many draws there is a soft label at each class."""
        return (~np.isnan(self.labels).any(axis=2)).sum(axis=0)

    @property
    def by_frequency(self) -> tuple[int, ...]:
        """The classes at which there ever is a soft label, those with most of them first."""
        order = np.argsort(-self.known, kind="stable")
        return tuple(int(k) for k in order if self.known[k])

    @cached_property
    def most_moved(self) -> tuple[int, int] | None:
        """The class of the prototype, and the class, whose weight has the widest range."""
        repeated = np.flatnonzero(self.known > 1)
        if not len(repeated):
            return None
        weights = self.labels[:, repeated]
        ranges = np.nanmax(weights, axis=0) - np.nanmin(weights, axis=0)
        at, of = divmod(int(ranges.argmax()), len(self.classes))
        return int(repeated[at]), of

    def range_of(self, at: int, of: int) -> tuple[float, float]:
        weights = self.labels[:, at, of]
        return float(np.nanmin(weights)), float(np.nanmax(weights))

    def of_draw(self, draw: int | None, at: int) -> bool:
        """Whether a draw is among them and has a soft label at a class."""
        if draw not in self.draws:
            return False
        return not np.isnan(self.labels[self.draws.index(draw), at]).any()


def soft_labels_over_draws(by_draw: Mapping[int, SoftLabels]) -> SoftLabelDraws:
    first = next(iter(by_draw.values()))
    n_classes = len(first.classes)
    labels = np.full((len(by_draw), n_classes, n_classes), np.nan)
    for row, soft_labels in enumerate(by_draw.values()):
        for prototype in soft_labels.prototypes:
            labels[row, prototype.at] = prototype.mean
    groupings = {
        frozenset(frozenset(line.classes) for line in soft_labels.lines)
        for soft_labels in by_draw.values()
    }
    return SoftLabelDraws(first.method, first.classes, tuple(by_draw), labels, len(groupings))
