"""What the rest of the library asks of a fitted model, and how it asks whether the model has it.

An estimator derives from none of these: it has them by having their attributes once it is fitted.
Shapes are of m points with d features, K classes, and L lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

if TYPE_CHECKING:
    from typing import TypeGuard

    from typing_extensions import TypeIs

    from slp_core.encoders.trainable import LowerStates
    from slp_core.lines import Line, LineFit, Placement


@runtime_checkable
class HasProbabilities(Protocol):
    """Answers with probabilities: enough for a landscape, a calibration, an error's cause.

    Attributes
    ----------
    classes_ : (K,) array
    """

    classes_: np.ndarray

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, K) distribution over ``classes_``, of which the argmax is the answer."""


@runtime_checkable
class Classifier(HasProbabilities, Protocol):
    """The part of scikit-learn's classifier interface that an evaluation needs.

    X is an (n, d) array, or n texts for the methods that read texts.
    """

    def fit(self, X: Any, y: np.ndarray) -> Classifier:
        """Learn from the support set."""

    def predict(self, X: Any) -> np.ndarray:
        """(m,) the answers, of ``classes_``."""


@runtime_checkable
class HasWinners(HasProbabilities, Protocol):
    """Knows a quicker way to the answers to very many points than by their probabilities."""

    def winners(self, X: Any) -> np.ndarray:
        """(m,) int: the argmax of the probabilities."""


@runtime_checkable
class HasCentroids(Protocol):
    """Keeps the class means of its support set.

    Attributes
    ----------
    centroids_ : (K, d) array
    """

    centroids_: np.ndarray


@runtime_checkable
class HasLines(HasProbabilities, HasCentroids, Protocol):
    """Gives a point to a line, whose two prototypes vote (equation 1 of the paper).

    Lines may all have one class, as nearest centroid's do: see :func:`answers_from_lines`.

    Attributes
    ----------
    lines_ : tuple of Line
    prototypes_ : (L, 2, d) array
        Left and right.
    n_features_in_ : int
    assignment : {"segment", "prototype"}
        What a point is given to a line by: its nearest segment, or its nearest prototype.
    distance : {"euclidean", "along_line"}
        What votes are divided by.
    """

    lines_: tuple[Line, ...]
    prototypes_: np.ndarray
    n_features_in_: int
    assignment: str
    distance: str

    @property
    def distance_unit(self) -> float:
        """The unit of the distances that votes are divided by, in units of the vectors."""

    @property
    def distance_floor(self) -> float:
        """The least distance that a vote is divided by, above 0, in units of the vectors."""

    def place(self, X: Any, line: np.ndarray | None = None) -> Placement:
        """Where points lie on the lines they are given to, or on those named, (m,)."""

    def vote_labels(self, X: Any, line: np.ndarray | None = None) -> np.ndarray:
        """(m, 2, K) what is divided by the distances: soft labels, or logits where these are local.

        −∞ bars a class from a line.
        """

    def carries(self, line: np.ndarray, class_index: np.ndarray) -> np.ndarray:
        """(m,) bool: whether each line (m,) carries the class (m,) beside it."""

    def influence(self, X: Any) -> np.ndarray:
        """(m, K) Σ vote label / distance, the distances in units of ``distance_unit``."""


@runtime_checkable
class ConstantSoftLabels(HasLines, Protocol):
    """Prototypes carry the same soft label for every point.

    Attributes
    ----------
    soft_labels_ : (L, 2, K) array
        Rows sum to 1.
    """

    soft_labels_: np.ndarray


@runtime_checkable
class LocalSoftLabels(HasLines, Protocol):
    """Soft labels are functions of the point."""

    def soft_labels(self, X: Any) -> np.ndarray:
        """(m, 2, K) of the chosen line's prototypes at each point; rows sum to 1."""

    def logits(self, X: Any) -> np.ndarray:
        """(m, 2, K) whose softmax they are."""


@runtime_checkable
class HasMembers(HasLines, Protocol):
    """Answers with probabilities that are made of the two prototypes' own, by a rule with a name.

    Attributes
    ----------
    combination : {"mixture", "pool"}
        ``"mixture"``: w · Y_left + (1 − w) · Y_right, of soft labels Y. ``"pool"``: log-linear, in
        proportion to the product of softmax(z / T) of both, to the powers w and 1 − w, with
        1/T = 1/d_left + 1/d_right.
    """

    combination: str


@runtime_checkable
class HasLineFit(Protocol):
    """Has searched for its lines.

    Attributes
    ----------
    line_fit_ : LineFit
    """

    line_fit_: LineFit


@runtime_checkable
class HasLinearFunctions(Protocol):
    """Takes linear functions of a point, coef_ · x + intercept_.

    Attributes
    ----------
    coef_ : (..., d) array
    intercept_ : (...) array
    """

    coef_: np.ndarray
    intercept_: np.ndarray


@runtime_checkable
class HasLinearScores(Protocol):
    """Answers with the largest of K linear functions of a point."""

    def linear_scores(self, X: Any) -> np.ndarray:
        """(m, K)."""


@runtime_checkable
class HasDecisionFunction(Protocol):
    """Has scikit-learn's scores."""

    def decision_function(self, X: Any) -> np.ndarray:
        """(m, K), or (m,) for two classes, above 0 for the second."""


@runtime_checkable
class HasLowerStates(Protocol):
    """Trains an encoder's top layers, and can be given what those below make of the texts."""

    def lower_states(self, X: Any) -> LowerStates:
        """Of n rows of texts; depends on no support set."""


def has_winners(model: object) -> TypeIs[HasWinners]:
    """Whether a model answers very many points without their probabilities."""
    return isinstance(model, HasWinners)


def has_centroids(model: object) -> TypeIs[HasCentroids]:
    """Whether a model keeps class means."""
    return isinstance(model, HasCentroids)


def has_lines(model: object) -> TypeIs[HasLines]:
    """Whether a model has lines with prototypes, be there one class on each or more."""
    return isinstance(model, HasLines)


def answers_from_lines(model: object) -> TypeGuard[HasLines]:
    """Whether a model has lines of two or more classes, on which the place of a point decides."""
    return has_lines(model) and any(len(line.classes) > 1 for line in model.lines_)


def has_constant_soft_labels(model: object) -> TypeIs[ConstantSoftLabels]:
    """Whether a model's soft labels are the same for every point."""
    return isinstance(model, ConstantSoftLabels)


def has_local_soft_labels(model: object) -> TypeIs[LocalSoftLabels]:
    """Whether a model's soft labels depend on the point."""
    return isinstance(model, LocalSoftLabels)


def has_members(model: object) -> TypeIs[HasMembers]:
    """Whether a model's probabilities are those of its two prototypes, mixed or pooled."""
    return isinstance(model, HasMembers)


def has_line_fit(model: object) -> TypeIs[HasLineFit]:
    """Whether a model has searched for its lines: not where somebody else placed them."""
    return isinstance(model, HasLineFit)


def has_linear_functions(model: object) -> TypeIs[HasLinearFunctions]:
    """Whether a model takes linear functions of a point."""
    return isinstance(model, HasLinearFunctions)


def has_linear_scores(model: object) -> TypeIs[HasLinearScores]:
    """Whether a model's rule is linear."""
    return isinstance(model, HasLinearScores)


def has_decision_function(model: object) -> TypeIs[HasDecisionFunction]:
    """Whether a model has scikit-learn's scores; what holds another model has them if that does."""
    return hasattr(model, "decision_function")


def has_lower_states(model: object) -> TypeIs[HasLowerStates]:
    """Whether a model can be given the states below its trained layers."""
    return isinstance(model, HasLowerStates)
