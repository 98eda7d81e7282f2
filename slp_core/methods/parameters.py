"""How many numbers a fitted classifier has chosen, and how many it has to keep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable


@dataclass(frozen=True)
class Parameters:
    """Sizes of a fitted classifier.

    What stays as it was in an encoder is in neither number.
    """

    trainable: int  # chosen by gradient descent or linear programming, not means or copies
    stored: int  # needed to predict: these, and the points that predictions are measured from
    counted: str  # what ``trainable`` is the number of


@runtime_checkable
class CountsParameters(Protocol):
    """Says how many numbers fitting has chosen."""

    def parameter_count(self) -> Parameters:
        """Of the fitted model."""


def parameters_of(model: object) -> Parameters | None:
    """What a fitted classifier says of its parameters; None for one that says nothing."""
    return model.parameter_count() if isinstance(model, CountsParameters) else None


def counted(n: int, what: str) -> str:
    """A number and what it is of."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"
