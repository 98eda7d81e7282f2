"""Where two methods differ on the same query points, and which of them is right."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.errors import SLPError
from slp_core.explain.answers import Answers
from slp_core.facts import EncoderName, Facts, MethodTitle, Stated, fact, in_sentence

BOTH, ONLY_FIRST, ONLY_SECOND, NEITHER = range(4)


@dataclass(frozen=True, eq=False)
class Difference(Stated):
    """Who is right about each of m query points."""

    first: str
    second: str
    outcome: np.ndarray  # (m,)
    disagree: np.ndarray  # (m,)
    method: str = ""

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


def accuracy_title(name: str, answers: Answers) -> Facts:
    """The title of one of two maps: a method's or an encoder's name, and its accuracy."""
    if not len(answers.true):
        return (fact("difference.unasked_title", "{name}", name=name),)
    template = "{name} · {accuracy:.0%} right"
    return (fact("difference.title", template, name=name, accuracy=answers.accuracy),)


def compare_answers(
    first: Answers, second: Answers, names: tuple[str, str], method: str = ""
) -> Difference:
    """Set two methods' answers to the same query points side by side."""
    if not np.array_equal(first.true, second.true):
        raise SLPError("The two methods were asked about different query points.")
    outcome = 2 * first.wrong + second.wrong
    outcome = np.array([BOTH, ONLY_FIRST, ONLY_SECOND, NEITHER])[outcome]
    return Difference(*names, outcome, first.predicted != second.predicted, method)
