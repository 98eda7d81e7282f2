"""Small models of a lesson's own, made from what a visitor moves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.explain.bands import Bands, winning_bands
from slp_core.explain.theorem2 import Turn, turns_of
from slp_core.lines import Line

SHARED_CLASSES = ("first", "middle", "last")
THREE = ("A", "B", "C")
THREE_PLACES = (-10.0, 5.0, 15.0)  # as in the paper's proof of Theorem 2
LEAST_APART = 1e-6  # of two centroids: closer ones have no order
_TIE = 1e-12


def shared_soft_labels(share: float) -> np.ndarray:
    """(2, 3) soft labels of two prototypes that each give the middle class a share, 0 to 1."""
    return np.array([[1 - share, share, 0.0], [0.0, share, 1 - share]])


@dataclass(frozen=True, eq=False)
class OnePrediction:
    """An example between prototypes A and B, and its class scores."""

    soft_labels: np.ndarray  # (2, K)
    classes: tuple[str, ...]
    to_a: float
    to_b: float

    @property
    def w(self) -> float:
        """The weight of prototype A."""
        return self.to_b / (self.to_a + self.to_b)

    @property
    def scores(self) -> np.ndarray:
        """(K,) soft labels divided by distances, summed (equation 1)."""
        return np.asarray(self.soft_labels[0] / self.to_a + self.soft_labels[1] / self.to_b)

    @property
    def mark(self) -> tuple[np.ndarray, np.ndarray]:
        """(1,) w and (1,) predicted class: the example, as figures take it."""
        return np.array([self.w]), np.array([int(self.scores.argmax())])

    @property
    def winners(self) -> list[int]:
        """The classes with the highest score; the first is predicted."""
        found: list[int] = np.flatnonzero(self.scores >= self.scores.max() - _TIE).tolist()
        return found


def one_prediction(to_a: float, to_b: float) -> OnePrediction:
    """Of prototypes that give the middle class 0.4, the paper's illustration."""
    return OnePrediction(shared_soft_labels(0.4), SHARED_CLASSES, to_a, to_b)


@dataclass(frozen=True, eq=False)
class ThreeOnAxis:
    """Three centroids on one axis with constraintSLP's soft labels, and Theorem 2's turns."""

    places: tuple[float, float, float]
    line: Line
    soft_labels: np.ndarray  # (2, 3)
    bands: Bands
    turns: tuple[Turn, ...]

    @property
    def ends(self) -> tuple[float, float]:
        """The places of the two prototypes."""
        return self.places[self.line.left], self.places[self.line.right]


def three_on_axis(a: float, b: float, c: float) -> ThreeOnAxis | None:
    """Fit constraintSLP on A, B and C at these places; None where two of them coincide."""
    # On demand: it imports scikit-learn.
    from slp_core.methods.constraint_slp import ConstraintSLPClassifier

    places = np.array([a, b, c], dtype=np.float64)
    if np.diff(np.sort(places)).min() < LEAST_APART:
        return None
    points = np.column_stack([places, np.zeros(3)])
    model = ConstraintSLPClassifier(n_lines=1).fit(points, THREE)
    labels = np.asarray(model.soft_labels_[0])
    turns = turns_of(model)
    at = (float(a), float(b), float(c))
    return ThreeOnAxis(at, model.lines_[0], labels, winning_bands(*labels), turns)
