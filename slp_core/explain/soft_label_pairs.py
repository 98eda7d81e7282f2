"""Two methods, draws or encoders, prototype by prototype."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from slp_core.errors import SLPError
from slp_core.explain.soft_labels import Prototype, SoftLabels, soft_labels_at
from slp_core.markdown import named
from slp_core.methods.protocols import HasLines

AtPoint = Mapping[int, tuple[np.ndarray | None, np.ndarray | None]]
"""Soft labels at one point x, by the class that a prototype stands on: of the first and of the
second method, (K,) each; None where x asks another line, or soft labels do not depend on it."""


@dataclass(frozen=True, eq=False)
class PrototypePair:
    """Two prototypes that stand on the centroid of the same class.

    Attributes
    ----------
    classes : tuple of str
    names : (str, str)
        Of the two methods.
    first, second : Prototype
    same_line : bool
        Whether their lines carry the same classes.
    """

    classes: tuple[str, ...]
    names: tuple[str, str]
    first: Prototype
    second: Prototype
    same_line: bool

    @property
    def at(self) -> int:
        """The class."""
        return self.first.at

    @cached_property
    def jsd(self) -> float:
        """Jensen–Shannon divergence of the two (mean) soft labels, in bits: 0 to 1.

        NaN where no query point asks a line whose soft labels depend on the point.
        """
        from scipy.spatial.distance import jensenshannon

        return float(jensenshannon(self.first.mean, self.second.mean, base=2) ** 2)

    @property
    def total_variation(self) -> float:
        """Half the summed difference of the two (mean) soft labels: 0 to 1."""
        return float(0.5 * np.abs(self.first.mean - self.second.mean).sum())

    def sentence(self) -> str:
        """What the two carry, and how far apart that is."""
        a, b = self.names
        name = self.classes[self.at]
        if np.isnan(self.jsd):
            return f"At {named(name)} there is nothing to compare: no query point asks the line."
        apart = f"{self.jsd:.3f} bits JSD, total variation {self.total_variation:.3f}"
        lines = "" if self.same_line else " Their lines carry different classes."
        return (
            f"At {named(name)}, {a} has {self.shares(self.first)} and {b} "
            f"{self.shares(self.second)}: {apart}.{lines}"
        )

    def shares(self, prototype: Prototype) -> str:
        """The classes on the line that the prototype gives most to."""
        order = sorted(prototype.order, key=lambda c: -prototype.mean[c])
        parts = [f"{named(self.classes[c])} {prototype.mean[c]:.2f}" for c in order[:3]]
        if prototype.off_line >= 0.005:
            parts.append(f"{prototype.off_line:.2f} off the line")
        return ", ".join(parts)


@dataclass(frozen=True, eq=False)
class SoftLabelPairs:
    """The soft labels of two fitted methods, matched by the class that a prototype stands on.

    Attributes
    ----------
    first, second : SoftLabels
    pairs : tuple of PrototypePair
        In the order of the first.
    only_first, only_second : tuples of int
        Classes at which only one of the two has a prototype.
    """

    first: SoftLabels
    second: SoftLabels
    pairs: tuple[PrototypePair, ...]
    only_first: tuple[int, ...]
    only_second: tuple[int, ...]

    @property
    def furthest(self) -> PrototypePair | None:
        """The pair with the largest divergence; None where nothing can be compared."""
        known = [pair for pair in self.pairs if not np.isnan(pair.jsd)]
        return max(known, key=lambda pair: pair.jsd, default=None)

    def sentence(self) -> str:
        """Where the two differ most."""
        a, b = self.first.method, self.second.method
        pair = self.furthest
        if pair is None:
            return f"{a} and {b} have no prototype at the same class to compare."
        if pair.jsd < 1e-9:
            return f"{a} and {b} carry the same soft labels."
        means = [
            "" if s.constant else ", on average over points," for s in (self.first, self.second)
        ]
        return (
            f"At {named(self.first.classes[pair.at])}, {a}{means[0]} says "
            f"{pair.shares(pair.first)}; {b}{means[1]} says {pair.shares(pair.second)}."
        )

    def unmatched(self) -> str:
        """Which prototypes have no counterpart, and why; empty if all have one."""
        parts = []
        for labels, only, other in (
            (self.first, self.only_first, self.second),
            (self.second, self.only_second, self.first),
        ):
            if only:
                names = ", ".join(named(labels.classes[c]) for c in only)
                parts.append(
                    f"{names} ({labels.method} has a prototype there, {other.method} none)"
                )
        if not parts:
            return ""
        return f"Their lines differ. These cannot be matched: {'; '.join(parts)}."


def compare_soft_labels(first: SoftLabels, second: SoftLabels) -> SoftLabelPairs:
    """Match the prototypes of two methods by the class they stand on.

    Raises
    ------
    SLPError
        Where the two were fitted on different classes.
    """
    if first.classes != second.classes:
        raise SLPError(
            f"{first.method} and {second.method} were fitted on different classes: soft labels can "
            "be compared over the same classes only."
        )
    here, there = first.at_class, second.at_class
    names = (first.method, second.method)
    pairs = tuple(
        PrototypePair(
            first.classes, names, p, there[at], same_line=set(p.order) == set(there[at].order)
        )
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
    """The soft labels that depend on the point, at one point.

    Parameters
    ----------
    pairs : SoftLabelPairs
    models : (fitted classifier, fitted classifier)
        That the pairs were read off.
    vectors : two (d,) arrays
        The point, as either model's encoder sees it.
    """
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
