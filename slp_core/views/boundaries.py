"""Where any number of regions of a grid meet, as line segments."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

_HALVINGS = 5


def region_boundaries(
    labels: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    margin: np.ndarray,
    label_at: Callable[[np.ndarray], np.ndarray] | None = None,
) -> np.ndarray:
    """Segments between unlike neighbours of a grid, as exact as ``label_at``, or by margins."""
    grid = np.stack(np.meshgrid(x, y), axis=-1)
    # Of each cell: crossings on its bottom, right, top and left side, NaN where there is none.
    cells = np.full((len(y) - 1, len(x) - 1, 4, 2), np.nan)
    for first, last, sides in (
        (np.s_[:, :-1], np.s_[:, 1:], ((0, np.s_[:-1]), (2, np.s_[1:]))),
        (np.s_[:-1], np.s_[1:], ((3, np.s_[:, :-1]), (1, np.s_[:, 1:]))),
    ):
        unlike = labels[first] != labels[last]
        start, end = grid[first][unlike], grid[last][unlike]
        if label_at is None:
            share = _used_up(margin[first][unlike], margin[last][unlike])
        else:
            share = _halved(start, end, labels[first][unlike], label_at)
        crossings = np.full((*unlike.shape, 2), np.nan)
        crossings[unlike] = start + share[:, None] * (end - start)
        for side, of_cells in sides:
            cells[:, :, side] = crossings[of_cells]
    flat = cells.reshape(-1, 4, 2)

    present = np.isfinite(flat).all(axis=2)
    count = present.sum(axis=1)
    pairs = flat[count == 2][present[count == 2]].reshape(-1, 2, 2)
    meeting, here = flat[count > 2], present[count > 2]
    middle = np.nanmean(meeting, axis=1, keepdims=True)
    spokes = np.stack([meeting, np.broadcast_to(middle, meeting.shape)], axis=2)[here]
    return np.concatenate([pairs, spokes.reshape(-1, 2, 2)]).astype(np.float32)


def _used_up(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Share of the way at which two leads that fall evenly are both used up."""
    total = (first + second).astype(np.float64)
    return np.divide(first, total, out=np.full(len(total), 0.5), where=total > 0)


def _halved(
    start: np.ndarray,
    end: np.ndarray,
    label: np.ndarray,
    label_at: Callable[[np.ndarray], np.ndarray],
) -> np.ndarray:
    """Share of the way at which the label of the start ends."""
    low, high = np.zeros(len(start)), np.ones(len(start))
    for _ in range(_HALVINGS if len(start) else 0):
        middle = (low + high) / 2
        same = label_at(start + middle[:, None] * (end - start)) == label
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return (low + high) / 2
