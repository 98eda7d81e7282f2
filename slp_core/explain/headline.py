"""What to know first about a method's errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.explain.causes import CROSSING, Causes
from slp_core.explain.profile import line_profile
from slp_core.methods.protocols import HasProbabilities, predicts_from_lines


@dataclass(frozen=True)
class Headline:
    """The most common cause of the errors, and the classes that a line never predicts."""

    method: str
    classes: tuple[str, ...]
    n_query: int
    n_errors: int
    cause: str = ""  # the most common one, of several the first
    n_cause: int = 0
    line: int | None = None  # with the most errors
    never_predicted: tuple[int, ...] = ()  # on that line, where that explains most errors


def headline(model: HasProbabilities, X: np.ndarray, method: str, causes: Causes) -> Headline:
    """The main cause, and classes of the line with most errors that are never predicted."""
    m, errors = len(causes.true), int(causes.wrong.sum())
    if not errors:
        return Headline(method, causes.classes, m, 0)
    cause = max(causes.counts, key=lambda kind: causes.counts[kind])
    n = causes.counts[cause]
    if not predicts_from_lines(model):
        return Headline(method, causes.classes, m, errors, cause, n)
    line = causes.worst_line
    profile = line_profile(model, line, X, causes)
    predicted = np.unique(causes.predicted[profile.rows])
    here = causes.line == line
    # A line with one predicted class explains all of its errors, whatever their cause.
    due = here & (causes.wrong if len(predicted) == 1 else np.isin(causes.cause, CROSSING))
    never: tuple[int, ...] = ()
    if profile.bands is not None and 2 * due.sum() >= errors:
        never = tuple(c for c in profile.line.classes if c not in predicted)
    return Headline(method, causes.classes, m, errors, cause, n, line, never)
