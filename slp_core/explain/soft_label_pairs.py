"""Two methods, draws or encoders, prototype by prototype."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import rel_entr

from slp_core.explain.soft_labels import Prototype, SoftLabels, soft_labels_at
from slp_core.methods.protocols import HasLines

AtPoint = Mapping[int, tuple[np.ndarray | None, np.ndarray | None]]
"""Soft labels at one point x, by the class that a prototype stands on: of the first and of the
second method, (K,) each; None where x is assigned to another line, or they are constant."""


@dataclass(frozen=True, eq=False)
class PrototypePair:
    """Two prototypes that stand on the centroid of the same class."""

    classes: tuple[str, ...]
    first: Prototype
    second: Prototype
    same_line: bool

    @property
    def at(self) -> int:
        return self.first.at

    @cached_property
    def jsd(self) -> float:
        """Jensen–Shannon divergence of the two (mean) soft labels, in bits: 0 to 1."""
        # Not SciPy's distance: it takes the root of a rounded −0, which is NaN.
        both = np.stack([self.first.mean, self.second.mean])
        parts = rel_entr(both, both.mean(axis=0)).sum(axis=1)
        return float(np.maximum(parts.mean() / np.log(2), 0.0))

    @property
    def total_variation(self) -> float:
        """Half the summed difference of the two (mean) soft labels: 0 to 1."""
        return float(0.5 * np.abs(self.first.mean - self.second.mean).sum())


@dataclass(frozen=True, eq=False)
class SoftLabelPairs:
    """The soft labels of two fitted methods, matched by the class that a prototype stands on."""

    first: SoftLabels
    second: SoftLabels
    pairs: tuple[PrototypePair, ...]
    only_first: tuple[int, ...]
    only_second: tuple[int, ...]

    @property
    def known(self) -> tuple[PrototypePair, ...]:
        """The pairs of which both soft labels are known."""
        return tuple(pair for pair in self.pairs if not np.isnan(pair.jsd))

    @property
    def furthest(self) -> PrototypePair | None:
        """The pair with the largest divergence; None where nothing can be compared."""
        return max(self.known, key=lambda pair: pair.jsd, default=None)


def compare_soft_labels(first: SoftLabels, second: SoftLabels) -> SoftLabelPairs:
    """Match the prototypes of two methods by the class they stand on."""
    here, there = first.at_class, second.at_class
    pairs = tuple(
        PrototypePair(first.classes, p, there[at], same_line=set(p.order) == set(there[at].order))
        for at, p in here.items()
        if at in there
    )
    return SoftLabelPairs(
        first,
        second,
        pairs,
        tuple(at for at in here if at not in there),
        tuple(at for at in there if at not in here),
    )


def pairs_at_point(
    pairs: SoftLabelPairs, models: tuple[HasLines, HasLines], vectors: tuple[np.ndarray, np.ndarray]
) -> AtPoint:
    """The soft labels that depend on the example, at one example."""
    at_point: dict[int, tuple[np.ndarray | None, np.ndarray | None]] = {}
    for which, (labels, model, x) in enumerate(
        zip((pairs.first, pairs.second), models, vectors, strict=True)
    ):
        if labels.constant:
            continue
        line, at_x = soft_labels_at(model, x)
        for prototype in (p for p in labels.prototypes if p.line == line):
            first, second = at_point.get(prototype.at, (None, None))
            label = at_x[prototype.side]
            at_point[prototype.at] = (first, label) if which else (label, second)
    return at_point
