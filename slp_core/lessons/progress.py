"""How far somebody has come in the lessons."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from slp_core.facts import Facts, fact
from slp_core.markdown import literal, shortened

_LONGEST_GUESS = 120  # characters


@dataclass(frozen=True)
class Progress:
    """Of one lesson."""

    step: int = 0
    furthest: int = 0
    answer: int | None = None
    done: bool = False


def step_facts(step: int, steps: int) -> Facts:
    """Where somebody is in a lesson; the step counted from 0, the question after the last."""
    if step >= steps:
        return (fact("lesson.at_question", "The question, after {steps:,} steps", steps=steps),)
    return (fact("lesson.at_step", "Step {step:,} of {steps:,}", step=step + 1, steps=steps),)


def done_facts(progress: Mapping[str, Progress], lessons: Collection[str]) -> Facts:
    """How many lessons are done."""
    done = sum(1 for name in lessons if name in progress and progress[name].done)
    template = "{done:,} of {n:,} lessons done."
    return (fact("lesson.done", template, done=done, n=len(lessons)),)


class Guess(str):
    """What was guessed, in a sentence as it is: a class or a cause, never interpreted."""

    def __format__(self, spec: str) -> str:
        return literal(shortened(str(self), _LONGEST_GUESS))


def guess_facts(told: str, right: str) -> Facts:
    """Whether a guess was right."""
    guess, so = Guess(told), Guess(right)
    if told == right:
        return (fact("guess.right", "**Right**: {guess}.", guess=guess),)
    template = "You said: {guess}. **It is**: {so}."
    return (fact("guess.wrong", template, guess=guess, so=so),)
