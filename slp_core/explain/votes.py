"""One point's vote taken apart: soft label ÷ distance, prototype by prototype."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.explain.bands import Bands, winning_bands
from slp_core.explain.voting import read_voting
from slp_core.lines import distances
from slp_core.markdown import named
from slp_core.methods.protocols import HasLines, has_local_soft_labels


@dataclass(frozen=True, eq=False)
class Votes:
    """How one point came by its answer.

    Attributes
    ----------
    classes : tuple of str
    predicted : int
    line : int
        That answered, counted from 0.
    line_classes : tuple of int
        From left to right.
    soft_labels : (2, K) array
        Of its left and right prototype; logits at this point where they depend on it.
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
    centroid_distance : (K,) array
    bands : Bands
        Over w; where soft labels depend on the point, with those at this point.
    local : bool
        Whether they do.
    """

    classes: tuple[str, ...]
    predicted: int
    line: int
    line_classes: tuple[int, ...]
    soft_labels: np.ndarray
    distances: np.ndarray
    w: float
    t: float
    r: float
    length: float
    along: float
    runner_up: int | None
    lead: float
    centroid_distance: np.ndarray
    bands: Bands
    local: bool

    @property
    def influence(self) -> np.ndarray:
        """(K,) the two parts added up; −∞ for a class that is barred."""
        barred = np.isinf(self.soft_labels).any(axis=0)
        parts = np.where(barred, 0.0, self.soft_labels) / self.distances[:, None]
        return np.where(barred, -np.inf, parts.sum(axis=0))

    @property
    def nearest(self) -> tuple[int, ...]:
        """Classes by the distance of their centroids, the nearest first."""
        return tuple(int(c) for c in np.argsort(self.centroid_distance, kind="stable"))

    def sentence(self) -> str:
        """Line, place and winner, and how clear the choice of line was."""
        name = self.classes
        if len(self.line_classes) == 1:
            return f"The nearest line is {named(name[self.predicted])} alone."
        left, right = name[self.line_classes[0]], name[self.line_classes[-1]]
        other = (
            ""
            if self.runner_up is None
            else f" Line {self.runner_up + 1} was {self.lead:.3f} further away."
        )
        return (
            f"Line {self.line + 1} answers, from {named(left)} to {named(right)}. At w = "
            f"{self.w:.3f} the left prototype has {self.w:.0%} of the vote, and "
            f"{named(name[self.predicted])} the most influence.{other}"
        )


def read_votes(model: HasLines, x: np.ndarray) -> Votes:
    """Take one answer of a method with lines apart (equation 1).

    Parameters
    ----------
    model : fitted classifier
    x : (d,) array

    Raises
    ------
    SLPError
        For a method without lines.
    """
    X = np.asarray(x, dtype=np.float64)[None, :]
    voting = read_voting(model, X)
    at, labels = voting.place, voting.labels[0]
    number = int(at.line[0])
    line = model.lines_[number]
    off = _nearness(model, X, at.segment_distance[0])
    others = np.delete(np.arange(len(off)), number)
    runner_up = int(others[off[others].argmin()]) if len(others) else None
    return Votes(
        classes=tuple(str(c) for c in model.classes_),
        predicted=int(model.influence(X)[0].argmax()),
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
        centroid_distance=distances(X, model.centroids_)[0],
        bands=winning_bands(*labels),
        local=has_local_soft_labels(model),
    )


def _nearness(model: HasLines, X: np.ndarray, segment_distance: np.ndarray) -> np.ndarray:
    """(L,) what the line is chosen by: the distance of its segment, or of its nearer prototype."""
    if model.assignment == "segment":
        return segment_distance
    ends = model.prototypes_.reshape(-1, X.shape[1])
    return distances(X, ends)[0].reshape(-1, 2).min(axis=1)
