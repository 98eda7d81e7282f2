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
    lengths: list[int]  # (n,) of the rows
    vectors: np.ndarray | None = None  # (n, d)
    chunk_lengths: tuple[tuple[int, ...], ...] | None = None
    origin: str | None = None

    @classmethod
    def of(cls, rows: LowerStates) -> PackedStates:
        """Pack n ≥ 1 rows."""
        return cls(
            torch.cat(rows.states).cpu().numpy(),
            torch.cat(rows.weights).cpu().numpy(),
            [len(row) for row in rows.weights],
            None if rows.vectors is None else rows.vectors.cpu().numpy(),
            rows.chunk_lengths,
            rows.origin,
        )

    def __getitem__(self, rows: Sequence[int] | np.ndarray) -> LowerStates:
        """Rows by number, in the given order: read-only views of these arrays."""
        return LowerStates(
            _readable(self.states).split(self.lengths),
            _readable(self.weights).split(self.lengths),
            None if self.vectors is None else _readable(self.vectors),
            self.chunk_lengths,
            self.origin,
        ).take(rows)


def _readable(array: np.ndarray) -> torch.Tensor:
    with warnings.catch_warnings():
        # A worker's memory map is read-only.
        warnings.filterwarnings("ignore", message=".*not writable.*", category=UserWarning)
        return torch.from_numpy(np.asarray(array))
