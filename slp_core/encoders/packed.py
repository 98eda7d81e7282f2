"""Lower states as a few arrays that processes share as memory maps."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from slp_core.encoders.trainable import LowerStates


@dataclass(frozen=True)
class PackedStates:
    """The rows of a `LowerStates`, concatenated."""

    states: np.ndarray
    weights: np.ndarray
    ends: np.ndarray  # (n,) where each row ends
    vectors: np.ndarray | None = None  # (n, d)
    chunk_lengths: tuple[tuple[int, ...], ...] | None = None
    origin: str | None = None

    @classmethod
    def of(cls, rows: LowerStates) -> PackedStates:
        """Pack n ≥ 1 rows."""
        return cls(
            torch.cat(rows.states).cpu().numpy(),
            torch.cat(rows.weights).cpu().numpy(),
            np.cumsum([len(row) for row in rows.weights]),
            None if rows.vectors is None else rows.vectors.cpu().numpy(),
            rows.chunk_lengths,
            rows.origin,
        )

    def __getitem__(self, rows: Sequence[int] | np.ndarray) -> LowerStates:
        """Rows by number, in the given order: read-only views of these arrays."""
        places = [slice(self.ends[i - 1] if i else 0, self.ends[i]) for i in map(int, rows)]
        states, weights = _readable(self.states), _readable(self.weights)
        return LowerStates(
            tuple(states[place] for place in places),
            tuple(weights[place] for place in places),
            vectors=None if self.vectors is None else torch.from_numpy(self.vectors[rows]),
            chunk_lengths=None
            if self.chunk_lengths is None
            else tuple(self.chunk_lengths[i] for i in rows),
            origin=self.origin,
        )


def _readable(array: np.ndarray) -> torch.Tensor:
    with warnings.catch_warnings():
        # A worker's memory map is read-only.
        warnings.filterwarnings("ignore", message=".*not writable.*", category=UserWarning)
        return torch.from_numpy(np.asarray(array))
