"""The region of each answer on a grid, as polygons."""

from __future__ import annotations

import numpy as np


def outline(mask: np.ndarray) -> np.ndarray:
    """The borders of a grid's true cells: closed loops, cells on their left, holes on the right."""
    after = _borders(np.asarray(mask, dtype=bool))
    loops: list[np.ndarray] = []
    while after:
        start = next(iter(after))
        place, came, corners = start, (0, 0), []
        while place in after:
            ways = after[place]
            to = ways.pop()
            if not ways:
                del after[place]
            going = (to[0] - place[0], to[1] - place[1])
            if going != came:
                corners.append(place)
            place, came = to, going
        if loops:
            loops.append(np.full((1, 2), np.nan))
        loops.append(np.array([*corners, place], dtype=float))
    return np.concatenate(loops) if loops else np.empty((0, 2))


def _borders(mask: np.ndarray) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """From each corner the corners that a unit of border leads to: one, or two where cells meet."""
    padded = np.pad(mask, 1)
    inside = padded[1:-1, 1:-1]
    sides = (  # the neighbour's place, and the border's two corners, of cell (row, column)
        (padded[:-2, 1:-1], (0, 0), (1, 0)),
        (padded[1:-1, 2:], (1, 0), (1, 1)),
        (padded[2:, 1:-1], (1, 1), (0, 1)),
        (padded[1:-1, :-2], (0, 1), (0, 0)),
    )
    after: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for neighbour, (x0, y0), (x1, y1) in sides:
        rows, columns = np.nonzero(inside & ~neighbour)
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
            after.setdefault((column + x0, row + y0), []).append((column + x1, row + y1))
    return after
