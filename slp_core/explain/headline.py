"""The first thing to know about a method's errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.explain.causes import CROSSING, Causes
from slp_core.methods.protocols import HasLines, HasProbabilities, predicts_from_lines


@dataclass(frozen=True)
class Headline:
    """The most common cause of the errors, and the classes that a line never predicts."""

    method: str
    classes: tuple[str, ...]
    n_query: int
    n_errors: int
    cause: str = ""  # the most common one, of several the first
    n_cause: int = 0
    line: int | None = None  # where classes are never predicted; else with the most errors
    never_predicted: tuple[int, ...] = ()  # on that line, where that explains as many errors


def headline(model: HasProbabilities, method: str, causes: Causes) -> Headline:
    """The main cause of errors: classes that a line never predicts, or else one cause."""
    m, errors = len(causes.examples), int(causes.wrong.sum())
    if not errors:
        return Headline(method, causes.classes, m, 0)
    cause = max(causes.counts, key=lambda kind: causes.counts[kind])
    n = causes.counts[cause]
    if not predicts_from_lines(model):
        return Headline(method, causes.classes, m, errors, cause, n)
    line, most = int(causes.by_line.sum(axis=0).argmax()), n - 1
    never: tuple[int, ...] = ()
    for number in range(causes.n_lines):
        missing, explained = _never_predicted(model, number, causes)
        if missing and explained > most:
            line, never, most = number, missing, explained
    return Headline(method, causes.classes, m, errors, cause, n, line, never)


def _never_predicted(model: HasLines, number: int, causes: Causes) -> tuple[tuple[int, ...], int]:
    """Classes of a line with query examples, never predicted there; the errors that explains."""
    if causes.local:
        return (), 0
    here = causes.examples[causes.examples["line"] == number]
    predicted = here["predicted"].unique()
    wrong = here["predicted"] != here["true"]
    # A line with one predicted class explains all of its errors, whatever their cause.
    due = wrong if len(predicted) == 1 else here["cause"].isin(CROSSING)
    missing = np.setdiff1d(causes.examples["true"], predicted)
    return tuple(c for c in model.lines_[number].classes if c in missing), int(due.sum())
