"""What a fitted classifier does with a query set."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from slp_core.explain.opening import Opening, least, margins
from slp_core.facts import Facts, Listed, Stated, class_names, fact, noun
from slp_core.lines import distances
from slp_core.methods.protocols import HasProbabilities

_NAMED = 4  # silent classes
TIE = 1e-9  # between the distances of a point, of the largest one


@dataclass(frozen=True)
class Predictions(Stated):
    """A method's answers to m query points, beside the truth and the nearest centroid."""

    method: str
    classes: tuple[str, ...]
    true: np.ndarray  # (m,)
    predicted: np.ndarray  # (m,)
    nearest: np.ndarray  # (m,)
    tied: np.ndarray  # (m,)
    probability: np.ndarray  # (m, K)
    is_nearest: bool = False

    def take(self, places: np.ndarray) -> Predictions:
        """Those to some of the points."""
        arrays = ("true", "predicted", "nearest", "tied", "probability")
        return replace(self, **{name: getattr(self, name)[places] for name in arrays})

    @property
    def wrong(self) -> np.ndarray:
        """(m,) bool: where the answer is not the true class."""
        return self.predicted != self.true

    @property
    def accuracy(self) -> float:
        """Share of right answers."""
        return float((self.predicted == self.true).mean())

    @property
    def nearest_accuracy(self) -> float:
        """Share of points whose nearest centroid is that of their own class."""
        return float((self.nearest == self.true).mean())

    @property
    def confusion(self) -> np.ndarray:
        """(K, K) int: rows are true classes, columns answers."""
        k = len(self.classes)
        return np.bincount(self.true * k + self.predicted, minlength=k * k).reshape(k, k)

    def opening(self) -> Opening | None:
        """The query point to open on: a surest error, one that the nearest centroid had right."""
        if not len(self.true):
            return None
        margin = margins(self.probability, self.true)
        spared = self.wrong & (self.nearest == self.true)
        for among in (spared, self.wrong, np.ones_like(self.wrong)):
            if among.any():
                break
        index, alike = least(margin, among)
        values = {"index": index, "alike": alike, "margin": float(margin[index])}
        which = "the surest error" if alike == 1 else "one of the {alike:,} surest errors"
        if spared.any():
            template = which + " of those that the nearest centroid gets right"
            return Opening(index, (fact("answers.opens_on_spared", template, **values),))
        if self.wrong.any():
            template = which
            if not self.is_nearest:
                template += "; the nearest centroid gets none of the errors right"
            return Opening(index, (fact("answers.opens_on_error", template, **values),))
        template = "answered rightly, as all are, and by the smallest lead"
        template += "" if alike == 1 else ", which {alike:,} points share"
        return Opening(index, (fact("answers.opens_on_right", template, **values),))

    def error_after(self, index: int | None) -> int | None:
        """The surest error after that of a query point, and round again; None without errors."""
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

    def facts(self) -> Facts:
        """The one thing to see first."""
        m, k = len(self.true), len(self.classes)
        if not m:
            return (fact("answers.nothing_asked", "There is no query point to answer."),)
        names, answered = class_names(self.classes), np.unique(self.predicted)
        shared = {
            "method": self.method,
            "accuracy": self.accuracy,
            "nearest": self.nearest_accuracy,
            "n": m,
        }
        if self.is_nearest:
            template = "{method} is right for {accuracy:.0%} of {n:,} "
            template += noun(m, "query point") + "."
            return (fact("answers.is_nearest", template, **shared),)
        if (self.predicted == self.nearest).all():
            template = (
                "{method} answers as the nearest centroid does: {accuracy:.0%} of {n:,} right."
            )
            return (fact("answers.as_nearest", template, **shared),)
        right = "{accuracy:.0%} right, where the nearest centroid has {nearest:.0%}."
        if len(answered) == k:
            template = (
                "{method} is right for {accuracy:.0%} of {n:,} query points, "
                "the nearest centroid for {nearest:.0%}."
            )
            return (fact("answers.accuracy", template, **shared),)
        if len(answered) == 1:
            template = "{method} answers {answer} for all {n:,} query points: " + right
            return (fact("answers.one_class", template, answer=names[answered[0]], **shared),)
        silent = [name for name in names if name.place not in answered]
        template = "{method} never answers {silent:,} of the {k:,} classes ({examples}): " + right
        examples = Listed(silent[:_NAMED], max(0, len(silent) - _NAMED))
        told = fact(
            "answers.silent", template, silent=len(silent), k=k, examples=examples, **shared
        )
        return (told,)


def predict_query_set(
    model: HasProbabilities,
    method: str,
    X: np.ndarray,
    true: np.ndarray,
    centroids: np.ndarray,
) -> Predictions:
    """Ask a fitted classifier about a query set.

    Parameters
    ----------
    model : fitted classifier
        Its ``classes_`` are the class names.
    method : str
        What to call it.
    X : (m, d) array
    true : (m,) int array
        Indices into ``model.classes_``.
    centroids : (K, d) array
        Class means of the support set.
    """
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
