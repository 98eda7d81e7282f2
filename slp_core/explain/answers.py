"""What a fitted classifier does with a query set, and why it does so with one point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.lines import distances
from slp_core.markdown import named
from slp_core.methods.protocols import HasProbabilities, answers_from_lines


@dataclass(frozen=True)
class Answers:
    """A method's answers to m query points, beside the truth and the nearest centroid.

    Attributes
    ----------
    method : str
        What the method is called in sentences.
    classes : tuple of str
    true, predicted, nearest : (m,) int arrays
        Indices into ``classes``; ``nearest`` is the class whose centroid is nearest.
    probability : (m, K) array
    """

    method: str
    classes: tuple[str, ...]
    true: np.ndarray
    predicted: np.ndarray
    nearest: np.ndarray
    probability: np.ndarray

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

    def most_telling(self) -> int | None:
        """The query point to open on: a surest error, one that the nearest centroid had right.

        None where there is no query point.
        """
        if not len(self.true):
            return None
        surety = self.probability[np.arange(len(self.true)), self.predicted]
        spared = self.wrong & (self.nearest == self.true)
        for among in (spared, self.wrong, np.ones_like(self.wrong)):
            if among.any():
                return int(np.argmax(np.where(among, surety, -np.inf)))
        return None

    def sentence(self) -> str:
        """The one thing to see first."""
        m, k = len(self.true), len(self.classes)
        if not m:
            return "There is no query point to answer: every example is in the support set."
        answered = np.unique(self.predicted)
        mine, theirs = f"{self.accuracy:.0%}", f"{self.nearest_accuracy:.0%}"
        if len(answered) == k or k == 1:
            if (self.predicted == self.nearest).all():
                return f"{self.method} answers as the nearest centroid does: {mine} of {m:,} right."
            return (
                f"{self.method} is right for {mine} of {m:,} query points, "
                f"the nearest centroid for {theirs}."
            )
        if len(answered) == 1:
            what = f"answers {named(self.classes[answered[0]])} for all {m:,} query points"
        else:
            silent = [named(c) for i, c in enumerate(self.classes) if i not in answered]
            names = ", ".join(silent[:4]) + (" …" if len(silent) > 4 else "")
            what = f"never answers {len(silent)} of the {k} classes ({names})"
        return f"{self.method} {what}: {mine} right, where the nearest centroid has {theirs}."


def read_answers(
    model: HasProbabilities,
    method: str,
    X: np.ndarray,
    true: np.ndarray,
    centroids: np.ndarray,
) -> Answers:
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
    probability = model.predict_proba(X) if len(X) else np.empty((0, len(model.classes_)))
    predicted = probability.argmax(axis=1)
    nearest = distances(X, centroids).argmin(axis=1)
    names = tuple(str(c) for c in model.classes_)
    return Answers(method, names, np.asarray(true), predicted, nearest, probability)


@dataclass(frozen=True)
class PointReading:
    """How one point came by its answer.

    Attributes
    ----------
    classes : tuple of str
    true : int or None
        None for a point of one's own.
    predicted : int
    probability : (K,) array
    centroid_distance : (K,) array
        Distance from every class centroid.
    line : int or None
        The line that answered, counted from 0; None for a method without lines. So too below.
    line_classes : tuple of int
        Its classes from left to right.
    parts : (2, K) array or None
        The influence of the left and the right prototype: soft label ÷ distance.
    w, t, r : float or None
        The left prototype's share of the vote; position along the line and distance from it.
    length : float or None
        Of the line.
    """

    classes: tuple[str, ...]
    true: int | None
    predicted: int
    probability: np.ndarray
    centroid_distance: np.ndarray
    line: int | None = None
    line_classes: tuple[int, ...] = ()
    parts: np.ndarray | None = None
    w: float | None = None
    t: float | None = None
    r: float | None = None
    length: float | None = None

    @property
    def nearest(self) -> int:
        """The class whose centroid is nearest."""
        return int(self.centroid_distance.argmin())

    @property
    def runner_up(self) -> int:
        """The class with the next most probability (the same where there is one class)."""
        order = np.argsort(-self.probability, kind="stable")
        return int(order[min(1, len(order) - 1)])

    def sentence(self) -> str:
        """Where the point lies and what followed from it."""
        name = self.classes
        right = self.true is None or self.predicted == self.true
        start = f"Answered {named(name[self.predicted])}" + (
            ""
            if self.true is None
            else ", rightly"
            if right
            else f", but it is {named(name[self.true])}"
        )
        if self.nearest == self.predicted:
            near = f"and {named(name[self.predicted])} has the nearest centroid"
        elif self.nearest == self.true:
            near = "whose centroid is the nearest"
        else:
            near = f"though {named(name[self.nearest])} has the nearest centroid"
        if self.line is None or self.w is None or len(self.line_classes) < 2:
            return f"{start}, {near}."
        left, last = self.line_classes[0], self.line_classes[-1]
        where = (
            f"it stands on line {self.line + 1}, where the prototype at {named(name[left])} has "
            f"{self.w:.0%} of the vote and the one at {named(name[last])} {1 - self.w:.0%}"
        )
        if self.true is not None and not right and self.true not in self.line_classes:
            where += f", and {named(name[self.true])} is on another line"
        return f"{start}, {near}. {where[0].upper()}{where[1:]}."


def read_point(
    model: HasProbabilities, x: np.ndarray, centroids: np.ndarray, true: int | None = None
) -> PointReading:
    """Take one answer apart.

    Parameters
    ----------
    model : fitted classifier
    x : (d,) array
    centroids : (K, d) array
        Class means of the support set.
    true : int, optional
        Index into ``model.classes_``.
    """
    X = np.asarray(x, dtype=np.float64)[None, :]
    names = tuple(str(c) for c in model.classes_)
    probability = model.predict_proba(X)[0]
    predicted = int(probability.argmax())
    away = distances(X, centroids)[0]
    if not answers_from_lines(model):
        return PointReading(names, true, predicted, probability, away)
    at = model.place(X)
    number = int(at.line[0])
    line = model.lines_[number]
    ends = np.array([[at.d_left[0]], [at.d_right[0]]])
    parts = model.distance_unit * model.vote_labels(X)[0] / ends
    return PointReading(
        names,
        true,
        predicted,
        probability,
        away,
        line=number,
        line_classes=line.classes,
        parts=parts,
        w=float(at.w[0]),
        t=float(at.t[0]),
        r=float(at.r[0]),
        length=line.length,
    )
