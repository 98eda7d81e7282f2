"""What each shot of a support set does: leave it out, refit in milliseconds, and compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from slp_core.errors import Cancelled, SLPError
from slp_core.methods.tables import check_one_label_each
from slp_core.progress import CancelledCallback, Progress, ProgressCallback

LAST_SHOT = "the last shot of its class"
NOT_JUDGED = "no other shot can be judged without it"


@dataclass(frozen=True, eq=False)
class ShotInfluences:
    """Predictions with and without each of n shots, for m examples or the shots themselves."""

    classes: tuple[str, ...]
    label: np.ndarray  # (n,) class given to each shot
    last: np.ndarray  # (n,) bool: the last shot of its class, which cannot be left out
    true: np.ndarray  # (m,)
    judged: np.ndarray  # (n, m) bool: examples that count for a shot
    predicted: np.ndarray  # (m,)
    probability: np.ndarray  # (m,) of the true class; NaN for a method without probabilities
    predicted_without: np.ndarray  # (n, m) where judged
    probability_without: np.ndarray  # (n, m) where judged

    @property
    def accuracy(self) -> np.ndarray:
        """(n,) with all shots, on the examples that count for each."""
        return self._mean(np.broadcast_to(self.predicted == self.true, self.judged.shape))

    @property
    def accuracy_without(self) -> np.ndarray:
        """(n,) without each shot."""
        return self._mean(self.predicted_without == self.true)

    @property
    def whole_accuracy(self) -> float:
        """With all shots on all examples; of the shots themselves, those that can be left out."""
        judged = self.predicted >= 0
        correct = self.predicted[judged] == self.true[judged]
        return float(correct.mean()) if len(correct) else float("nan")

    @property
    def influence(self) -> np.ndarray:
        """(n,) accuracy that each shot adds: above 0 it helps, below 0 it misleads."""
        return self.accuracy - self.accuracy_without

    @property
    def log_likelihood(self) -> np.ndarray:
        """(n,) mean log-likelihood in nats that each shot adds: finer than accuracy."""
        with_all, without = map(log_likelihood, (self.probability, self.probability_without))
        return self._mean(np.broadcast_to(with_all, self.judged.shape)) - self._mean(without)

    @property
    def changed(self) -> np.ndarray:
        """(n, m) bool: examples that are predicted otherwise without a shot."""
        return self.judged & (self.predicted_without != self.predicted)

    @property
    def order(self) -> np.ndarray:
        """Shots that can be left out, the most misleading first: by accuracy, then likelihood."""
        able = np.flatnonzero(self.judged.any(axis=1))
        likelihood = np.nan_to_num(self.log_likelihood[able])
        return able[np.lexsort((likelihood, self.influence[able]))]

    def correcting(self, place: int) -> np.ndarray:
        """Shots without each of which one example is predicted correctly, most misleading first."""
        order = self.order
        return order[self.predicted_without[order, place] == self.true[place]]

    @property
    def reasons(self) -> list[str]:
        """Why a shot has no influence; "" where it has one."""
        return [
            LAST_SHOT if last else "" if judged.any() else NOT_JUDGED
            for last, judged in zip(self.last, self.judged, strict=True)
        ]

    def table(self) -> pd.DataFrame:
        """One row a shot, as :func:`shot_influence` gives it."""
        return pd.DataFrame(
            {
                "shot": np.arange(len(self.label)),
                "label": np.array(self.classes)[self.label],
                "accuracy": self.accuracy,
                "accuracy_without": self.accuracy_without,
                "influence": self.influence,
                "log_likelihood": self.log_likelihood,
                "changed": self.changed.sum(axis=1),
                "reason": self.reasons,
            }
        )

    def _mean(self, values: np.ndarray) -> np.ndarray:
        """(n,) of the examples that count for each shot; NaN without one."""
        n = self.judged.sum(axis=1)
        total = np.where(self.judged, values, 0).sum(axis=1, dtype=np.float64)
        return np.divide(total, n, out=np.full(len(n), np.nan), where=n > 0)


def shot_influence(
    model: Any, X_support: Any, y_support: Any, X_query: Any = None, y_query: Any = None
) -> pd.DataFrame:
    """How much accuracy each shot of a support set adds, by refitting without it.

    Parameters
    ----------
    model : classifier
        Any scikit-learn classifier; a clone of it is fitted without each shot.
    X_support : (n, d) array
    y_support : (n,) array
        The labels that the shots are given.
    X_query : (m, d) array, optional
    y_query : (m,) array, optional
        True labels, among those of the support set. Without a query set, accuracy is that of
        leaving one out: each other shot is predicted by a classifier that was fitted without it,
        in n² / 2 fits.

    Returns
    -------
    DataFrame
        A row a shot: ``shot`` (row of X_support), ``label``, ``accuracy`` with all shots,
        ``accuracy_without`` this one, ``influence`` (accuracy − accuracy_without, from −1 to 1;
        above 0 the shot helps), ``log_likelihood`` (the mean log-likelihood in nats that the shot
        adds; probabilities count as at least 2.2e-16, NaN for a method without them), ``changed``
        (how many predictions are others without it) and ``reason``, why numbers are NaN: a class's
        last shot cannot be left out.

    Raises
    ------
    SLPError
        Points and labels differ in number, a label is missing, or one of the query set's is not
        among those of the support set.

    Examples
    --------
    >>> import slp_core as slp
    >>> X, y = [[0], [1], [8], [5], [6]], ["a", "a", "a", "b", "b"]
    >>> model = slp.NearestCentroidClassifier()
    >>> table = slp.shot_influence(model, X, y, [[1], [3.9], [6]], ["a", "b", "b"])
    >>> table["influence"].round(2).tolist()
    [0.0, 0.0, -0.33, 0.0, 0.0]
    """
    found = read_shots(model, X_support, y_support, X_query, y_query)
    return found.table().assign(label=np.asarray(y_support))


def read_shots(
    model: Any,
    X_support: Any,
    y_support: Any,
    X_query: Any = None,
    y_query: Any = None,
    progress: ProgressCallback = lambda _: None,
    cancelled: CancelledCallback = lambda: False,
) -> ShotInfluences:
    """The same as numbers for every example; arguments as in :func:`shot_influence`."""
    if (X_query is None) != (y_query is None):
        raise SLPError("The query set needs both its points and its labels: give both, or neither.")
    refits = Refits.of(model, X_support, y_support)
    n, label = len(refits.y), refits.label
    last = np.array([not refits.keeps_classes([shot]) for shot in range(n)])
    sets: list[tuple[int, ...]] = [(shot,) for shot in np.flatnonzero(~last).tolist()]
    if X_query is None:
        true, whole = label, (np.full(n, -1), np.full(n, np.nan))
        pairs = combinations([shot for (shot,) in sets], 2)
        sets += [pair for pair in pairs if refits.keeps_classes(pair)]
    else:
        true = refits.indices(X_query, y_query)
        whole = refits.judge(refits.without([]), X_query, true)
    shape = n, len(true)
    judged, predicted, probability = (
        np.zeros(shape, bool),
        np.full(shape, -1),
        np.full(shape, np.nan),
    )
    for done, left_out in enumerate(sets):
        if cancelled():
            raise Cancelled
        progress(Progress(done, len(sets)))
        fitted = refits.without(left_out)
        if X_query is not None:
            (shot,) = left_out
            predicted[shot], probability[shot] = refits.judge(fitted, X_query, true)
            judged[shot] = True
            continue
        for shot in left_out:  # alone, as rounding may decide a tie otherwise among several
            row = np.array([shot])
            (one,), (share,) = refits.judge(fitted, _rows(refits.X, row), label[row])
            if len(left_out) == 1:
                whole[0][shot], whole[1][shot] = one, share
            else:
                at = sum(left_out) - shot, shot
                predicted[at], probability[at], judged[at] = one, share, True
    classes = tuple(map(str, refits.classes))
    return ShotInfluences(classes, label, last, true, judged, *whole, predicted, probability)


@dataclass(frozen=True, eq=False)
class Refits:
    """Clones of a classifier, fitted on parts of a support set."""

    model: Any
    X: Any
    y: np.ndarray
    classes: np.ndarray  # (K,)
    label: np.ndarray  # (n,) as an index

    @classmethod
    def of(cls, model: Any, X: Any, y: Any) -> Refits:
        from slp_core.methods.validation import classes_of, refuse_missing

        refuse_missing(y)
        y, X = np.asarray(y), X if hasattr(X, "iloc") else np.asarray(X)
        check_one_label_each(X, y, "shots")
        classes, label = classes_of(y)
        return cls(model, X, y, classes, label)

    def indices(self, X: Any, y: Any) -> np.ndarray:
        y = np.asarray(y)
        check_one_label_each(X, y)
        if (unknown := ~np.isin(y, self.classes)).any():
            raise SLPError(
                f"Label '{y[unknown][0]}' of the query set is not among those of the support set."
            )
        found: np.ndarray = np.searchsorted(self.classes, y)
        return found

    def keeps_classes(self, left_out: Sequence[int]) -> bool:
        left = np.bincount(np.delete(self.label, left_out), minlength=len(self.classes))
        return bool(left.all())

    def without(self, left_out: Sequence[int]) -> Any:
        from sklearn.base import clone

        kept = np.delete(np.arange(len(self.y)), left_out)
        return clone(self.model).fit(_rows(self.X, kept), self.y[kept])

    def judge(self, fitted: Any, X: Any, true: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Predicted classes (m,), and probabilities of the true ones (m,)."""
        if not hasattr(fitted, "predict_proba"):
            return np.searchsorted(self.classes, fitted.predict(X)), np.full(len(true), np.nan)
        probability = fitted.predict_proba(X)
        return probability.argmax(axis=1), probability[np.arange(len(true)), true]


def _rows(X: Any, rows: np.ndarray) -> Any:
    return getattr(X, "iloc", X)[rows]


def log_likelihood(probability: np.ndarray) -> np.ndarray:
    """Logarithms of probabilities, of which the least count as 2.2e-16."""
    return np.log(np.clip(probability, np.finfo(np.float64).eps, 1.0))


def shots_table(found: ShotInfluences, rows: np.ndarray) -> pd.DataFrame:
    """Shots as they are listed, the most misleading first; ``rows`` (n,) are their numbers."""
    order = np.append(found.order, np.setdiff1d(np.arange(len(rows)), found.order)).astype(int)
    table = found.table().iloc[order].reset_index(drop=True).assign(row=rows[order])
    named = table.rename(columns={"log_likelihood": "log-likelihood"})
    return named[["label", "influence", "log-likelihood", "changed", "row"]]
