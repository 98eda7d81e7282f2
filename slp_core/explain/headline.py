"""The first thing to know about a method's errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.explain.causes import CROSSING, Causes
from slp_core.explain.profile import line_profile
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


def headline(model: HasProbabilities, X: np.ndarray, method: str, causes: Causes) -> Headline:
    """The main cause of errors: classes that a line never predicts, or else one cause."""
    m, errors = len(causes.true), int(causes.wrong.sum())
    if not errors:
        return Headline(method, causes.classes, m, 0)
    cause = max(causes.counts, key=lambda kind: causes.counts[kind])
    n = causes.counts[cause]
    if not predicts_from_lines(model):
        return Headline(method, causes.classes, m, errors, cause, n)
    line, most = int(causes.by_line.sum(axis=0).argmax()), n - 1
    never: tuple[int, ...] = ()
    for number in range(causes.n_lines):
        missing, explained = _never_predicted(model, number, X, causes)
        if missing and explained > most:
            line, never, most = number, missing, explained
    return Headline(method, causes.classes, m, errors, cause, n, line, never)


def _never_predicted(
    model: HasLines, number: int, X: np.ndarray, causes: Causes
) -> tuple[tuple[int, ...], int]:
    """Classes of a line with query examples, never predicted there; the errors that explains."""
    profile = line_profile(model, number, X, causes)
    if profile.bands is None:
        return (), 0
    predicted = np.unique(causes.predicted[profile.rows])
    # A line with one predicted class explains all of its errors, whatever their cause.
    due = causes.wrong if len(predicted) == 1 else np.isin(causes.cause, CROSSING)
    missing = np.setdiff1d(causes.true, predicted)
    never = tuple(c for c in profile.line.classes if c in missing)
    return never, int(due[profile.rows].sum())
