"""How much a soft label owes to the luck of the draw."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from slp_core.explain.soft_labels import SoftLabels
from slp_core.markdown import named


@dataclass(frozen=True, eq=False)
class SoftLabelDraws:
    """The soft labels of one method on several draws.

    Attributes
    ----------
    method : str
    classes : tuple of str
    draws : tuple of int
    labels : (D, K, K) array
        (Mean) soft label of the prototype at one class for another; NaN where the class ends no
        line on that draw.
    groupings : int
        How many different ways of dealing the classes to lines the draws have led to.
    """

    method: str
    classes: tuple[str, ...]
    draws: tuple[int, ...]
    labels: np.ndarray
    groupings: int

    @cached_property
    def ends(self) -> np.ndarray:
        """(K,) int: on how many draws each class ends a line."""
        return (~np.isnan(self.labels).any(axis=2)).sum(axis=0)

    @cached_property
    def std(self) -> np.ndarray:
        """(K, K) standard deviation over the draws on which the class ends a line."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # a class that never ends a line
            return np.nanstd(self.labels, axis=0)

    @property
    def ends_by_frequency(self) -> tuple[int, ...]:
        """The classes that ever end a line, those that do most often first."""
        order = np.argsort(-self.ends, kind="stable")
        return tuple(int(k) for k in order if self.ends[k])

    @cached_property
    def most_moved(self) -> tuple[int, int]:
        """The class of the prototype, and the class, whose soft label the draw moves most."""
        repeated = np.where(self.ends[:, None] > 1, self.std, -1.0)
        at, of = divmod(int(repeated.argmax()), len(self.classes))
        return (at, of) if repeated[at, of] > 0 else (self.ends_by_frequency[0], of)

    def sentence(self) -> str:
        """Which soft label the draw moves most, and whether the lines stay."""
        n = len(self.draws)
        lines = (
            "The lines carry the same classes on all of them."
            if self.groupings == 1
            else f"The classes are dealt to lines in {self.groupings} different ways."
        )
        at, of = self.most_moved
        if not self.std[at, of] > 1e-9:
            return f"Over {n} draws no soft label of {self.method} changes. {lines}"
        values = self.labels[:, at, of]
        return (
            f"Over {n} draws of {self.method} the soft label that moves most is that for "
            f"{named(self.classes[of])} at {named(self.classes[at])}: {np.nanmin(values):.2f} to "
            f"{np.nanmax(values):.2f} on the {self.ends[at]} draws on which "
            f"{named(self.classes[at])} ends a line. {lines}"
        )


def soft_labels_over_draws(by_draw: Mapping[int, SoftLabels]) -> SoftLabelDraws:
    """Gather the soft labels of one method, fitted on each of several draws.

    Parameters
    ----------
    by_draw : mapping of int to SoftLabels
        At least one.
    """
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
