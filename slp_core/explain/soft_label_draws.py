"""How much a soft label owes to the luck of the draw."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from slp_core.explain.soft_labels import SoftLabels
from slp_core.facts import Facts, Stated, class_names, fact

_STILL = 1e-9  # a standard deviation that is none


@dataclass(frozen=True, eq=False)
class SoftLabelDraws(Stated):
    """The soft labels of one method on several draws."""

    method: str
    classes: tuple[str, ...]
    draws: tuple[int, ...]
    labels: np.ndarray  # (D, K, K)
    at_end: np.ndarray  # (D, K)
    groupings: int

    @cached_property
    def ends(self) -> np.ndarray:
        """(K,) int: on how many draws each class ends a line."""
        return self.at_end.sum(axis=0)

    @cached_property
    def known(self) -> np.ndarray:
        """(K,) int: on how many draws there is a soft label at each class."""
        return (~np.isnan(self.labels).any(axis=2)).sum(axis=0)

    @cached_property
    def std(self) -> np.ndarray:
        """(K, K) standard deviation (divisor n) over the draws on which there is a soft label."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # a class that never ends a line
            return np.nanstd(self.labels, axis=0)

    @property
    def by_frequency(self) -> tuple[int, ...]:
        """The classes at which there ever is a soft label, those with most of them first."""
        order = np.argsort(-self.known, kind="stable")
        return tuple(int(k) for k in order if self.known[k])

    @cached_property
    def most_moved(self) -> tuple[int, int] | None:
        """The class of the prototype, and the class, whose soft label the draw moves most."""
        repeated = self.known > 1
        if not repeated.any():
            return None
        at, of = divmod(
            int(np.where(repeated[:, None], self.std, -1.0).argmax()), len(self.classes)
        )
        return at, of

    def facts(self) -> Facts:
        """Which soft label the draw moves most, and whether the lines stay."""
        n = len(self.draws)
        values = {"method": self.method, "n": n}
        if n == 1:
            return (fact("soft_label_draws.one", "There is one draw, and no other to compare."),)
        return (*self._movement_facts(values), *self._line_facts())

    def _movement_facts(self, values: dict[str, Any]) -> Facts:
        if self.most_moved is None:
            template = (
                "On no two of {n:,} draws of {method} can the soft label at one class be compared."
            )
            return (fact("soft_label_draws.never_twice", template, **values),)
        at, of = self.most_moved
        if self.std[at, of] <= _STILL:
            template = (
                "Over {n:,} draws no soft label of {method} changes where there is one at a class "
                "more than once."
            )
            return (fact("soft_label_draws.still", template, **values),)
        shares, names = self.labels[:, at, of], class_names(self.classes)
        template = (
            "Over {n:,} draws of {method} the soft label that moves most is that for {of} at {at}: "
            "{low:.2f} to {high:.2f} on the {known:,} draws on which "
        )
        if self.known[at] == self.ends[at]:
            template += "{at} ends a line."
        else:
            template += "query points ask the line that {at} ends."
        told = fact(
            "soft_label_draws.most_moved",
            template,
            of=names[of],
            at=names[at],
            low=float(np.nanmin(shares)),
            high=float(np.nanmax(shares)),
            known=int(self.known[at]),
            **values,
        )
        return (told,)

    def _line_facts(self) -> Facts:
        if self.groupings == 1:
            template = "The lines carry the same classes on all of them."
            return (fact("soft_label_draws.same_lines", template),)
        template = "The classes are dealt to lines in {groupings:,} different ways."
        return (fact("soft_label_draws.groupings", template, groupings=self.groupings),)

    def class_facts(self, at: int, current: int | None = None) -> Facts:
        """How many marks stand for the prototype at a class, and which of them is ringed."""
        names, n = class_names(self.classes), len(self.draws)
        ends, known = int(self.ends[at]), int(self.known[at])
        template = "{at} ends a line on {ends:,} of {n:,} draws"
        if known < ends:
            template += ", and on {known:,} of these query points ask it"
        template += ": one mark."
        if known > 1:
            template = template.removesuffix("one mark.") + (
                "a mark each. The bar is their mean, the band one standard deviation, with their "
                "number as the divisor."
            )
        values = {"at": names[at], "ends": ends, "known": known, "n": n}
        told = fact("soft_label_draws.ends", template, **values)
        if current not in self.draws:
            return (told,)
        row = self.draws.index(current)
        if not self.at_end[row, at]:
            template = "On draw {draw}, on show above, it ends none."
            return (told, fact("soft_label_draws.not_on_show", template, at=at, draw=current))
        if np.isnan(self.labels[row, at]).any():
            template = "On draw {draw}, on show above, no query point asks its line."
            return (told, fact("soft_label_draws.not_asked", template, at=at, draw=current))
        template = "That of draw {draw} is ringed."
        return (told, fact("soft_label_draws.ringed", template, at=at, draw=current))


def soft_labels_over_draws(by_draw: Mapping[int, SoftLabels]) -> SoftLabelDraws:
    """Gather the soft labels of one method, fitted on each of several draws."""
    first = next(iter(by_draw.values()))
    n_classes = len(first.classes)
    labels = np.full((len(by_draw), n_classes, n_classes), np.nan)
    at_end = np.zeros((len(by_draw), n_classes), dtype=bool)
    for row, soft_labels in enumerate(by_draw.values()):
        for prototype in soft_labels.prototypes:
            labels[row, prototype.at] = prototype.mean
            at_end[row, prototype.at] = True
    groupings = {
        frozenset(frozenset(line.classes) for line in soft_labels.lines)
        for soft_labels in by_draw.values()
    }
    draws, ways = tuple(by_draw), len(groupings)
    return SoftLabelDraws(first.method, first.classes, draws, labels, at_end, ways)
