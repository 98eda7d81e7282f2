"""Two methods, draws or encoders, prototype by prototype."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import rel_entr

from slp_core.errors import SLPError
from slp_core.explain.soft_labels import Prototype, SoftLabels, share_of, soft_labels_at
from slp_core.facts import ClassName, Fact, Facts, Listed, Stated, class_names, fact
from slp_core.methods.protocols import HasLines

_SHOWN = 3  # classes of a soft label that a sentence names
_SHOWN_OFF_LINE = 0.005
_SAME = 1e-9  # bits

AtPoint = Mapping[int, tuple[np.ndarray | None, np.ndarray | None]]
"""Soft labels at one point x, by the class that a prototype stands on: of the first and of the
second method, (K,) each; None where x asks another line, or soft labels do not depend on it."""


@dataclass(frozen=True, eq=False)
class PrototypePair:
    """Two prototypes that stand on the centroid of the same class."""

    classes: tuple[str, ...]
    first: Prototype
    second: Prototype
    same_line: bool

    @property
    def at(self) -> int:
        """The class."""
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

    def shares(self, prototype: Prototype) -> Listed[Fact]:
        """The classes on the line that the prototype gives most to, and what is off the line."""
        names = class_names(self.classes)
        order = sorted(prototype.order, key=lambda c: -prototype.mean[c])
        parts = [share_of(names[c], float(prototype.mean[c]), brief=True) for c in order[:_SHOWN]]
        if (n := len(order) - _SHOWN) > 0:
            rest = float(prototype.mean[order[_SHOWN:]].sum())
            more = "{n:,} more of its line {share:.2f}"
            parts.append(fact("soft_label.other_shares", more, n=n, share=rest))
        if prototype.off_line >= _SHOWN_OFF_LINE:
            off = "{share:.2f} off its line"
            parts.append(fact("soft_label.off_line", off, share=prototype.off_line))
        return Listed(parts)


@dataclass(frozen=True, eq=False)
class SoftLabelPairs(Stated):
    """The soft labels of two fitted methods, matched by the class that a prototype stands on."""

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

    def facts(self) -> Facts:
        """Where the two differ most."""
        values: dict[str, Any] = {"first": self.first.method, "second": self.second.method}
        if not self.pairs:
            template = "{first} and {second} have no prototype at the same class to compare."
            return (fact("pairs.none", template, **values),)
        pair = self.furthest
        if pair is None:
            template = (
                "{first} and {second} have nothing to compare: no query point asks a line of which "
                "the soft labels depend on it."
            )
            return (fact("pairs.unread", template, **values),)
        known = sum(not np.isnan(each.jsd) for each in self.pairs)
        what = "soft labels" if self.first.constant and self.second.constant else "mean soft labels"
        values["n"] = known
        if pair.jsd < _SAME:
            template = (
                "{first} and {second} carry the same "
                + what
                + " at "
                + ("the one class" if known == 1 else "all {n:,} classes")
                + " at which they can be compared."
            )
            return (fact("pairs.same", template, **values),)
        means = [
            "" if s.constant else ", on average over points," for s in (self.first, self.second)
        ]
        told = "{first}" + means[0] + " says {here}; {second}" + means[1] + " says {there}."
        values |= {
            "at": ClassName(self.first.classes[pair.at], pair.at),
            "here": pair.shares(pair.first),
            "there": pair.shares(pair.second),
            "jsd": pair.jsd,
        }
        if known == 1:
            return (fact("pairs.only", "At {at}, " + told, **values),)
        if sum(each.jsd >= pair.jsd - _SAME for each in self.pairs) > 1:
            told = "They differ nowhere more than at {at}: " + told
            return (fact("pairs.furthest_of_equals", told, **values),)
        return (fact("pairs.furthest", "They differ most at {at}: " + told, **values),)

    def unmatched_facts(self) -> Facts:
        """Which prototypes have no counterpart, and why; nothing if all have one."""
        names = class_names(self.first.classes)
        template = "{classes} ({has} has a prototype there, {lacks} none)"
        parts = [
            fact(
                "pairs.only_one",
                template,
                classes=Listed([names[c] for c in only]),
                has=labels.method,
                lacks=other.method,
            )
            for labels, only, other in (
                (self.first, self.only_first, self.second),
                (self.second, self.only_second, self.first),
            )
            if only
        ]
        if not parts:
            return ()
        template = "Their lines differ. These cannot be matched: {parts}."
        return (fact("pairs.unmatched", template, parts=Listed(parts)),)

    def drawn_facts(self) -> Facts:
        """What strong and pale stand for where the two are drawn."""
        constant = self.first.constant and self.second.constant
        template = (
            "Strong bars: {first}; pale bars: {second}. Classes stand in the order of the line, "
            "from its left end to its right."
            + (
                ""
                if constant
                else " Where soft labels depend on the point, the bar is their mean over the query "
                "points that ask the line, and the whisker one standard deviation, with their "
                "number as the divisor."
            )
        )
        values = {"first": self.first.method, "second": self.second.method}
        return (fact("pairs.drawn", template, constant=constant, **values), *self.unmatched_facts())


def compare_soft_labels(first: SoftLabels, second: SoftLabels) -> SoftLabelPairs:
    """Match the prototypes of two methods by the class they stand on."""
    if first.classes != second.classes:
        raise SLPError(
            f"{first.method} and {second.method} were fitted on different classes: soft labels can "
            "be compared over the same classes only."
        )
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
    """The soft labels that depend on the point, at one point."""
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
