"""Sentences of lessons about computed results: progress, Theorem 2, the paper's examples."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pandas as pd

from slp_core.explain.causes import CROSSING, Causes
from slp_core.explain.text import bands_text
from slp_core.explain.worked_example import WorkedExample, WorkedStep
from slp_core.lessons.experiments import ConstantFactor, InitialHeads, LossWeighting
from slp_core.lessons.lesson import Progress
from slp_core.lessons.questions import (
    Assignment,
    Deciding,
    FarAway,
    JsdHalves,
    MiddleClass,
    Midway,
    Placing,
    SameWeight,
)
from slp_core.markdown import literal, shortened
from slp_core.methods.protocols import HasProbabilities, predicts_from_lines
from slp_core.sentences import class_names, count, number, percent, significant

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


# The evidence for a question's correct choice


def middle_text(found: MiddleClass) -> str:
    """The intervals of w on the line that the question is about."""
    return bands_text(found.bands, found.classes)


def midway_text(found: Midway) -> str:
    """Class scores of blue and green midway between their centroids."""
    return (
        "Midway between blue and green, the paper's soft labels give blue a score of "
        f"{number(found.blue)} and green {number(found.green)}."
    )


def assignment_text(found: Assignment) -> str:
    """How many query examples follow each rule."""
    return (
        f"Of {count(found.m, 'query example')}, {count(found.nearest_segment, 'is', 'are')} "
        f"assigned to the line with the nearest segment, {found.nearest_prototype:,} to the one "
        f"with the nearest prototype, and {found.most_classes:,} to the one with the most classes."
    )


def far_text(found: FarAway) -> str:
    """The class that wins where both prototypes are equally far."""
    name = class_names(found.classes)[found.winner]
    return f"On line {found.line + 1}, {name} wins where both prototypes are equally far."


def deciding_text(found: Deciding) -> str:
    """How many predictions each of the two explains."""
    name = class_names(found.classes)[found.winner]
    return (
        f"Of {count(found.m, 'prediction')} on line {found.line + 1}, "
        f"{count(found.at_half, 'is', 'are')} {name}, the class that wins at equal distances, and "
        f"{count(found.nearest, 'is', 'are')} the class of the nearest centroid."
    )


def same_weight_text(found: SameWeight) -> str:
    """How many classes would be predicted at one w."""
    return (
        f"Classes predicted if all {count(found.m, 'query example')} of line {found.line + 1} had "
        f"*w* = ½: {found.classes:,}."
    )


def halves_text(found: JsdHalves) -> str:
    """Accuracy in each half, and the standard error of the difference."""
    low, high = found.accuracies
    return (
        f"Accuracy: {percent(low)} ({found.correct_low:,} of {found.n_low:,}) in the half with the "
        f"lower JSD, {percent(high)} ({found.correct_high:,} of {found.n_high:,}) in the other. "
        "The standard error of the difference is "
        f"{number(100 * found.standard_error, 1)} percentage points."
    )


def placing_text(found: Placing) -> str:
    """How many examples give the loss and place the prototypes at once."""
    return (
        f"In {count(found.steps, 'step')}, examples placed prototypes {found.placing:,} times; "
        f"{found.shared:,} of these also gave the same step's loss."
    )


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
    """How many predictions differ from a nearest centroid that is correct."""
    near = int((causes.nearest == causes.true).sum())
    crossed = int(np.isin(causes.cause, CROSSING).sum())
    return (
        f"Misclassified although the nearest centroid is correct: {crossed:,} of "
        f"{count(near, 'query example')}."
    )


def toy_text(example: WorkedExample) -> str:
    """The prediction, and the one number that the paper prints for another point."""
    reading = example.way.reading
    return (
        f"Predicted: **{class_names(reading.classes)[reading.predicted]}**, as in the paper. The "
        f"paper divides by 1.5, the distance of *x*'s projection on the line; *x* itself is "
        f"{number(float(reading.distances[0]))} away."
    )


def values_table(steps: Sequence[WorkedStep]) -> pd.DataFrame:
    """What is computed here, step by step."""
    rows = [(step.name, step.computed) for step in steps]
    return pd.DataFrame(rows, columns=["quantity", "value"])


def audit_table(steps: Sequence[WorkedStep]) -> pd.DataFrame:
    """The steps that the paper prints, beside its numbers, and why they differ."""
    columns = ("quantity", "computed here", "printed in the paper", "why they differ")
    rows = [(step.name, step.computed, step.printed or "–", step.why) for step in steps]
    return pd.DataFrame(rows, columns=columns)


# Experiments: a question, the answer, and the two fits as a table


def loss_weighting_text(found: LossWeighting) -> str:
    """Whether weighting the loss per example matters here."""
    return (
        "**Does it matter whether the loss is weighted per example?** Predictions that differ: "
        f"{found.different:,} of {found.m:,}."
    )


def constant_factor_text(found: ConstantFactor) -> str:
    """Whether a constant factor on the loss matters under Adam."""
    return (
        "**Does a constant factor on the loss matter?** Hardly: Adam divides it out. Training "
        f"changed a weight by up to {significant(found.moved, 2)}, the factor by up to "
        f"{significant(found.apart, 2)}."
    )


def initial_heads_text(found: InitialHeads) -> str:
    """Whether it matters where the heads start."""
    return (
        "**Does it matter where the heads start?** Accuracy after one epoch and at the end, on "
        f"{count(found.m, 'query example')}."
    )


def experiment_table(found: LossWeighting | ConstantFactor | InitialHeads) -> pd.DataFrame:
    """A row for each of the two fits."""
    if isinstance(found, LossWeighting):
        rows = {"loss weighting": ["per example", "per batch"], "accuracy": found.accuracy}
        return pd.DataFrame(rows | {"last loss": found.loss})
    if isinstance(found, ConstantFactor):
        rows = {"loss weighting": ["per batch", "none"], "accuracy": found.accuracy}
        return pd.DataFrame(rows)
    rows = {"heads start": ["as nearest centroid", "at random"], "accuracy, 1 epoch": found.early}
    return pd.DataFrame(rows | {"accuracy, all epochs": found.final})
