"""Where two methods differ on the same query points, and which of them is right."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from slp_core.errors import SLPError
from slp_core.explain.predictions import Predictions
from slp_core.facts import EncoderName, Facts, MethodTitle, Stated, fact, in_sentence, noun

BOTH, ONLY_FIRST, ONLY_SECOND, NEITHER = range(4)


@dataclass(frozen=True, eq=False)
class Difference(Stated):
    """Who is right about each of m query points."""

    first: str
    second: str
    answers: tuple[Predictions, Predictions]
    method: str = ""
    rows: np.ndarray | None = None  # (m,)

    @cached_property
    def outcome(self) -> np.ndarray:
        """(m,) one of the constants."""
        first, second = self.answers
        return np.array([BOTH, ONLY_FIRST, ONLY_SECOND, NEITHER])[2 * first.wrong + second.wrong]

    @cached_property
    def disagree(self) -> np.ndarray:
        """(m,) bool: where the two answers differ."""
        first, second = self.answers
        return first.predicted != second.predicted

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Points by outcome, in the order of the constants."""
        both, first, second, neither = np.bincount(self.outcome, minlength=4).tolist()
        return both, first, second, neither

    @property
    def labels(self) -> tuple[str, str, str, str]:
        """What to call the outcomes."""
        if self.method:
            first, second = f"“{self.first}”", f"“{self.second}”"
        else:
            first, second = in_sentence(self.first), in_sentence(self.second)
        return "both right", f"only {first} right", f"only {second} right", "both wrong"

    def facts(self) -> Facts:
        """How often they differ, and to whose advantage."""
        m = len(self.outcome)
        if not m:
            template = "There is no query point to differ on."
            return (fact("difference.nothing_asked", template),)
        name = EncoderName if self.method else MethodTitle
        names = {"first": name(self.first), "second": name(self.second)}
        if self.method:
            names["method"] = MethodTitle(self.method)
        differ = int(self.disagree.sum())
        if not differ:
            points = "all {n:,} query points" if m > 1 else "the one query point"
            template = "{first} and {second:inside} answer " + points + " alike."
            if self.method:
                template = f"{{method}} answers {points} alike through {{first}} and {{second}}."
            return (fact("difference.alike", template, n=m, **names),)
        _, first, second, _ = self.counts
        wrong = differ - first - second
        template = self._through_two(wrong) if self.method else self._of_two(wrong)
        told = fact(
            "difference.counted",
            template + ".",
            n=m,
            differ=differ,
            share=differ / m,
            only_first=first,
            only_second=second,
            wrong=wrong,
            **names,
        )
        return (told,)

    def changes_facts(self) -> Facts:
        """How often either is right, and how many answers change."""
        n, one, other = len(self.outcome), self.first, self.second
        if not n:
            template = "{one} and {other} have no query point in common to answer."
            return (fact("answers_beside.none", template, one=one, other=other),)
        changed = int(self.disagree.sum())
        template = (
            "Of {n:,} "
            + noun(n, "query point")
            + (" {one} answers {first:.1%} right, {other} {second:.1%}; ")
        )
        if not changed:
            template += "no answer changes."
        else:
            template += (
                "{changed:,} "
                + noun(changed, "answer changes", "answers change")
                + ", {gained:,} from wrong to right and {lost:,} from right to wrong."
            )
        _, lost, gained, _ = self.counts
        told = fact(
            "answers_beside.changed",
            template,
            n=n,
            one=one,
            other=other,
            first=self.answers[0].accuracy,
            second=self.answers[1].accuracy,
            changed=changed,
            gained=gained,
            lost=lost,
        )
        return (told,)

    def changed_table(self) -> pd.DataFrame:
        """A row a changed answer: ``row``, ``true``, and either's answer under its name."""
        first, second = self.answers
        names, here = np.array(first.classes, dtype=object), self.disagree
        rows = np.arange(len(here)) if self.rows is None else self.rows
        columns = {"row": rows[here], "true": names[first.true[here]]}
        told = {self.first: first.predicted, self.second: second.predicted}
        return pd.DataFrame(columns | {name: names[codes[here]] for name, codes in told.items()})

    @staticmethod
    def _of_two(wrong: int) -> str:
        both = "both are wrong in different ways" if wrong > 1 else "both are wrong, differently"
        return (
            "{first} and {second:inside} differ at {differ:,} of {n:,} query points ({share:.0%}): "
            "at {only_first:,} only {first:inside} is right, at {only_second:,} only "
            "{second:inside}"
        ) + (f", and at {{wrong:,}} {both}" if wrong else "")

    @staticmethod
    def _through_two(wrong: int) -> str:
        return (
            "{method} answers {differ:,} of {n:,} query points ({share:.0%}) differently through "
            "{first} and through {second}: {only_first:,} rightly only through the first, "
            "{only_second:,} only through the second"
        ) + (", and {wrong:,} wrongly through either" if wrong else "")


def accuracy_title(name: str, answers: Predictions) -> Facts:
    """The title of one of two maps: a method's or an encoder's name, and its accuracy."""
    if not len(answers.true):
        return (fact("difference.unasked_title", "{name}", name=name),)
    template = "{name} · {accuracy:.0%} right"
    return (fact("difference.title", template, name=name, accuracy=answers.accuracy),)


def compare_answers(
    first: Predictions,
    second: Predictions,
    names: tuple[str, str],
    method: str = "",
    rows: tuple[np.ndarray, np.ndarray] | None = None,
) -> Difference:
    """Set two methods' answers to the same query points side by side, of ``rows`` those in both."""
    both = None
    if rows is not None:
        both, *places = np.intersect1d(*rows, assume_unique=True, return_indices=True)
        first, second = (each.take(at) for each, at in zip((first, second), places, strict=True))
    if not np.array_equal(first.true, second.true):
        raise SLPError("The two methods were asked about different query points.")
    return Difference(*names, (first, second), method, both)


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
