"""How one point came by its answer: soft label ÷ distance, prototype by prototype."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from slp_core.explain.bands import Bands, Share, winning_bands
from slp_core.explain.causes import Causes
from slp_core.explain.predictions import TIE
from slp_core.explain.voting import read_voting
from slp_core.facts import Fact, Facts, Listed, Stated, class_names, fact
from slp_core.lines import distances
from slp_core.methods.protocols import (
    HasLines,
    HasProbabilities,
    has_local_soft_labels,
    predicts_from_lines,
)
from slp_core.methods.tables import check_fitted, nameless

_NOWHERE, _NO_BANDS = float("nan"), Bands((), (0.0, 1.0))
_AT_END = 1e-9  # of a line's length: nearer to its end is at it, but for rounding
_CENTROIDS = 4  # whose distances are told
_DIGITS, _MOST_DIGITS = 4, 10  # of these; more than four where the nearest two would read the same


@dataclass(frozen=True, eq=False)
class PointReading(Stated):
    """One answer taken apart."""

    classes: tuple[str, ...]
    true: int | None
    predicted: int
    probability: np.ndarray  # (K,)
    centroid_distance: np.ndarray  # (K,)
    assignment: str = "segment"
    line: int | None = None
    line_classes: tuple[int, ...] = ()
    soft_labels: np.ndarray = field(default_factory=lambda: np.empty((2, 0)))  # (2, K)
    distances: np.ndarray = field(default_factory=lambda: np.full(2, np.nan))  # (2,)
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

    @property
    def nearest_alike(self) -> tuple[int, ...]:
        """Classes whose centroid is the nearest, to rounding: one, but for ties."""
        least = self.centroid_distance[self.nearest[0]]
        reach = least + TIE * float(self.centroid_distance.max())
        return tuple(c for c in self.nearest if self.centroid_distance[c] <= reach)

    def facts(self) -> Facts:
        """Where the point lies and what followed from it."""
        names, answer = class_names(self.classes), self.predicted
        answered = fact("point.answered", "Answered {answer}", answer=names[answer])
        if self.true == answer:
            answered = fact("point.right", "Answered {answer}, rightly", answer=names[answer])
        elif self.true is not None:
            template = "Answered {answer}, but it is {true}"
            true = names[self.true]
            answered = fact("point.wrong", template, answer=names[answer], true=true)
        told = [fact("point.read", "{answered}, {near}.", answered=answered, near=self._near())]
        if self.line is None:
            return tuple(told)
        line, carried = self.line + 1, [names[c] for c in self.line_classes]
        if len(carried) == 1:
            template = "It asks line {line}, which carries {name} alone."
            told.append(fact("point.alone", template, line=line, name=carried[0]))
        else:
            template = (
                "It asks line {line}, where the prototype at {left} has {w:.0%} of the vote and "
                "the one at {right} {rest:.0%}."
            )
            ends = {"left": carried[0], "right": carried[-1]}
            shares = {"w": self.w, "rest": 1 - self.w}
            told.append(fact("point.votes", template, line=line, **ends, **shares))
        if self.true not in (None, answer) and self.true not in self.line_classes:
            told.append(
                fact("point.elsewhere", "{true} is on another line.", true=names[self.true])
            )
        return tuple(told)

    def _near(self) -> Fact:
        names, alike = class_names(self.classes), self.nearest_alike
        if len(alike) > 1:
            template = "where the centroids of {n:,} classes are equally near"
            return fact("point.near_tie", template, n=len(alike))
        nearest = names[alike[0]]
        template = "though {nearest} has the nearest centroid"
        if alike[0] == self.predicted:
            template = "and {nearest} has the nearest centroid"
        elif alike[0] == self.true:
            template = "whose centroid is the nearest"
        return fact("point.near", template, nearest=nearest)

    def surroundings(self) -> Facts:
        """How far the centroids are, and the line that is next in question."""
        names, k = class_names(self.classes), len(self.classes)
        template = "Distance from {n:,} of {k:,} centroids, the nearest first: {each}."
        if k <= _CENTROIDS:
            template = "Distance from each centroid: {each}."
        told_apart = next((n for n in range(_DIGITS, _MOST_DIGITS) if self._differ(n)), _DIGITS)
        each = Listed([self._away(names[c], c, told_apart) for c in self.nearest[:_CENTROIDS]])
        told = [fact("point.centroids", template, n=len(each.items), k=k, each=each)]
        if self.line is not None and self.runner_up is not None:
            what = "It asks line {line}, whose nearer prototype is"
            if self.assignment == "segment":
                what = "It asks line {line}, whose segment is"
            template = what + " {lead:.4g} nearer than that of line {next}, the runner-up."
            if self.lead <= TIE * float(self.centroid_distance.max()):
                template = what + " as near as that of line {next}."
            lines = {"line": self.line + 1, "next": self.runner_up + 1}
            told.append(fact("point.runner_up", template, lead=self.lead, **lines))
        return tuple(told)

    def _differ(self, digits: int) -> bool:
        """Whether so many digits tell the nearest centroid's distance from the next one's."""
        two = [f"{self.centroid_distance[c]:.{digits}g}" for c in self.nearest[:2]]
        return len(set(two)) == len(two)

    def _away(self, name: str, c: int, digits: int) -> Fact:
        away = float(self.centroid_distance[c])
        template = "{name}\N{NO-BREAK SPACE}{away:." + str(digits) + "g}"
        return fact("point.away", template, name=name, away=away)

    def place(self) -> Facts:
        """Where the point is, seen from its line; nothing for a method without lines."""
        if self.line is None:
            return ()
        where = {"line": self.line + 1, "r": self.r, "length": self.length}
        if self.length == 0:
            template = "Line {line} is one point, {r:.4g} away."
            return (fact("point.from_one_point", template, **where),)
        template = "Line {line}, w = {w:.3f}: "
        beyond, t = max(-self.t, self.t - self.length), self.t
        if beyond <= _AT_END * self.length:
            beyond, t = 0.0, min(max(self.t, 0.0), self.length)
        if t < 0:
            template += "{beyond:.3g} before the left end of a line of length {length:.3g}"
        elif t > self.length:
            template += "{beyond:.3g} beyond the right end of a line of length {length:.3g}"
        else:
            template += "t = {t:.3g} along a line of length {length:.3g}"
        template += ", r = {r:.3g} from its axis."
        return (fact("point.place", template, w=Share(self.w), t=t, beyond=beyond, **where),)


def cause_facts(causes: Causes, number: int) -> Facts:
    """Why a query point was misclassified, or that it was rescued; else nothing."""
    kind = str(causes.cause[number])
    if kind:
        named = kind.replace("_", " ")
        template = "Cause: **{named}** – {meaning}."
        meaning = causes.meaning(kind, np.array([number]))
        return (fact("point.cause", template, cause=kind, named=named, meaning=meaning),)
    if causes.rescued[number]:
        nearest = class_names(causes.classes)[int(causes.nearest[number])]
        template = "*Rescued*: {nearest} has the nearest centroid, and yet the answer is right."
        return (fact("point.rescued", template, nearest=nearest),)
    return ()


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

    Raises
    ------
    NotFittedError
    """
    check_fitted(model)
    model, X = nameless(model), np.asarray(x, dtype=np.float64)[None, :]
    names = tuple(str(c) for c in model.classes_)
    probability = model.predict_proba(X)[0]
    away = distances(X, centroids)[0]
    if not predicts_from_lines(model):
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
        int(probability.argmax()),
        probability,
        away,
        assignment=model.assignment,
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
        lead=0.0 if runner_up is None else max(0.0, float(off[runner_up] - off[number])),
        bands=winning_bands(*labels),
        local=has_local_soft_labels(model),
    )


def _nearness(model: HasLines, X: np.ndarray, segment_distance: np.ndarray) -> np.ndarray:
    """(L,) what the line is chosen by: the distance of its segment, or of its nearer prototype."""
    if model.assignment == "segment":
        return segment_distance
    ends = model.prototypes_.reshape(-1, X.shape[1])
    return distances(X, ends)[0].reshape(-1, 2).min(axis=1)
