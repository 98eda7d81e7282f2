"""Lower states as three arrays, which processes can share as memory maps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from slp_core.encoders.trainable import LowerStates


@dataclass(frozen=True)
class PackedStates:
    """The rows of a `LowerStates` one behind the other.

    Attributes
    ----------
    states
        (ΣT, d) float32.
    weights
        (ΣT,) float32.
    ends
        (n,) where each row ends.
    """

    states: np.ndarray
    weights: np.ndarray
    ends: np.ndarray

    @classmethod
    def of(cls, rows: LowerStates) -> PackedStates:
        """Pack n ≥ 1 rows."""
        return cls(
            torch.cat(rows.states).cpu().numpy(),
            torch.cat(rows.weights).cpu().numpy(),
            np.cumsum([len(row) for row in rows.weights]),
        )

    def __getitem__(self, rows: Sequence[int] | np.ndarray) -> LowerStates:
        """Unpack the rows asked for, in the order asked for; copies."""
        places = [slice(self.ends[i - 1] if i else 0, self.ends[i]) for i in map(int, rows)]
        return LowerStates(
            tuple(torch.tensor(np.asarray(self.states[place])) for place in places),
            tuple(torch.tensor(np.asarray(self.weights[place])) for place in places),
        )
