"""Predictions before and after soft labels are edited by hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.explain.predictions import Predictions


@dataclass(frozen=True, eq=False)
class SoftLabelEdit:
    """A method's predictions, those of its soft labels held constant, and those of edited ones."""

    method: Predictions
    constant: bool
    before: Predictions
    now: Predictions
    touched: bool

    @property
    def changed(self) -> int:
        """How many predictions the edit has changed."""
        return int(np.count_nonzero(self.now.predicted != self.before.predicted))


@dataclass(frozen=True)
class SeenExamples:
    """Prototypes of another draw: how many of n query examples are in its support set."""

    shots: int
    draw: int
    seen: int
    n: int


def seen_examples(shots: int, draw: int, support: np.ndarray, query: np.ndarray) -> SeenExamples:
    """Count the query examples that were support examples where the prototypes were fitted."""
    return SeenExamples(shots, draw, int(np.isin(query, support).sum()), len(query))
