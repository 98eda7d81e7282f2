"""Sentences of lessons about computed results: progress, Theorem 2, the paper's examples."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from slp_core.explain.causes import CROSSING, Causes
from slp_core.explain.point import PointReading
from slp_core.lessons.lesson import Progress
from slp_core.markdown import literal, shortened
from slp_core.methods.protocols import HasProbabilities, predicts_from_lines
from slp_core.sentences import class_names, count, number

_LONGEST_GUESS = 120  # characters


# Progress and guesses


def step_text(step: int, steps: int) -> str:
    """The current step, counted from 0; the question comes after the last."""
    return "Question" if step >= steps else f"Step {step + 1} of {steps}"


def done_text(progress: Mapping[str, Progress], lessons: Collection[str]) -> str:
    done = sum(1 for name in lessons if name in progress and progress[name].done)
    return f"{done} of {len(lessons)} lessons done."


def guess_text(guess: str, correct: str) -> str:
    guess, correct = (literal(shortened(each, _LONGEST_GUESS)) for each in (guess, correct))
    if guess == correct:
        return f"**Correct**: {guess}."
    return f"Your guess: {guess}. **Correct answer**: {correct}."


# What the views say


def lines_text(model: HasProbabilities) -> str:
    """How many lines there are, and how many classes have a prototype; nothing without lines."""
    if not predicts_from_lines(model):
        return ""
    ends = {end for line in model.lines_ for end in (line.left, line.right)}
    k = len(model.classes_)
    return (
        f"{count(len(model.lines_), 'line')} for {count(k, 'class', 'classes')}. Classes with a "
        f"prototype: {len(ends)}; without: {k - len(ends)}."
    )


def theorem2_text(causes: Causes) -> str:
    each = causes.examples
    near, crossed = int((each["nearest"] == each["true"]).sum()), each["cause"].isin(CROSSING).sum()
    return (
        f"Misclassified although the nearest centroid is correct: {crossed:,} of "
        f"{count(near, 'query example')}."
    )


def toy_text(reading: PointReading) -> str:
    return (
        f"Predicted: **{class_names(reading.classes)[reading.predicted]}**, as in the paper. The "
        f"paper divides by 1.5, the distance of *x*'s projection on the line; *x* itself is "
        f"{number(float(reading.distances[0]))} away."
    )
