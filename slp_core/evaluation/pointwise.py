"""What methods answer on the same points: who is right where, who agrees, which class suffers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slp_core.evaluation.method_runs import MethodRuns
from slp_core.evaluation.wording import Count, Probability
from slp_core.facts import Facts, MethodTitle, Stated, fact

if TYPE_CHECKING:
    import pandas as pd

    from slp_core.data import FewShotDataset


@dataclass(frozen=True)
class McNemar(Stated):
    """Two methods on the same points: who is right where."""

    a: str
    b: str
    both: int  # query points
    only_a: int
    only_b: int
    neither: int
    # of McNemar's exact test: the probability, if a point on which just one is right went to
    # either with equal chances, of a split at least as uneven (two-sided)
    p: float

    @property
    def total(self) -> int:
        """All query points."""
        return self.both + self.only_a + self.only_b + self.neither

    @property
    def accuracy(self) -> tuple[float, float]:
        """Of A and of B, from 0 to 1."""
        return (self.both + self.only_a) / self.total, (self.both + self.only_b) / self.total

    def facts(self) -> Facts:
        """The split, and what p says of it."""
        points, apart = Count(self.total, "query point"), self.only_a + self.only_b
        names = {"a": MethodTitle(self.a), "b": MethodTitle(self.b), "points": points}
        if not apart:
            template = (
                "On this draw {a:inside} and {b:inside} are right and wrong on the very same of "
                "{points}, so there is nothing to test."
            )
            return (fact("compare.same_points", template, both=self.both, **names),)
        template = (
            "On this draw, of {points}, only {a:inside} is right on {only_a:,} and only {b:inside} "
            "on {only_b:,}. Were either as likely to win each point that only one of them gets "
            "right, a split at least as uneven would come up with p = {p} (McNemar's exact test, "
            "{apart}). That is of this one draw: another support set may differ."
        )
        told = {
            "only_a": self.only_a,
            "only_b": self.only_b,
            "p": Probability(self.p),
            "apart": Count(apart, "such point"),
        }
        return (fact("compare.split", template, **names, **told),)

    def won_facts(self) -> Facts:
        """How many points A wins, as a heading of them."""
        n, names = self.only_a, {"a": MethodTitle(self.a), "b": MethodTitle(self.b)}
        apart = " on which {a:inside} is right and {b:inside} wrong"
        if not n:
            return (fact("compare.won_none", "There is no point" + apart + ".", **names),)
        first = "The one query point" if n == 1 else "The {n:,} query points"
        return (fact("compare.won", first + apart, n=n, **names),)

    def side_facts(self, side: str) -> Facts:
        """How many points A gets right, or B: ``side`` is one of the two letters."""
        title = MethodTitle({"A": self.a, "B": self.b}[side])
        accuracy = dict(zip("AB", self.accuracy, strict=True))[side]
        template = "**{side}: {title}**, {accuracy:.1%} of {points} on this draw"
        told = {"title": title, "accuracy": accuracy, "points": Count(self.total, "query point")}
        return (fact("compare.side", template, side=side, **told),)

    def table(self) -> pd.DataFrame:
        """(2, 2) counts, written out: A right and wrong, by B right and wrong."""
        import pandas as pd

        return pd.DataFrame(
            {
                f"{self.b} right": [f"{self.both:,}", f"{self.only_b:,}"],
                f"{self.b} wrong": [f"{self.only_a:,}", f"{self.neither:,}"],
            },
            index=[f"{self.a} right", f"{self.a} wrong"],
        )


def mcnemar(a: str, b: str, true: np.ndarray, first: np.ndarray, second: np.ndarray) -> McNemar:
    """McNemar's exact test: binomial on the points on which just one of two methods is right."""
    from scipy.stats import binomtest

    right_a, right_b = first == true, second == true
    only_a, only_b = int((right_a & ~right_b).sum()), int((right_b & ~right_a).sum())
    apart = only_a + only_b
    p = float(binomtest(only_a, apart, 0.5).pvalue) if apart else 1.0
    both = int((right_a & right_b).sum())
    return McNemar(a, b, both, only_a, only_b, len(true) - both - apart, p)


def won_points(
    dataset: FewShotDataset,
    rows: np.ndarray,
    true: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
) -> pd.DataFrame:
    """The points on which the first of two methods is right and the second is wrong."""
    import pandas as pd

    won, names = (first == true) & (second != true), np.array(dataset.classes)
    return pd.DataFrame(
        {
            "row": rows[won],
            "text": [dataset.describe(row) for row in rows[won].tolist()],
            "true": names[true[won]],
            "A": names[first[won]],
            "B": names[second[won]],
        }
    )


def agreement(answers: Sequence[np.ndarray]) -> np.ndarray:
    """(M, M) share of points on which each pair of methods answers the same."""
    stacked = np.stack(list(answers))
    same: np.ndarray = (stacked[:, None, :] == stacked[None, :, :]).mean(axis=2)
    return same


def alike_facts(n_query: int) -> Facts:
    """What :func:`agreement` on so many points is the share of."""
    template = "Share of {points} that both answer the same, rightly or wrongly."
    return (fact("compare.alike", template, points=Count(n_query, "query point")),)


def confusion(true: np.ndarray, answers: np.ndarray, n_classes: int) -> np.ndarray:
    """(K, K) points by class, a row each, and by answer."""
    from sklearn.metrics import confusion_matrix

    counts: np.ndarray = confusion_matrix(true, answers, labels=range(n_classes))
    return counts


def class_f1(runs: MethodRuns, n_classes: int) -> np.ndarray:
    """(n, K) F1 of each class on each draw: 2 TP / (2 TP + FP + FN).

    0 for a class that is neither asked nor answered.
    """
    # From counts: scikit-learn's scores take milliseconds each, and a page asks for dozens.
    cells = [
        np.bincount(true * n_classes + answers, minlength=n_classes**2)
        for true, answers in zip(runs.true, runs.answers, strict=True)
    ]
    counts = np.reshape(cells, (-1, n_classes, n_classes))
    right = np.diagonal(counts, axis1=1, axis2=2)
    either = counts.sum(axis=1) + counts.sum(axis=2)
    scores: np.ndarray = 2 * right / np.maximum(either, 1)
    return scores
