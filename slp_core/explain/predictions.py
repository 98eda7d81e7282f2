"""The predictions of a fitted classifier on a query set."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.lines import distances
from slp_core.methods.protocols import HasProbabilities

TIE = 1e-9  # between the distances of a point, of the largest one
_SAME = 1e-9  # of probability, within which two margins are one


def margins(probability: np.ndarray, true: np.ndarray) -> np.ndarray:
    """(m,) probability of the true class less that of the best other one; 1 for one class alone."""
    own = np.take_along_axis(probability, true[:, None], axis=1)[:, 0]
    others = probability.copy()
    np.put_along_axis(others, true[:, None], 0.0, axis=1)
    return own - others.max(axis=1, initial=0.0)


def smallest_margin(margin: np.ndarray, *groups: np.ndarray) -> int | None:
    """The first example with the smallest margin in the first of these groups that has any."""
    for among in groups:
        if among.any():
            return int((among & (margin <= margin[among].min() + _SAME)).argmax())
    return None


def confusion(true: np.ndarray, predicted: np.ndarray, n_classes: int) -> np.ndarray:
    """(K, K) counts: rows are true classes, columns predicted ones."""
    counts = np.bincount(true * n_classes + predicted, minlength=n_classes**2)
    return counts.reshape(n_classes, n_classes)


@dataclass(frozen=True)
class Predictions:
    """Predicted and true classes of m query examples, and their nearest centroids."""

    method: str
    classes: tuple[str, ...]
    true: np.ndarray  # (m,)
    predicted: np.ndarray  # (m,)
    nearest: np.ndarray  # (m,)
    tied: np.ndarray  # (m,)
    probability: np.ndarray  # (m, K)
    is_nearest: bool = False

    @property
    def wrong(self) -> np.ndarray:
        """(m,) bool: misclassified."""
        return self.predicted != self.true

    @property
    def accuracy(self) -> float:
        """Share of correct predictions; NaN of none."""
        return float((self.predicted == self.true).mean()) if len(self.true) else float("nan")

    @property
    def nearest_accuracy(self) -> float:
        """Share of examples whose nearest centroid is that of their true class."""
        return float((self.nearest == self.true).mean())

    @property
    def confusion(self) -> np.ndarray:
        return confusion(self.true, self.predicted, len(self.classes))

    def default_point(self) -> int | None:
        """An error of the smallest margin, one whose nearest centroid is correct if any."""
        spared = self.wrong & (self.nearest == self.true)
        margin = margins(self.probability, self.true)
        return smallest_margin(margin, spared, self.wrong, np.ones_like(self.wrong))

    def error_after(self, index: int | None) -> int | None:
        """The next most confident error after an example, cyclically; None without errors."""
        errors = np.flatnonzero(self.wrong)
        if not len(errors):
            return None
        margin = margins(self.probability[errors], self.true[errors])
        left = np.ones(len(errors), dtype=bool)
        if index is not None and self.wrong[index]:
            here = margin[np.searchsorted(errors, index)]
            after = (margin > here) | ((margin == here) & (errors > index))
            left = after if after.any() else left
        return int(errors[np.where(left, margin, np.inf).argmin()])

    @property
    def never_predicted(self) -> tuple[int, ...]:
        """Classes with query examples that are never predicted."""
        return tuple(np.setdiff1d(self.true, self.predicted).tolist())


def predict_query_set(
    model: HasProbabilities,
    method: str,
    X: np.ndarray,
    true: np.ndarray,
    centroids: np.ndarray,
) -> Predictions:
    """Predictions for (m, d) examples, given the class means (K, d) of the support set."""
    from slp_core.methods.baselines import NearestCentroidClassifier

    probability = model.predict_proba(X) if len(X) else np.empty((0, len(model.classes_)))
    predicted, true = probability.argmax(axis=1), np.asarray(true)
    away = distances(X, centroids)
    nearest = away.argmin(axis=1)
    own, least = (away[np.arange(len(X)), which] for which in (true, nearest))
    tied = (nearest != true) & (own <= least + TIE * away.max(axis=1))
    names = tuple(str(c) for c in model.classes_)
    is_nearest = isinstance(model, NearestCentroidClassifier)
    return Predictions(method, names, true, predicted, nearest, tied, probability, is_nearest)
