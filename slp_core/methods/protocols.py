"""What the rest of the library asks of a fitted model, and how it asks whether the model has it.

An estimator derives from none of these: it has them by having their attributes once it is fitted.
Shapes are of m points with d features, K classes, and L lines. A single attribute is asked for by
``hasattr``: ``centroids_`` (K, d), ``line_fit_`` where lines were searched for, ``linear_scores``
where the rule is linear, ``lower_states`` where an encoder's top layers are trained.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

if TYPE_CHECKING:
    from typing import TypeGuard

    from typing_extensions import TypeIs

    from slp_core.lines import Line, Placement


@runtime_checkable
class HasProbabilities(Protocol):
    """Predicts with probabilities: enough for a landscape, a calibration, an error's cause."""

    classes_: np.ndarray  # (K,)

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, K) distribution over ``classes_``, of which the argmax is the prediction."""


@runtime_checkable
class Classifier(HasProbabilities, Protocol):
    """What an evaluation needs; X is an (n, d) array, or n texts for methods that read texts."""

    def fit(self, X: Any, y: np.ndarray) -> Classifier:
        """Learn from the support set."""

    def predict(self, X: Any) -> np.ndarray:
        """(m,) of ``classes_``."""


@runtime_checkable
class HasLines(HasProbabilities, Protocol):
    """Gives a point to a line, whose two prototypes vote (equation 1 of the paper).

    Lines may all have one class, as nearest centroid's do: see :func:`answers_from_lines`.
    """

    centroids_: np.ndarray  # (K, d)
    lines_: tuple[Line, ...]
    prototypes_: np.ndarray  # (L, 2, d): left and right
    n_features_in_: int
    assignment: str  # a point is given to a line by its nearest "segment" or nearest "prototype"
    distance: str  # votes are divided by: "euclidean" or "along_line"

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
    """Prototypes carry the same soft label for every point."""

    soft_labels_: np.ndarray  # (L, 2, K), rows sum to 1


@runtime_checkable
class LocalSoftLabels(HasLines, Protocol):
    """Soft labels are functions of the point."""

    def soft_labels(self, X: Any) -> np.ndarray:
        """(m, 2, K) of the chosen line's prototypes at each point; rows sum to 1."""

    def logits(self, X: Any) -> np.ndarray:
        """(m, 2, K) whose softmax they are."""


@runtime_checkable
class HasMembers(HasLines, Protocol):
    """Predicts with probabilities that combine those of the two prototypes by a named rule.

    ``"mixture"``: w · Y_left + (1 − w) · Y_right, of soft labels Y. ``"pool"``: log-linear, in
    proportion to the product of softmax(z / T) of both, to the powers w and 1 − w, with
    1/T = 1/d_left + 1/d_right.
    """

    combination: str


def has_lines(model: object) -> TypeIs[HasLines]:
    """Whether a model has lines with prototypes, be there one class on each or more."""
    return isinstance(model, HasLines)


def predicts_from_lines(model: object) -> TypeGuard[HasLines]:
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
