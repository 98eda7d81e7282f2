"""One line: its bands over w, the points that ask it, and how far the one is from the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.explain.bands import Bands, Share, winning_bands
from slp_core.explain.causes import Causes
from slp_core.explain.voting import check_lines, read_voting, weighed
from slp_core.facts import Fact, Facts, Listed, Stated, class_names, fact
from slp_core.lines import Line
from slp_core.methods.protocols import HasLines, has_constant_soft_labels
from slp_core.methods.tables import nameless, without_names

_TIE = 1e-9  # between scores, in units of 1 or of the largest one
_TITLE_ENDS = 2  # classes of a line that its title names


@dataclass(frozen=True, eq=False)
class LineProfile(Stated):
    """What a line answers over w, and where its p points are."""

    classes: tuple[str, ...]
    number: int
    line: Line
    rows: np.ndarray  # (p,)
    w: np.ndarray  # (p,)
    t: np.ndarray  # (p,)
    r: np.ndarray  # (p,)
    along: np.ndarray  # (p,)
    answered: np.ndarray  # (p,)
    predicted_along: np.ndarray  # (p,)
    soft_labels: np.ndarray | None  # (2, K)
    bands: Bands | None

    @property
    def occupied(self) -> tuple[float, float] | None:
        """The least and the greatest w of its points; None where no point asks the line."""
        return (float(self.w.min()), float(self.w.max())) if len(self.w) else None

    @property
    def silent(self) -> tuple[int, ...]:
        """Classes on the line that neither win nor tie at any w."""
        if self.bands is None or self.soft_labels is None:
            return ()
        # How far a class stays behind is convex over w, with its corners at the breakpoints.
        labels = np.broadcast_to(self.soft_labels, (len(self.bands.edges), *self.soft_labels.shape))
        scores = weighed(labels, np.array(self.bands.edges))
        behind = (scores.max(axis=1)[:, None] - scores).min(axis=0)
        return tuple(c for c in self.line.classes if behind[c] > _TIE)

    @property
    def winners(self) -> tuple[int, ...]:
        """Classes whose bands lie within the occupied range of w, from its lower end on."""
        if self.bands is None or self.occupied is None:
            return ()
        low, high = (self.bands.at(w) for w in self.occupied)
        return self.bands.classes[low : high + 1]

    def facts(self) -> Facts:
        """Where the points are, and what is answered there and elsewhere."""
        n, line = len(self.rows), self.number + 1
        if self.occupied is None:
            return (fact("line.nobody", "No query point asks line {line}.", line=line),)
        names = class_names(self.classes)
        if len(self.line.classes) == 1:
            asked = "one query point asks it" if n == 1 else "{n:,} query points ask it"
            template = "Line {line} carries {name} alone: " + asked + "."
            name = names[self.line.classes[0]]
            return (fact("line.alone", template, line=line, name=name, n=n),)
        low, high = map(Share, self.occupied)
        points = "its one point has w" if n == 1 else "its {n:,} points have w"
        span = " of {low:.2f}" if f"{low:.2f}" == f"{high:.2f}" else " from {low:.2f} to {high:.2f}"
        where = {"line": line, "n": n, "low": low, "high": high}
        start = "Line {line}: " + points + span
        if self.bands is None:
            template = start + "; what wins there depends on the point."
            return (fact("line.depends", template, **where),)
        won = Listed([names[c] for c in self.winners])
        template = start + ", where {won} " + ("wins." if len(won.items) == 1 else "win.")
        told = [fact("line.wins", template, won=won, **where)]
        if self.silent:
            never = Listed([names[c] for c in self.silent])
            wins = "wins" if len(never.items) == 1 else "win"
            told.append(
                fact("line.silent", "{names} " + wins + " nowhere.", line=line, names=never)
            )
        return tuple(told)


def line_profile(
    model: HasLines, number: int, X: np.ndarray, causes: Causes | None = None
) -> LineProfile:
    """Read one line off a fitted method, with those of the points that ask it."""
    check_lines(model)
    model, X = without_names(model, X)
    if causes is not None and causes.n_lines:
        line, w, t, r = causes.line, causes.w, causes.t, causes.r
        along, predicted_along = causes.along, causes.predicted_along
    else:
        voting = read_voting(model, X)
        line, w, t, r = voting.place.line, voting.place.w, voting.place.t, voting.place.r
        along, predicted_along = voting.along, voting.predicted_along
    rows = np.flatnonzero(line == number)
    labels = np.empty((0, 2, len(model.classes_)))
    if len(rows):
        labels = model.vote_labels(X[rows], line[rows])
    soft_labels = model.soft_labels_[number] if has_constant_soft_labels(model) else None
    return LineProfile(
        tuple(str(c) for c in model.classes_),
        number,
        model.lines_[number],
        rows,
        w[rows],
        t[rows],
        r[rows],
        along[rows],
        weighed(labels, w[rows]).argmax(axis=1),
        predicted_along[rows],
        soft_labels,
        None if soft_labels is None else winning_bands(*soft_labels),
    )


def labels_at(model: HasLines, number: int, x: np.ndarray) -> np.ndarray:
    """(2, K) soft labels of a line's prototypes; where they depend on the point, logits at it."""
    check_lines(model)
    X = np.asarray(x)[None]
    labels: np.ndarray = nameless(model).vote_labels(X, np.array([number]))[0]
    return labels


def line_title(model: HasLines, number: int, errors: int) -> Fact:
    """What a line is called where one is chosen: its classes from left to right, and its errors."""
    names = class_names(map(str, model.classes_))
    carried = [names[c] for c in model.lines_[number].classes]
    template = "{line} · {first}"
    if len(carried) > 1:
        template += " to {last}"
    if len(carried) > _TITLE_ENDS:
        template += " with {between:,} between"
    template += " · one error" if errors == 1 else " · {errors:,} errors"
    ends = {"first": carried[0], "last": carried[-1], "between": len(carried) - _TITLE_ENDS}
    return fact("line.title", template, line=number + 1, errors=errors, **ends)
