"""Where two methods differ on the same query points, and which of them is right."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.errors import SLPError
from slp_core.explain.answers import Answers

BOTH, ONLY_FIRST, ONLY_SECOND, NEITHER = range(4)


@dataclass(frozen=True, eq=False)
class Difference:
    """Who is right about each of m query points.

    Attributes
    ----------
    first, second : str
        What the two are called.
    outcome : (m,) int array
        ``BOTH``, ``ONLY_FIRST``, ``ONLY_SECOND`` or ``NEITHER`` right.
    disagree : (m,) bool array
        Where the two answers differ.
    """

    first: str
    second: str
    outcome: np.ndarray
    disagree: np.ndarray

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Points by outcome, in the order of the constants."""
        both, first, second, neither = np.bincount(self.outcome, minlength=4).tolist()
        return both, first, second, neither

    @property
    def labels(self) -> tuple[str, str, str, str]:
        """What to call the outcomes."""
        return "both right", f"only {self.first} right", f"only {self.second} right", "both wrong"

    def sentence(self) -> str:
        """How often they differ, and to whose advantage."""
        m = len(self.outcome)
        if not m:
            return "There is no query point to differ on."
        _, first, second, _ = self.counts
        differ = int(self.disagree.sum())
        if not differ:
            return f"{self.first} and {self.second} answer all {m:,} query points alike."
        wrong = differ - first - second
        rest = f", and at {wrong:,} both are wrong in different ways" if wrong else ""
        return (
            f"{self.first} and {self.second} differ at {differ:,} of {m:,} query points "
            f"({differ / m:.0%}): at {first:,} only {self.first} is right, at {second:,} only "
            f"{self.second}{rest}."
        )


def compare_answers(first: Answers, second: Answers, names: tuple[str, str]) -> Difference:
    """Set two methods' answers to the same query points side by side.

    Parameters
    ----------
    first, second : Answers
    names : (str, str)
        What to call the two.

    Raises
    ------
    SLPError
        Where they were asked about different points.
    """
    if not np.array_equal(first.true, second.true):
        raise SLPError("The two methods were asked about different query points.")
    outcome = 2 * first.wrong + second.wrong
    outcome = np.array([BOTH, ONLY_FIRST, ONLY_SECOND, NEITHER])[outcome]
    return Difference(*names, outcome, first.predicted != second.predicted)
