"""How one point came by its answer: soft label ÷ distance, prototype by prototype."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from slp_core.explain.bands import Bands, winning_bands
from slp_core.explain.voting import read_voting
from slp_core.lines import distances
from slp_core.markdown import named
from slp_core.methods.protocols import (
    HasLines,
    HasProbabilities,
    answers_from_lines,
    has_local_soft_labels,
)

_NOWHERE, _NO_BANDS = float("nan"), Bands((), (0.0, 1.0))


@dataclass(frozen=True, eq=False)
class PointReading:
    """One answer taken apart.

    Attributes
    ----------
    classes : tuple of str
    true : int or None
        None for an example that was typed.
    predicted : int
    probability : (K,) array
    centroid_distance : (K,) array
        Distance from every class centroid.
    line : int or None
        The line that answered, counted from 0; None for a method without lines, for which all
        that follows is empty or NaN.
    line_classes : tuple of int
        From left to right.
    soft_labels : (2, K) array
        Of its left and right prototype; logits at this point where they depend on it, −∞ for a
        class that is barred.
    distances : (2,) array
        What they are divided by: the two quotients add up to the influence.
    w, t, r, length : float
        As in Placement; the line's length.
    along : float
        What w is when distances are taken along the line.
    runner_up : int or None
        The line next in question; None where there is one line.
    lead : float
        How much nearer the chosen line is than the runner-up, in units of the vectors.
    bands : Bands
        Over w; where soft labels depend on the point, with those at this point.
    local : bool
        Whether they do.
    """

    classes: tuple[str, ...]
    true: int | None
    predicted: int
    probability: np.ndarray
    centroid_distance: np.ndarray
    line: int | None = None
    line_classes: tuple[int, ...] = ()
    soft_labels: np.ndarray = field(default_factory=lambda: np.empty((2, 0)))
    distances: np.ndarray = field(default_factory=lambda: np.full(2, np.nan))
    w: float = _NOWHERE
    t: float = _NOWHERE
    r: float = _NOWHERE
    length: float = _NOWHERE
    along: float = _NOWHERE
    runner_up: int | None = None
    lead: float = _NOWHERE
    bands: Bands = _NO_BANDS
    local: bool = False

    @property
    def parts(self) -> np.ndarray:
        """(2, K) what the left and the right prototype give to each class."""
        return self.soft_labels / self.distances[:, None]

    @property
    def influence(self) -> np.ndarray:
        """(K,) the two parts added up; −∞ for a class that is barred."""
        total: np.ndarray = self.parts.sum(axis=0)
        return total

    @property
    def nearest(self) -> tuple[int, ...]:
        """Classes by the distance of their centroids, the nearest first."""
        return tuple(int(c) for c in np.argsort(self.centroid_distance, kind="stable"))

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
        if self.nearest[0] == self.predicted:
            near = f"and {named(name[self.predicted])} has the nearest centroid"
        elif self.nearest[0] == self.true:
            near = "whose centroid is the nearest"
        else:
            near = f"though {named(name[self.nearest[0]])} has the nearest centroid"
        if self.line is None:
            return f"{start}, {near}."
        if len(self.line_classes) == 1:
            return (
                f"{start}, {near}. The nearest line is {named(name[self.line_classes[0]])} alone."
            )
        left, last = name[self.line_classes[0]], name[self.line_classes[-1]]
        where = (
            f"It stands on line {self.line + 1}, where the prototype at {named(left)} has "
            f"{self.w:.0%} of the vote and the one at {named(last)} {1 - self.w:.0%}"
        )
        if self.true is not None and not right and self.true not in self.line_classes:
            where += f", and {named(name[self.true])} is on another line"
        return f"{start}, {near}. {where}."


def read_point(
    model: HasProbabilities, x: np.ndarray, centroids: np.ndarray, true: int | None = None
) -> PointReading:
    """Take one answer apart (equation 1).

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
    away = distances(X, centroids)[0]
    if not answers_from_lines(model):
        return PointReading(names, true, int(probability.argmax()), probability, away)
    voting = read_voting(model, X)
    at, labels = voting.place, voting.labels[0]
    number = int(at.line[0])
    line = model.lines_[number]
    off = _nearness(model, X, at.segment_distance[0])
    others = np.delete(np.arange(len(off)), number)
    runner_up = int(others[off[others].argmin()]) if len(others) else None
    return PointReading(
        names,
        true,
        int(model.influence(X)[0].argmax()),
        probability,
        away,
        line=number,
        line_classes=line.classes,
        soft_labels=labels,
        distances=np.array([at.d_left[0], at.d_right[0]]) / model.distance_unit,
        w=float(at.w[0]),
        t=float(at.t[0]),
        r=float(at.r[0]),
        length=line.length,
        along=float(voting.along[0]),
        runner_up=runner_up,
        lead=0.0 if runner_up is None else float(off[runner_up] - off[number]),
        bands=winning_bands(*labels),
        local=has_local_soft_labels(model),
    )


def _nearness(model: HasLines, X: np.ndarray, segment_distance: np.ndarray) -> np.ndarray:
    """(L,) what the line is chosen by: the distance of its segment, or of its nearer prototype."""
    if model.assignment == "segment":
        return segment_distance
    ends = model.prototypes_.reshape(-1, X.shape[1])
    return distances(X, ends)[0].reshape(-1, 2).min(axis=1)
