"""Small models of a lesson's own, made from what a visitor moves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.explain.bands import Bands, winning_bands
from slp_core.explain.theorem2 import Turn, theorem2
from slp_core.facts import ClassName, Facts, Listed, Stated, class_names, fact
from slp_core.lines import Line

SHARED_CLASSES = ("left", "middle", "right")
THREE = ("A", "B", "C")
THREE_PLACES = (-10.0, 5.0, 15.0)  # as in the paper's proof of Theorem 2
LEAST_APART = 1e-6  # of two centroids: nearer ones have no order


def shared_soft_labels(share: float) -> np.ndarray:
    """(2, 3) soft labels of two prototypes that each lend the middle class a share, 0 to 1."""
    return np.array([[1 - share, share, 0.0], [0.0, share, 1 - share]])


@dataclass(frozen=True, eq=False)
class OneVote(Stated):
    """A point between two prototypes, and what it is answered."""

    soft_labels: np.ndarray  # (2, K)
    classes: tuple[str, ...]
    to_left: float
    to_right: float

    @property
    def w(self) -> float:
        """The left prototype's share of the vote."""
        return self.to_right / (self.to_left + self.to_right)

    @property
    def influence(self) -> np.ndarray:
        """(K,) soft labels over distances, summed (equation 1)."""
        return np.asarray(self.soft_labels[0] / self.to_left + self.soft_labels[1] / self.to_right)

    @property
    def mark(self) -> tuple[np.ndarray, np.ndarray]:
        """(1,) w and (1,) the class that is answered: the point, as figures take it."""
        return np.array([self.w]), np.array([int(self.influence.argmax())])

    def facts(self) -> Facts:
        """The vote, number by number."""
        names, influence = class_names(self.classes), self.influence
        parts = [
            fact("lesson.influence", "{name} {influence:.2f}", name=name, influence=float(value))
            for name, value in zip(names, influence, strict=True)
        ]
        away = {"to_left": self.to_left, "to_right": self.to_right, "w": self.w}
        template = (
            "The point is {to_left:.1f} from the left prototype and {to_right:.1f} from the right "
            "one, so w is {w:.2f}. Influences: {parts}."
        )
        vote = fact("lesson.vote", template, parts=Listed(parts), **away)
        won = np.flatnonzero(influence >= influence.max() - 1e-12)
        if len(won) > 1:
            template = "{names} have the same: the first of them is answered."
            tied = Listed([names[c] for c in won.tolist()])
            return vote, fact("lesson.vote_tied", template, names=tied)
        return vote, fact("lesson.vote_won", "{name} has the most.", name=names[int(won[0])])


def one_vote(to_left: float, to_right: float) -> OneVote:
    """A vote of prototypes that lend the middle class 0.4, the paper's illustration."""
    return OneVote(shared_soft_labels(0.4), SHARED_CLASSES, to_left, to_right)


@dataclass(frozen=True, eq=False)
class ThreeOnAxis(Stated):
    """Three centroids on one axis with constraintSLP's soft labels, and what Theorem 2 says."""

    places: tuple[float, float, float]
    line: Line
    soft_labels: np.ndarray  # (2, 3)
    bands: Bands
    turns: tuple[Turn, ...]

    def facts(self) -> Facts:
        """Bands, and from whom a point at a right angle is taken."""
        names = class_names(THREE)
        told: list = [*self.bands.facts(THREE)]
        for turn in self.turns:
            if turn.taken is None:
                continue
            taken: ClassName = names[turn.taken]
            other = names[turn.left if turn.taken == turn.right else turn.right]
            template = (
                "At an angle of {angle:.1f}° at the left end, a point that sees the ends at a "
                "right angle is {near:.2f} from {taken} and {far:.2f} from {other}, and they tie: "
                "just beyond, {other} is answered though {taken} is nearer."
            )
            near, far = sorted((turn.to_left, turn.to_right))
            values = {"angle": turn.angle, "near": near, "far": far}
            told.append(fact("lesson.turn", template, taken=taken, other=other, **values))
        return tuple(told)


def three_on_axis(a: float, b: float, c: float) -> ThreeOnAxis | None:
    """Fit constraintSLP on A, B and C at these places; None where two of them coincide."""
    from slp_core.methods import ConstraintSLPClassifier  # on demand: it imports scikit-learn

    places = np.array([a, b, c], dtype=np.float64)
    if np.diff(np.sort(places)).min() < LEAST_APART:
        return None
    points = np.column_stack([places, np.zeros(3)])
    model = ConstraintSLPClassifier(n_lines=1).fit(points, THREE)
    labels = np.asarray(model.soft_labels_[0])
    turns = theorem2(model).turns
    at = (float(a), float(b), float(c))
    return ThreeOnAxis(at, model.lines_[0], labels, winning_bands(*labels), turns)
