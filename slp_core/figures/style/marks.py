"""Rings that show a soft label, of the same size on the screen at any zoom and aspect."""

from __future__ import annotations

from typing import Any

import numpy as np

from slp_core.figures.style.theme import Theme, class_style

OUTER, INNER = 16.0, 11.0  # px
_SMALLEST = 0.005  # a share below this is not seen


def soft_label_ring(
    point: np.ndarray, soft_label: np.ndarray, theme: Theme, name: str
) -> list[dict[str, Any]]:
    """Plotly shapes of a ring around a point, cut clockwise from the top into class shares."""
    shown = np.flatnonzero(soft_label > _SMALLEST)
    shares = soft_label[shown] / soft_label[shown].sum()
    ends = np.cumsum(shares)
    return [
        {
            "type": "path",
            "path": _sector(end - share, end),
            "xref": "x",
            "yref": "y",
            "xsizemode": "pixel",
            "ysizemode": "pixel",
            "xanchor": float(point[0]),
            "yanchor": float(point[1]),
            "fillcolor": class_style(int(index), theme).color,
            "line": {"color": theme.background, "width": 1},
            "layer": "above",
            "legendgroup": name,
            "name": name,
        }
        for index, share, end in zip(shown, shares, ends, strict=True)
    ]


def _sector(start: float, end: float) -> str:
    """SVG path of a piece of the ring, in pixels; turns are counted clockwise from the top."""
    # Plotly knows no arcs: 5° steps look round at this size.
    steps = max(2, int(np.ceil((end - start) * 72)) + 1)
    turn = 2 * np.pi * np.linspace(start, end, steps)
    arc = np.column_stack([np.sin(turn), np.cos(turn)])
    outline = np.concatenate([OUTER * arc, INNER * arc[::-1]])
    return "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in outline) + "Z"
