"""Two methods' predictions for the same query examples, and which of them are correct."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from slp_core.explain.predictions import Predictions
from slp_core.sentences import EncoderName, MethodTitle, count, percent

BOTH, ONLY_FIRST, ONLY_SECOND, NEITHER = range(4)


@dataclass(frozen=True, eq=False)
class Difference:
    """Predictions of two methods, or of one ``method`` through two encoders, for m examples."""

    first: str
    second: str
    predictions: tuple[Predictions, Predictions]
    method: str = ""
    rows: np.ndarray | None = None  # (m,)

    @cached_property
    def outcome(self) -> np.ndarray:
        """(m,) one of the constants."""
        first, second = self.predictions
        return np.array([BOTH, ONLY_FIRST, ONLY_SECOND, NEITHER])[2 * first.wrong + second.wrong]

    @cached_property
    def disagree(self) -> np.ndarray:
        """(m,) bool: where the predictions differ."""
        first, second = self.predictions
        return first.predicted != second.predicted

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Examples by outcome, in the order of the constants."""
        both, first, second, neither = np.bincount(self.outcome, minlength=4).tolist()
        return both, first, second, neither

    @property
    def names(self) -> tuple[MethodTitle | EncoderName, MethodTitle | EncoderName]:
        """Of the two, as a sentence has them."""
        kind = EncoderName if self.method else MethodTitle
        return kind(self.first), kind(self.second)

    @property
    def labels(self) -> tuple[str, str, str, str]:
        one, other = self.first, self.second
        return "both correct", f"only {one} correct", f"only {other} correct", "both misclassified"

    def changed_table(self) -> pd.DataFrame:
        """A row per changed prediction: ``row``, ``true``, and a column of either's prediction."""
        first, second = self.predictions
        names, here = np.array(first.classes, dtype=object), self.disagree
        rows = np.arange(len(here)) if self.rows is None else self.rows
        columns = {"row": rows[here], "true": names[first.true[here]]}
        codes = {self.first: first.predicted, self.second: second.predicted}
        return pd.DataFrame(columns | {name: names[each[here]] for name, each in codes.items()})


def compare_predictions(
    first: Predictions,
    second: Predictions,
    names: tuple[str, str],
    method: str = "",
    rows: tuple[np.ndarray, np.ndarray] | None = None,
) -> Difference:
    """Compare two methods on the same query examples: of two sets of ``rows``, on those in both."""
    both = None
    if rows is not None:
        both, *places = np.intersect1d(*rows, assume_unique=True, return_indices=True)
        first, second = (each.take(at) for each, at in zip((first, second), places, strict=True))
    return Difference(*names, (first, second), method, both)


def difference_text(difference: Difference) -> str:
    n = len(difference.outcome)
    if not n:
        return "There are no query examples to compare on."
    differ, (_, only_first, only_second, _) = int(difference.disagree.sum()), difference.counts
    one, other = difference.names
    first, second = (percent(each.accuracy, 1) for each in difference.predictions)
    return (
        f"Accuracy: {one:inside} {first}, {other:inside} {second}. Different predictions: "
        f"{differ:,} of {count(n, 'query example')}; correct only with {one:inside}: "
        f"{only_first:,}, only with {other:inside}: {only_second:,}."
    )


def accuracy_title(name: str, predictions: Predictions) -> str:
    known = len(predictions.true)
    return f"{name} · accuracy {percent(predictions.accuracy)}" if known else name
