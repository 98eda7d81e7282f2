"""Two methods, draws or encoders, prototype by prototype."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import rel_entr

from slp_core.explain.soft_labels import Prototype, SoftLabels


@dataclass(frozen=True, eq=False)
class PrototypePair:
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

    @property
    def unmatched(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Classes at which only the first, and only the second has a prototype."""
        here, there = self.first.at_class, self.second.at_class
        return tuple(at for at in here if at not in there), tuple(
            at for at in there if at not in here
        )

    @property
    def furthest(self) -> PrototypePair | None:
        """The pair with the largest divergence; None where nothing can be compared."""
        known = (pair for pair in self.pairs if not np.isnan(pair.jsd))
        return max(known, key=lambda pair: pair.jsd, default=None)


def compare_soft_labels(first: SoftLabels, second: SoftLabels) -> SoftLabelPairs:
    there = second.at_class
    pairs = tuple(
        PrototypePair(first.classes, p, there[at], same_line=set(p.order) == set(there[at].order))
        for at, p in first.at_class.items()
        if at in there
    )
    return SoftLabelPairs(first, second, pairs)
