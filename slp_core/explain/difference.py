"""Two methods' predictions for the same query examples, and which of them are correct."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from slp_core.explain.predictions import Predictions, confusion
from slp_core.sentences import EncoderName, MethodTitle, count, percent

BOTH, ONLY_FIRST, ONLY_SECOND, NEITHER = range(4)
FILE = "The file's classifier"
"""What the method is called whose predictions came with the data."""


@dataclass(frozen=True, eq=False)
class Difference:
    """Predictions of two methods, or of one ``method`` through two encoders, for m examples."""

    first: str
    second: str
    classes: tuple[str, ...]
    examples: pd.DataFrame  # row, true, and what is predicted: first and second
    method: str = ""

    @classmethod
    def of(
        cls,
        names: tuple[str, str],
        classes: tuple[str, ...],
        rows: Sequence[int] | np.ndarray,
        true: np.ndarray,
        first: np.ndarray,
        second: np.ndarray,
    ) -> Difference:
        columns = {"row": rows, "true": true, "first": first, "second": second}
        return cls(*names, classes, pd.DataFrame(columns))

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
    def p(self) -> float:
        """Of McNemar's exact test, two-sided: binomial on the examples on which one is correct."""
        from scipy.stats import binomtest

        _, first, second, _ = self.counts
        return float(binomtest(first, first + second).pvalue) if first + second else 1.0

    @property
    def confusions(self) -> tuple[np.ndarray, np.ndarray]:
        """(K, K) of either."""
        true, first, second = self.examples[["true", "first", "second"]].to_numpy().T
        k = len(self.classes)
        return confusion(true, first, k), confusion(true, second, k)

    @property
    def names(self) -> tuple[MethodTitle | EncoderName, MethodTitle | EncoderName]:
        """Of the two, as a sentence has them."""
        kind = EncoderName if self.method else MethodTitle
        return kind(self.first), kind(self.second)

    @property
    def labels(self) -> tuple[str, str, str, str]:
        one, other = self.first, self.second
        return "both correct", f"only {one} correct", f"only {other} correct", "both misclassified"

    def table(self) -> pd.DataFrame:
        """(2, 2) counts, written out: the first correct and misclassified, by the second."""
        rows, columns = (
            [f"{name} correct", f"{name} misclassified"] for name in (self.first, self.second)
        )
        counts = pd.DataFrame(np.reshape(self.counts, (2, 2)), rows, columns)
        return counts.map("{:,}".format)

    def named(self, among: np.ndarray) -> pd.DataFrame:
        """A row for each of some examples: ``row``, ``true``, and a column of either's class."""
        found, names = self.examples[among], np.array(self.classes, dtype=object)
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


def beside_file(found: Predictions, theirs: np.ndarray) -> Difference | None:
    """Compare with the file's predictions (m,), -1 for none; None where it has none of these."""
    (rows,) = np.nonzero(theirs >= 0)
    each = found.true[rows], found.predicted[rows], theirs[rows]
    return Difference.of((found.method, FILE), found.classes, rows, *each) if len(rows) else None


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


def mcnemar_text(difference: Difference) -> str:
    """The same with McNemar's test."""
    p = "p < 0.001" if difference.p < 0.0005 else f"p = {difference.p:.3f}"
    return f"{difference_text(difference)} McNemar's exact test on this support set: {p}."


def beside_file_text(difference: Difference, n_query: int) -> str:
    text, without = mcnemar_text(difference), n_query - len(difference.examples)
    if not without:
        return text
    return f"{text} Without a prediction in the file: {count(without, 'query example')}."


def won_text(difference: Difference) -> str:
    one, other = difference.names
    n = count(difference.counts[ONLY_FIRST], "query example")
    return f"Only {one:inside} is correct, not {other:inside}: {n}"


def accuracy_title(name: str, predictions: Predictions) -> str:
    known = len(predictions.true)
    return f"{name} · accuracy {percent(predictions.accuracy)}" if known else name
