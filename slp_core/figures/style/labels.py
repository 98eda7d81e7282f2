"""Where the names of marks go, so that none covers another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from slp_core.figures.style.text import LETTER

_LINE_HEIGHT = 1.35  # of the font size
_SIDES = ((0, -1), (0, 1), (1, 0), (-1, 0), (0.8, -0.8), (-0.8, -0.8), (0.8, 0.8), (-0.8, 0.8))


def place_names(
    points: np.ndarray,
    names: Sequence[str],
    unit: float,
    font: float,
    radius: float,
    others: np.ndarray | None = None,
) -> list[tuple[int, float, float]]:
    """Shifts in pixels for names beside their marks."""
    height = _LINE_HEIGHT * font
    marks = points * unit
    every = marks if others is None else np.concatenate([marks, others * unit])
    boxes = np.column_stack([every - 0.7 * radius, every + 0.7 * radius])
    placed: list[tuple[int, float, float]] = []
    for index, (name, (x, y)) in enumerate(zip(names, marks, strict=True)):
        width = LETTER * font * len(name) + 4
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
