"""Where the names of marks go, so that none covers another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_LINE_HEIGHT = 1.35  # of the font size
_CHARACTER = 0.6
_SIDES = ((0, -1), (0, 1), (1, 0), (-1, 0), (0.8, -0.8), (-0.8, -0.8), (0.8, 0.8), (-0.8, 0.8))


def place_names(
    points: np.ndarray,
    names: Sequence[str],
    unit: float,
    font: float,
    radius: float,
    others: np.ndarray | None = None,
) -> list[tuple[int, float, float]]:
    """Shifts in pixels for names beside their marks.

    Below, above, right and left of the mark are tried in this order, then the corners. A name
    that would cover a mark or another name at all of them is left out.

    Parameters
    ----------
    points : (n, 2) array
    names : sequence of str
    unit : float
        Pixels to a unit of ``points``, about.
    font : float
        Font size in pixels.
    radius : float
        Of the marks, in pixels.
    others : (m, 2) array, optional
        Marks without a name, which none may cover either.

    Returns
    -------
    list of (index, x shift, y shift)
        The names that have a place, y upward.
    """
    height = _LINE_HEIGHT * font
    marks = points * unit
    every = marks if others is None else np.concatenate([marks, others * unit])
    boxes = np.column_stack([every - 0.7 * radius, every + 0.7 * radius])
    placed: list[tuple[int, float, float]] = []
    for index, (name, (x, y)) in enumerate(zip(names, marks, strict=True)):
        width = _CHARACTER * font * len(name) + 4
        aside, apart = radius + width / 2, radius + height / 2
        for right, up in _SIDES:
            dx, dy = right * aside, up * apart
            left, bottom = x + dx - width / 2, y + dy - height / 2
            box = np.array([left, bottom, left + width, bottom + height])
            if not (np.all(box[:2] < boxes[:, 2:], 1) & np.all(boxes[:, :2] < box[2:], 1)).any():
                boxes = np.vstack([boxes, box])
                placed.append((index, dx, dy))
                break
    return placed
