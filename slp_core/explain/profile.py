"""One line: its bands over w, the points that ask it, and how far the one is from the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from slp_core.explain.bands import Bands, winning_bands
from slp_core.explain.voting import read_voting, weighed
from slp_core.lines import Line
from slp_core.markdown import named
from slp_core.methods.protocols import HasLines, has_constant_soft_labels


@dataclass(frozen=True, eq=False)
class LineProfile:
    """What a line answers over w, and where its p points are.

    Attributes
    ----------
    number : int
        Counted from 0.
    line : Line
    rows : (p,) int array
        Which of the points asked about it.
    w, t, r : (p,) arrays
        As in Placement.
    along : (p,) array
        What w is when distances are taken along the line.
    answered, answered_along : (p,) int arrays
        The class that wins at w, and at ``along``.
    soft_labels : (2, K) array or None
        Left and right; None where they depend on the point, as do the bands then.
    bands : Bands or None
        Exact: scores are straight lines in w.
    """

    number: int
    line: Line
    rows: np.ndarray
    w: np.ndarray
    t: np.ndarray
    r: np.ndarray
    along: np.ndarray
    answered: np.ndarray
    answered_along: np.ndarray
    soft_labels: np.ndarray | None
    bands: Bands | None

    @property
    def occupied(self) -> tuple[float, float] | None:
        """The least and the greatest w of its points; None where no point asks the line."""
        return (float(self.w.min()), float(self.w.max())) if len(self.w) else None

    @property
    def silent(self) -> tuple[int, ...]:
        """Classes on the line that win at no w; empty where bands depend on the point."""
        if self.bands is None:
            return ()
        return tuple(c for c in self.line.classes if c not in self.bands.classes)

    @property
    def winners(self) -> tuple[int, ...]:
        """Classes whose bands lie within the occupied range of w, from its lower end on."""
        if self.bands is None or self.occupied is None:
            return ()
        low, high = (self.bands.at(w) for w in self.occupied)
        return self.bands.classes[low : high + 1]

    def sentence(self, names: Sequence[str]) -> str:
        """Where the points are, and what is answered there and elsewhere."""
        start = f"Line {self.number + 1}"
        if self.occupied is None:
            return f"No query point asks line {self.number + 1}."
        n = len(self.rows)
        if len(self.line.classes) == 1:
            return f"{start} carries {named(names[self.line.classes[0]])} alone: {n:,} asked it."
        points = f"its {n:,} points have" if n > 1 else "its one point has"
        where = f"{points} w {span(*self.occupied)}"
        if self.bands is None:
            return f"{start}: {where}; what wins there depends on the point."
        here = [named(names[c]) for c in self.winners]
        wins = f"{' and '.join(here)} {'wins' if len(here) == 1 else 'win'}"
        silent = [named(names[c]) for c in self.silent]
        never = (
            f" {' and '.join(silent)} {'wins' if len(silent) == 1 else 'win'} nowhere."
            if silent
            else ""
        )
        return f"{start}: {where}, where {wins}.{never}"


def span(low: float, high: float) -> str:
    """A range of w in words."""
    if f"{low:.2f}" == f"{high:.2f}":
        return f"of {low:.2f}"
    return f"between {low:.2f} and {high:.2f}"


def line_profile(model: HasLines, number: int, X: np.ndarray) -> LineProfile:
    """Read one line off a fitted method, with those of the points that ask it.

    Parameters
    ----------
    model : fitted classifier
        With lines.
    number : int
        Counted from 0.
    X : (m, d) array
    """
    X = np.asarray(X, dtype=np.float64)
    voting = read_voting(model, X)
    rows = np.flatnonzero(voting.place.line == number)
    labels, w = voting.labels[rows], voting.place.w[rows]
    soft_labels = model.soft_labels_[number] if has_constant_soft_labels(model) else None
    return LineProfile(
        number,
        model.lines_[number],
        rows,
        w,
        voting.place.t[rows],
        voting.place.r[rows],
        voting.along[rows],
        weighed(labels, w).argmax(axis=1),
        voting.answered_along[rows],
        soft_labels,
        None if soft_labels is None else winning_bands(*soft_labels),
    )


def labels_at(model: HasLines, number: int, x: np.ndarray) -> np.ndarray:
    """(2, K) soft labels of a line's prototypes; where they depend on the point, logits at it.

    Parameters
    ----------
    model : fitted classifier
        With lines.
    number : int
        Counted from 0.
    x : (d,) array
    """
    labels: np.ndarray = model.vote_labels(np.asarray(x)[None], np.array([number]))[0]
    return labels
