"""Protocols of fitted models; shapes: m points, d features, K classes, L lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

if TYPE_CHECKING:
    from typing import TypeGuard

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
    """Assigns a point to a line, whose two prototypes classify it (equation 1)."""

    centroids_: np.ndarray  # (K, d)
    lines_: tuple[Line, ...]
    prototypes_: np.ndarray  # (L, 2, d): left and right
    n_features_in_: int
    assignment: str  # by the nearest "segment" or "prototype"
    distance: str  # "euclidean" or "along_line"

    @property
    def distance_unit(self) -> float:
        """The unit of distances in ``influence``, in units of the embeddings."""

    @property
    def distance_floor(self) -> float:
        """The smallest distance in ``influence``, above 0, in units of the embeddings."""

    def place(self, X: Any, line: np.ndarray | None = None) -> Placement:
        """The place of points on their assigned lines, or on given ones (m,)."""

    def prototype_scores(self, X: Any, line: np.ndarray | None = None) -> np.ndarray:
        """(m, 2, K) soft labels, or logits where they depend on x; −∞: class not on the line."""

    def carries(self, line: np.ndarray, class_index: np.ndarray) -> np.ndarray:
        """(m,) bool: whether each line (m,) contains the class index (m,)."""

    def influence(self, X: Any) -> np.ndarray:
        """(m, K) Σ prototype score / distance, the distances in units of ``distance_unit``."""


@runtime_checkable
class ConstantSoftLabels(HasLines, Protocol):
    """Soft labels are the same for every point."""

    soft_labels_: np.ndarray  # (L, 2, K), rows sum to 1


@runtime_checkable
class HasMembers(HasLines, Protocol):
    """Combines the probabilities of two prototypes, as a "mixture" or a log-linear "pool"."""

    combination: str


def predicts_from_lines(model: object) -> TypeGuard[HasLines]:
    """Whether a model has a line of two or more classes."""
    return isinstance(model, HasLines) and any(len(line.classes) > 1 for line in model.lines_)


def has_local_soft_labels(model: object) -> TypeGuard[HasLines]:
    """Whether a model's soft labels depend on the example."""
    return isinstance(model, HasLines) and not isinstance(model, ConstantSoftLabels)


@dataclass(frozen=True)
class Parameters:
    """Parameter counts, without an encoder's frozen weights."""

    trainable: int  # set by gradient descent or linear programming
    stored: int  # needed to predict: these, and centroids, prototypes or support examples
    description: str  # what ``trainable`` counts


def parameters_of(model: object) -> Parameters | None:
    """Parameter counts of a fitted classifier; None if it has none."""
    found: Parameters | None = getattr(model, "parameter_count", lambda: None)()
    return found
