"""What two methods, draws or encoders answer, where their soft labels are compared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from slp_core.explain.answers import Answers
from slp_core.facts import Facts, Stated, fact, noun


@dataclass(frozen=True, eq=False)
class AnswersBeside(Stated):
    """Two methods' answers to the query points that both have."""

    names: tuple[str, str]
    classes: tuple[str, ...]
    rows: np.ndarray  # (p,)
    true: np.ndarray  # (p,)
    first: np.ndarray  # (p,)
    second: np.ndarray  # (p,)

    @property
    def changed(self) -> np.ndarray:
        """(p,) bool: where the two answers differ."""
        return self.first != self.second

    def facts(self) -> Facts:
        """How often either is right, and how many answers change."""
        n, (one, other) = len(self.rows), self.names
        if not n:
            template = "{one} and {other} have no query point in common to answer."
            return (fact("answers_beside.none", template, one=one, other=other),)
        changed = self.changed
        template = (
            "Of {n:,} "
            + noun(n, "query point")
            + (" {one} answers {first:.1%} right, {other} {second:.1%}; ")
        )
        if not changed.any():
            template += "no answer changes."
        else:
            template += (
                "{changed:,} "
                + noun(int(changed.sum()), "answer changes", "answers change")
                + ", {gained:,} from wrong to right and {lost:,} from right to wrong."
            )
        right = self.first == self.true, self.second == self.true
        told = fact(
            "answers_beside.changed",
            template,
            n=n,
            one=one,
            other=other,
            first=float(right[0].mean()),
            second=float(right[1].mean()),
            changed=int(changed.sum()),
            gained=int((~right[0] & right[1]).sum()),
            lost=int((right[0] & ~right[1]).sum()),
        )
        return (told,)

    def table(self) -> pd.DataFrame:
        """A row a changed answer: ``row``, ``true``, and either's answer under its name."""
        names, here = np.array(self.classes, dtype=object), self.changed
        columns = {"row": self.rows[here], "true": names[self.true[here]]}
        first, second = names[self.first[here]], names[self.second[here]]
        return pd.DataFrame({**columns, self.names[0]: first, self.names[1]: second})


def answers_beside(
    first: Answers,
    second: Answers,
    rows: tuple[np.ndarray, np.ndarray],
    names: tuple[str, str],
) -> AnswersBeside:
    """Set two methods' answers side by side, on the query points that both have."""
    both, at, there = np.intersect1d(*rows, assume_unique=True, return_indices=True)
    return AnswersBeside(
        names, first.classes, both, first.true[at], first.predicted[at], second.predicted[there]
    )


def spread_facts(name: str, accuracy: np.ndarray) -> Facts:
    """How right a method is over draws of the support set."""
    n, mean = len(accuracy), float(np.mean(accuracy))
    if n == 1:
        template = "{name}: {mean:.1%} right on its one draw."
        return (fact("answers_beside.one_draw", template, name=name, mean=mean),)
    template = (
        "{name}: {mean:.1%} right over {n:,} draws, with a standard deviation of {std:.1f} points "
        "(divisor {n:,})."
    )
    std = 100 * float(np.std(accuracy))
    return (fact("answers_beside.spread", template, name=name, mean=mean, n=n, std=std),)
