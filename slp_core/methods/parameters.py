"""Parameter counts of fitted classifiers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable


@dataclass(frozen=True)
class Parameters:
    """Parameter counts, without an encoder's frozen weights."""

    trainable: int  # set by gradient descent or linear programming
    stored: int  # needed to predict: these, and centroids, prototypes or support examples
    description: str  # what ``trainable`` counts


@runtime_checkable
class CountsParameters(Protocol):
    """Has parameter counts."""

    def parameter_count(self) -> Parameters:
        """The counts of the fitted model."""


def parameters_of(model: object) -> Parameters | None:
    """Parameter counts of a fitted classifier; None if it has none."""
    return model.parameter_count() if isinstance(model, CountsParameters) else None
