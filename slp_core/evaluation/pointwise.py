"""What methods answer on the same points: who is right where, who agrees, which class suffers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slp_core.evaluation.comparison import in_sentence
from slp_core.evaluation.method_runs import MethodRuns

if TYPE_CHECKING:
    import pandas as pd

    from slp_core.data import FewShotDataset


@dataclass(frozen=True)
class McNemar:
    """Two methods on the same points: who is right where.

    Attributes
    ----------
    a, b : str
    both, only_a, only_b, neither : int
        Query points.
    p : float
        Of McNemar's exact test: the probability, if a point on which just one is right went to
        either with equal chances, of a split at least as uneven (two-sided).
    """

    a: str
    b: str
    both: int
    only_a: int
    only_b: int
    neither: int
    p: float

    @property
    def total(self) -> int:
        """All query points."""
        return self.both + self.only_a + self.only_b + self.neither

    @property
    def accuracy(self) -> tuple[float, float]:
        """Of A and of B, from 0 to 1."""
        return (self.both + self.only_a) / self.total, (self.both + self.only_b) / self.total

    def sentence(self) -> str:
        """The split, and what p says of it."""
        a, b, apart = in_sentence(self.a), in_sentence(self.b), self.only_a + self.only_b
        points = f"{self.total:,} query point{'' if self.total == 1 else 's'}"
        if not apart:
            return (
                f"On this draw {a} and {b} are right and wrong on the very same of {points}, so "
                "there is nothing to test."
            )
        such = f"{apart:,} such point{'' if apart == 1 else 's'}"
        return (
            f"On this draw, of {points}, only {a} is right on {self.only_a:,} and only {b} on "
            f"{self.only_b:,}. Were either as likely to win each point that only one of them gets "
            f"right, a split at least as uneven would come up with p = {_p(self.p)} (McNemar's "
            f"exact test, {such}). That is of this one draw: another support set may differ."
        )

    def won_sentence(self) -> str:
        """How many points A wins, as a heading of them."""
        n, apart = self.only_a, f"{in_sentence(self.a)} is right and {in_sentence(self.b)} wrong"
        if not n:
            return f"There is no point on which {apart}."
        points = "The one query point" if n == 1 else f"The {n:,} query points"
        return f"{points} on which {apart}"

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
    """McNemar's exact test: binomial on the points on which just one of two methods is right.

    Parameters
    ----------
    a, b : str
        What to call them.
    true, first, second : (m,) arrays
        The points' classes, and either's answers.
    """
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
    """The points on which the first of two methods is right and the second is wrong.

    Parameters
    ----------
    dataset : FewShotDataset
    rows : (m,) array
        Where the points stand in it.
    true, first, second : (m,) arrays
        Their classes, and either's answers, as indices into the dataset's classes.

    Returns
    -------
    pandas.DataFrame
        In the points' order: ``row``, ``text``, and the names of the classes, ``true``, ``A`` that
        the first method answers and ``B`` that the second does.
    """
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
    """(M, M) share of points on which each pair of methods answers the same.

    Parameters
    ----------
    answers : sequence of (m,) arrays
        One a method, on the same points; m > 0.
    """
    stacked = np.stack(list(answers))
    same: np.ndarray = (stacked[:, None, :] == stacked[None, :, :]).mean(axis=2)
    return same


def confusion(true: np.ndarray, answers: np.ndarray, n_classes: int) -> np.ndarray:
    """(K, K) points by class, a row each, and by answer.

    Parameters
    ----------
    true, answers : (m,) arrays
    n_classes : int
    """
    from sklearn.metrics import confusion_matrix

    counts: np.ndarray = confusion_matrix(true, answers, labels=range(n_classes))
    return counts


def class_f1(runs: MethodRuns, n_classes: int) -> np.ndarray:
    """(n, K) F1 of each class on each draw; 0 for a class that is neither asked nor answered.

    Parameters
    ----------
    runs : MethodRuns
    n_classes : int
    """
    from sklearn.metrics import f1_score

    labels = range(n_classes)
    return np.array(
        [
            f1_score(true, answers, labels=labels, average=None, zero_division=0)
            for true, answers in zip(runs.true, runs.answers, strict=True)
        ]
    )


def _p(p: float) -> str:
    return f"{p:.3f}" if p >= 0.001 else f"{p:.1e}"
