"""Points relative to prototypes and lines: distances, ``t``, ``r`` and ``w``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

# Below this share of the squared norms, |x|² + |p|² − 2x·p loses half its digits.
_CANCELLATION = 1e-6
# Close pairs are recomputed in batches of so many numbers, which fit the processor's cache.
_NUMBERS_AT_ONCE = 1 << 17


def distances(X: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Euclidean distances (m, p) by a matrix product; those of close pairs by difference."""
    X = np.asarray(X, dtype=np.float64)
    points = np.asarray(points, dtype=np.float64)
    origin = points.mean(axis=0)  # keeps squared norms small
    x, p = X - origin, points - origin
    norms = np.einsum("md,md->m", x, x)[:, None] + np.einsum("pd,pd->p", p, p)[None, :]
    squared = norms - 2.0 * (x @ p.T)
    for rows, columns in _batches(squared <= _CANCELLATION * norms, X.shape[1]):
        difference = x[rows] - p[columns]
        squared[rows, columns] = np.einsum("nd,nd->n", difference, difference)
    return np.sqrt(squared)


def _batches(pairs: np.ndarray, width: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Row and column numbers of the marked pairs, in batches."""
    rows, columns = np.nonzero(pairs)
    step = _NUMBERS_AT_ONCE // max(width, 1) + 1
    for start in range(0, len(rows), step):
        yield rows[start : start + step], columns[start : start + step]


def project_on_segments(
    X: np.ndarray, left: np.ndarray, right: np.ndarray, from_left: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """(m, L) each: positions along lines, unclamped, and distances from segments."""
    X = np.asarray(X, dtype=np.float64)
    axis = right - left
    length = np.linalg.norm(axis, axis=1)
    unit = np.divide(axis, length[:, None], out=np.zeros_like(axis), where=length[:, None] > 0)
    t = X @ unit.T - np.einsum("ld,ld->l", left, unit)
    if from_left is None:
        from_left = distances(X, left)
    nearest = np.clip(t, 0.0, length)
    # Pythagoras about the left end: |x − foot|² = |x − left|² − t² + (t − nearest)².
    squared = (from_left - np.abs(t)) * (from_left + np.abs(t)) + (t - nearest) ** 2
    close = squared <= _CANCELLATION * np.maximum(from_left, length) ** 2
    for rows, lines in _batches(close, X.shape[1]):
        foot = left[lines] + nearest[rows, lines, None] * unit[lines]
        squared[rows, lines] = ((X[rows] - foot) ** 2).sum(axis=1)
    return t, np.sqrt(np.maximum(squared, 0.0))


@dataclass(frozen=True)
class Placement:
    """The place of m points on their lines.

    Attributes
    ----------
    line : (m,) int array
        Index into the model's ``lines_``.
    t : (m,) array
        Position along the line: 0 at the left prototype, the line's length at the right.
    r : (m,) array
        Distance from the line's axis.
    d_left, d_right : (m,) arrays
        The distances that soft labels are divided by, floored above 0.
    w : (m,) array
        d_right / (d_left + d_right), the weight of the left prototype.
    segment_distance : (m, L) array
        Distance from every line's segment.

    Examples
    --------
    >>> import slp_core as slp
    >>> model = slp.ConstraintSLPClassifier().fit([[-10, 0], [5, 0], [15, 0]], ["A", "B", "C"])
    >>> place = model.place([[-10, 25]])
    >>> place.line.tolist(), place.t.tolist(), place.r.tolist()
    ([0], [0.0], [25.0])
    """

    line: np.ndarray
    t: np.ndarray
    r: np.ndarray
    d_left: np.ndarray
    d_right: np.ndarray
    w: np.ndarray
    segment_distance: np.ndarray


def weight_at(t: np.ndarray, r: np.ndarray, length: float) -> np.ndarray:
    """The weight w at positions t and distances r from a line's axis."""
    to_left, to_right = np.hypot(t, r), np.hypot(t - length, r)
    return np.asarray(to_right / (to_left + to_right))


def circle_of(w: float, length: float) -> tuple[float, float]:
    """Centre on the axis and radius of the circle on which the weight is w; both ∞ at 1/2."""
    k = w / (1 - w)
    if k == 1:
        return float("inf"), float("inf")
    return length / (1 - k * k), k * length / abs(1 - k * k)


def class_means(X: np.ndarray, y: np.ndarray, n_classes: int) -> np.ndarray:
    """(K, d) mean of each class's rows of X (n, d), classes 0 to K − 1."""
    return np.stack([X[y == c].mean(axis=0) for c in range(n_classes)])
