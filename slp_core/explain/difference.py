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
    classes: tuple[str, ...]
    examples: pd.DataFrame  # row, true, and what is predicted: first and second
    method: str = ""

    @cached_property
    def outcome(self) -> np.ndarray:
        """(m,) one of the constants."""
        true, first, second = self.examples[["true", "first", "second"]].to_numpy().T
        return 2 * (first != true) + (second != true)

    @cached_property
    def disagree(self) -> np.ndarray:
        """(m,) bool: where the predictions differ."""
        return (self.examples["first"] != self.examples["second"]).to_numpy()

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
        found, names = self.examples[self.disagree], np.array(self.classes, dtype=object)
        columns = {"true": "true", self.first: "first", self.second: "second"}
        predicted = {name: names[found[which]] for name, which in columns.items()}
        return pd.DataFrame({"row": found["row"].to_numpy()} | predicted)


def compare_predictions(
    first: Predictions,
    second: Predictions,
    names: tuple[str, str],
    method: str = "",
    rows: tuple[np.ndarray, np.ndarray] | None = None,
) -> Difference:
    """Compare two methods on the same query examples: of two sets of ``rows``, on those in both."""
    here, there = rows or (range(len(first.true)),) * 2
    ours = pd.DataFrame({"row": here, "true": first.true, "first": first.predicted})
    theirs = pd.DataFrame({"row": there, "second": second.predicted})
    return Difference(*names, first.classes, ours.merge(theirs, on="row"), method)


def difference_text(difference: Difference) -> str:
    n = len(difference.outcome)
    if not n:
        return "There are no query examples to compare on."
    differ, (both, only_first, only_second, _) = int(difference.disagree.sum()), difference.counts
    one, other = difference.names
    first, second = (percent((both + only) / n, 1) for only in (only_first, only_second))
    return (
        f"Accuracy: {one:inside} {first}, {other:inside} {second}. Different predictions: "
        f"{differ:,} of {count(n, 'query example')}; correct only with {one:inside}: "
        f"{only_first:,}, only with {other:inside}: {only_second:,}."
    )


def accuracy_title(name: str, predictions: Predictions) -> str:
    known = len(predictions.true)
    return f"{name} · accuracy {percent(predictions.accuracy)}" if known else name
