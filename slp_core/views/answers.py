"""A method's answers to very many vectors, a batch at a time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from slp_core.methods.protocols import HasProbabilities, has_winners

# A batch of this many numbers stays in the processor's cache, and off the memory bus.
_NUMBERS_AT_ONCE = 1 << 19
_MANY = 16_384  # rows, from which on a quicker way than by probabilities is worth its beginning


def index_dtype(count: int) -> type[np.integer]:
    """The smallest type in use that holds the indices of so many classes or lines."""
    if count <= 1 << 8:
        return np.uint8
    return np.int16 if count <= 1 << 15 else np.int32


def batches(n_rows: int, n_features: int) -> Iterator[slice]:
    """Slices that together cover the rows."""
    rows = max(64, _NUMBERS_AT_ONCE // n_features)
    for start in range(0, n_rows, rows):
        yield slice(start, min(start + rows, n_rows))


def class_indices(model: HasProbabilities, X: np.ndarray) -> np.ndarray:
    """The class of greatest probability for each row, as (m,) indices into ``classes_``."""
    if len(X) > _MANY and has_winners(model):
        return model.winners(X)
    parts = [model.predict_proba(X[rows]).argmax(axis=1) for rows in batches(*X.shape)]
    return np.concatenate(parts)
