"""The line above every page and in the report: the current settings and their accuracy."""

from __future__ import annotations

import numpy as np
import pandas as pd

from slp_core.glossary import term
from slp_core.sentences import MethodTitle, Verbatim, count


def settings_texts(dataset: str, encoder: str, shots: int, method: str) -> tuple[str, str, str]:
    """The dataset; the encoder; shots and method."""
    size = f"{shots:,} {term('shots', 'shot' if shots == 1 else 'shots')}"
    return f"**{Verbatim(dataset)}**", f"{Verbatim(encoder)}", f"{size} · **{MethodTitle(method)}**"


def accuracy_text(true: np.ndarray, predicted: np.ndarray) -> str:
    """Accuracy on the query set of one support set; both (m,)."""
    if not len(true):
        return "no query set"
    return f"accuracy **{np.mean(true == predicted):.1%}**"


def correct_text(true: np.ndarray, predicted: np.ndarray) -> str:
    """The accuracy as a count."""
    return f"Correct: {np.sum(true == predicted):,} of {count(len(true), 'query example')}."


def spread_text(accuracy: pd.Series) -> str:
    """Mean and standard deviation of the accuracy over support sets, in per cent."""
    n = len(accuracy)
    if n == 1:
        return "no other of this size"
    deviation = term("standard deviation", f"± {100 * accuracy.std(ddof=0):.1f}")
    return f"all {n:,}: {100 * accuracy.mean():.1f} {deviation}"
