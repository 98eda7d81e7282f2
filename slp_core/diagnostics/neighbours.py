"""The nearest neighbours of an example."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def nearest_rows(
    x: np.ndarray,
    X: np.ndarray,
    parts: Sequence[np.ndarray],
    n: int = 5,
    leave_out: int | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Of parts of the rows of X, those at the smallest angle to a vector, and the cosines."""
    rows = np.concatenate(parts)
    rows = rows[rows != leave_out] if leave_out is not None else rows
    x, among = np.asarray(x), np.asarray(X)[rows]
    lengths = np.linalg.norm(among, axis=1) * np.linalg.norm(x)
    dots = (among @ x).astype(np.float64)
    cosine = np.divide(dots, lengths, out=np.zeros(len(rows)), where=lengths > 0)
    first = np.argsort(-cosine, kind="stable")[:n]
    return rows[first], np.clip(cosine[first], -1, 1)
