"""constraintSLP: constant soft labels, found by linear programming.

Section 3.1.2 of the paper ("Learning via linear constraints") and its appendix A.1, after
Algorithm 4 of Sucholutsky et al. On a line of length T, the influence of class j at position t is
I_j(t) = a_j / t + c_j / (T − t), with a the left prototype's soft label and c the right's. At the
centroids, two of which are prototypes, δ = T / 1000 is added to both distances; at midpoints, where
neighbours must be equal, nothing is. This reproduces the paper's figures to every digit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from slp_core.allowed import NotNegative, Share
from slp_core.errors import SLPError
from slp_core.lines import Line
from slp_core.methods.base import Distance, LineClassifier, LineOptions, all_or_nothing
from slp_core.methods.line_programme import LineProgramme
from slp_core.methods.protocols import Parameters
from slp_core.sentences import count

_MOST_CLASSES = 150  # on a line: solving takes time in proportion to n to the fifth


@dataclass(kw_only=True, eq=False, repr=False)
class ConstraintSLPClassifier(LineOptions, LineClassifier):
    """Few-shot classifier with constant soft labels at the ends of lines.

    Parameters
    ----------
    line_method : {"recursive_regression", "brute_force", "attraction"}
        How lines through the class centroids are found.
    n_lines : "half", "all" or int
        The most lines: ⌈K/2⌉ (the paper), K − 1 (the authors' code), or a number. A line takes 150
        classes at most.
    tolerance : float
        ε, beyond which a centroid counts as off its line.
    tolerance_scale : {"relative", "absolute"}
        ε in median distances between centroids, or in the units of the data (the paper).
    assignment : {"segment", "prototype"}
        Assigns a point to the line of the nearest segment (authors' code) or of the nearest
        prototype (the paper's text).
    distance : {"euclidean", "along_line"}
        Distances of the point itself (the paper), or of its projection onto the line.
    margin : float
        By how much the class of a centroid must lead there, in units of 1 / T. At 0 the optimum
        for four or more classes lets the inner ones tie everywhere, so they are never predicted.
    floor : float
        The least soft label, 0 ≤ floor ≤ 1 / (classes on the longest line). 1e-4 gives the
        paper's figures.
    solver : str
        "HIGHS", which comes with SciPy, or one that CVXPY has: "CLARABEL", or "MOSEK" with a
        licence.

    Attributes
    ----------
    classes_ : (K,) array
    centroids_ : (K, d) array
    lines_ : tuple of slp_core.lines.Line
    line_fit_ : slp_core.lines.LineFit
        Missing in models loaded from files of early versions.
    prototypes_ : (L, 2, d) array
        Left and right end of every line.
    soft_labels_ : (L, 2, K) array
        Rows sum to 1; 0 for classes not on the line.
    slack_ : (L,) array
        The largest relaxation of a constraint, in units of 1 / T; 0 if the programme is feasible.
    n_features_in_ : int

    Examples
    --------
    >>> from slp_core import ConstraintSLPClassifier
    >>> model = ConstraintSLPClassifier().fit([[-10, 0], [5, 0], [15, 0]], ["A", "B", "C"])
    >>> (109 * model.soft_labels_[0]).round(6).tolist()
    [[65.0, 44.0, 0.0], [0.0, 49.0, 60.0]]
    """

    combination = "mixture"

    distance: Distance = "euclidean"
    margin: NotNegative = 1e-3
    floor: Share = 0.0
    solver: str = "HIGHS"

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ConstraintSLPClassifier:
        """Find lines through the class centroids of X (n, d), and soft labels for their ends.

        Rows may have weights (n,) in the centroids.
        """
        with all_or_nothing(self):
            self._fit_lines(X, y, sample_weight)
            self.soft_labels_ = np.zeros((len(self.lines_), 2, len(self.classes_)))
            self.slack_ = np.zeros(len(self.lines_))
            for number, line in enumerate(self.lines_):
                labels, self.slack_[number] = solve_soft_labels(
                    line, margin=self.margin, floor=self.floor, solver=self.solver
                )
                self.soft_labels_[number][:, list(line.classes)] = labels
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # Theorem 2: with three classes on a line it can misclassify most of its support set.
        tags.classifier_tags.poor_score = True
        return tags

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, K) each class's share of the influence: w · Y_left + (1 − w) · Y_right."""
        at = self.place(X)
        labels = self.soft_labels_[at.line]
        return at.w[:, None] * labels[:, 0] + (1.0 - at.w[:, None]) * labels[:, 1]

    def parameter_count(self) -> Parameters:
        """Two soft labels per line, 2·L·K."""
        trainable = self.soft_labels_.size
        lines = count(len(self.lines_), "line")
        description = (
            f"{lines} with two soft labels of {len(self.classes_)} classes, by linear programming"
        )
        return Parameters(trainable, trainable + self.prototypes_.size, description)


def solve_soft_labels(
    line: Line, *, margin: float = 1e-3, floor: float = 0.0, solver: str = "HIGHS"
) -> tuple[np.ndarray, float]:
    """The soft labels (2, n) of a line's two prototypes, and the largest violation in 1 / length.

    With g_i = I_i(t_i) − Σ_{j≠i} I_j(t_i) at the position t_i of class i, maximise Σ g_i and
    the sum of the two smallest, subject to I_i(t_i) ≥ I_j(t_i) + margin, equal influence of
    neighbours at their midpoint, soft labels that sum to 1 and are at least ``floor``. If this is
    infeasible (crowded classes), every order and midpoint gets a slack; the summed slack is
    minimised first, then the goal maximised.
    """
    n = len(line.classes)
    if not 0 <= floor <= 1 / n:
        raise SLPError(f"floor must lie between 0 and 1/{n} on a line of {n} classes, not {floor}.")
    if n == 1:
        return np.ones((2, 1)), 0.0
    if line.length == 0:  # all centroids coincide
        return np.full((2, n), 1 / n), 0.0
    if n == 2:
        low, high = floor, 1 - floor
        return np.array([[high, low], [low, high]]), 0.0
    if n > _MOST_CLASSES:
        raise SLPError(
            f"A line has {n} classes; at most {_MOST_CLASSES} are solved within a minute: choose "
            "more lines, for instance n_lines='half'."
        )
    programme = LineProgramme.of(line.positions / line.length, margin, floor)
    labels, slack = programme.by_highs() if solver == "HIGHS" else programme.by_cvxpy(solver)
    found = np.clip(labels.reshape(2, n), 0.0, None)
    return found / found.sum(axis=1, keepdims=True), slack
