"""Protocols of fitted models, and checks for them.

Estimators satisfy them by their attributes once fitted. Shapes: m points, d features, K classes, L
lines. Single attributes are checked by ``hasattr``: ``centroids_`` (K, d), ``line_fit_``,
``linear_scores`` of a linear rule, ``lower_states`` of methods that train an encoder.
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
    """Predicts with probabilities."""

    classes_: np.ndarray  # (K,)

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, K) distribution over ``classes_``, of which the argmax is the prediction."""


@runtime_checkable
class Classifier(HasProbabilities, Protocol):
    """A classifier that can be evaluated; X is (n, d), or n texts for methods on texts."""

    def fit(self, X: Any, y: np.ndarray) -> Classifier:
        """Fit to the support set."""

    def predict(self, X: Any) -> np.ndarray:
        """(m,) of ``classes_``."""


@runtime_checkable
class HasLines(HasProbabilities, Protocol):
    """Assigns a point to a line, whose two prototypes vote (equation 1 of the paper).

    Lines may all have one class, as nearest centroid's do: see :func:`predicts_from_lines`.
    """

    centroids_: np.ndarray  # (K, d)
    lines_: tuple[Line, ...]
    prototypes_: np.ndarray  # (L, 2, d): left and right
    n_features_in_: int
    assignment: str  # by the nearest "segment" or "prototype"
    distance: str  # "euclidean" or "along_line"

    @property
    def distance_unit(self) -> float:
        """The unit of the vote's distances, in units of the embeddings."""

    @property
    def distance_floor(self) -> float:
        """The smallest distance in a vote, above 0, in units of the embeddings."""

    def place(self, X: Any, line: np.ndarray | None = None) -> Placement:
        """The place of points on their assigned lines, or on given ones (m,)."""

    def vote_labels(self, X: Any, line: np.ndarray | None = None) -> np.ndarray:
        """(m, 2, K) soft labels, or logits if they are local; −∞ excludes a class from a line."""

    def carries(self, line: np.ndarray, class_index: np.ndarray) -> np.ndarray:
        """(m,) bool: whether each line (m,) contains the class index (m,)."""

    def influence(self, X: Any) -> np.ndarray:
        """(m, K) Σ vote label / distance, the distances in units of ``distance_unit``."""


@runtime_checkable
class ConstantSoftLabels(HasLines, Protocol):
    """Soft labels are the same for every point."""

    soft_labels_: np.ndarray  # (L, 2, K), rows sum to 1


@runtime_checkable
class LocalSoftLabels(HasLines, Protocol):
    """Soft labels are functions of the point."""

    def soft_labels(self, X: Any) -> np.ndarray:
        """(m, 2, K) of the assigned line's prototypes at each point; rows sum to 1."""

    def logits(self, X: Any) -> np.ndarray:
        """(m, 2, K) logits of the soft labels."""


@runtime_checkable
class HasMembers(HasLines, Protocol):
    """Combines the probabilities of two prototypes.

    ``"mixture"``: w · Y_left + (1 − w) · Y_right, of soft labels Y. ``"pool"``: log-linear, in
    proportion to the product of softmax(z / T) of both, to the powers w and 1 − w, with
    1/T = 1/d_left + 1/d_right.
    """

    combination: str


def has_lines(model: object) -> TypeIs[HasLines]:
    """Whether a model has lines with prototypes."""
    return isinstance(model, HasLines)


def predicts_from_lines(model: object) -> TypeGuard[HasLines]:
    """Whether a model has a line of two or more classes."""
    return has_lines(model) and any(len(line.classes) > 1 for line in model.lines_)


def has_constant_soft_labels(model: object) -> TypeIs[ConstantSoftLabels]:
    """Whether a model's soft labels are the same for every point."""
    return isinstance(model, ConstantSoftLabels)


def has_local_soft_labels(model: object) -> TypeIs[LocalSoftLabels]:
    """Whether a model's soft labels depend on the point."""
    return isinstance(model, LocalSoftLabels)


def has_members(model: object) -> TypeIs[HasMembers]:
    """Whether a model's probabilities combine those of its two prototypes."""
    return isinstance(model, HasMembers)
