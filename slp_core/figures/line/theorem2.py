"""Theorem 2 drawn: where a line answers another class than that of the nearest centroid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go

from slp_core.explain.bands import Bands
from slp_core.figures.line.half_plane import circle_of, half_plane_figure
from slp_core.figures.line.points import LinePoints
from slp_core.figures.style.theme import LIGHT, Theme, with_opacity
from slp_core.lines import Line

_STEPS = 120  # over t, between two neighbours' middles


def theorem2_figure(
    bands: Bands,
    classes: Sequence[str],
    line: Line,
    points: LinePoints,
    counted: np.ndarray,
    *,
    along_line: bool = False,
    marked: tuple[float, float] | None = None,
    theme: Theme = LIGHT,
    height: int | None = None,
) -> go.Figure:
    """The half-plane of a line with the region of Theorem 2 hatched, and its points strong.

    The region is drawn for centroids that stand on the line: the nearest is then a matter of t
    alone, and changes midway between neighbours (dotted).

    Parameters
    ----------
    bands : Bands
    classes : sequence of str
    line : Line
        Of positive length.
    points : LinePoints
    counted : (p,) bool array
        Points nearest to the centroid of their own class that are given to another one.
    along_line : bool
        Whether the method takes distances along the line.
    marked : (t, r), optional
        A point to ring.
    theme : Theme
    height : int, optional
    """
    base = half_plane_figure(
        bands,
        classes,
        line,
        replace(points, shown=np.asarray(counted)),
        along_line=along_line,
        marked=marked,
        theme=theme,
        height=height,
    )
    low, high = base.layout.xaxis.range
    far = 10 * (high - low + base.layout.yaxis.range[1])
    middles = (line.positions[:-1] + line.positions[1:]) / 2
    borders = [-far, *middles.tolist(), far]
    hatched: list[dict[str, Any]] = []
    for k, left, right in zip(line.classes, borders[:-1], borders[1:], strict=True):
        # Far out in t nothing bends any more: steps are spent where circles are.
        inner = np.linspace(max(left, low - line.length), min(right, high + line.length), _STEPS)
        t = np.concatenate([[left], inner, [right]])
        if along_line:  # bands end on vertical lines, where the hatching must end too
            edges = line.length * (1 - np.array(bands.edges))
            edges = edges[(edges > left) & (edges < right)]
            t = np.sort(
                np.concatenate([t, np.nextafter(edges, -np.inf), np.nextafter(edges, np.inf)])
            )
        below, above = crossed_beyond(bands, line, k, t, along_line)
        hatched.append(_hatch(t, np.zeros(len(t)), np.minimum(below, far), theme))
        hatched.append(_hatch(t, np.minimum(above, far), np.full(len(t), far), theme))
    figure = go.Figure([*hatched, *base.data], base.layout)
    for middle in middles.tolist():
        figure.add_shape(
            type="line",
            x0=middle,
            x1=middle,
            y0=0,
            y1=far,
            line={"color": theme.muted, "width": 1.2, "dash": "dot"},
        )
    return figure


def crossed_beyond(
    bands: Bands, line: Line, k: int, t: np.ndarray, along_line: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """The distances from the axis between which class k wins at each place along the line.

    At one t the vote goes towards w = 1/2 as r grows, so a class wins in one stretch of r. Below
    and above it another class does: where k has the nearest centroid, that is Theorem 2.

    Parameters
    ----------
    bands : Bands
    line : Line
    k : int
        A class; it may win nowhere.
    t : (n,) array
    along_line : bool
        Distances along the line depend on t alone: a class wins at every r or at none.

    Returns
    -------
    below, above : (n,) arrays
        Class k wins for below ≤ r ≤ above; infinite where that is without end, both infinite
        where it wins at no r.
    """
    if k not in bands.classes:
        return np.full(len(t), np.inf), np.full(len(t), np.inf)
    band = bands.classes.index(k)
    low, high = bands.edges[band], bands.edges[band + 1]
    if along_line:
        w = 1 - np.clip(t, 0.0, line.length) / line.length
        wins = (w >= low) & (w <= high)
        return np.where(wins, 0.0, np.inf), np.full(len(t), np.inf)
    left_half = t <= line.length / 2
    # Towards the middle w falls on the left half, and rises on the right one.
    first, last = (np.where(left_half, a, b) for a, b in ((high, low), (low, high)))
    below = np.array([_r_at(w, x, line.length) for w, x in zip(first, t, strict=True)])
    above = np.array([_r_at(w, x, line.length) for w, x in zip(last, t, strict=True)])
    nowhere = above <= below
    return np.where(nowhere, np.inf, below), np.where(nowhere, np.inf, above)


def _r_at(w: float, t: float, length: float) -> float:
    """The distance from the axis at which the vote has come as near to 1/2 as w; 0 if it begins so.

    Infinite where it never does: w lies on the other side of 1/2, or is 1/2 itself.
    """
    if w == 0.5 or (w > 0.5) != (t <= length / 2):
        return float("inf")
    if w in (0.0, 1.0):
        return 0.0
    centre, radius = circle_of(w, length)
    return float(np.sqrt(max(radius**2 - (t - centre) ** 2, 0.0)))


def _hatch(t: np.ndarray, bottom: np.ndarray, top: np.ndarray, theme: Theme) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": np.concatenate([t, t[::-1]]),
        "y": np.concatenate([bottom, top[::-1]]),
        "fill": "toself",
        "line": {"width": 0},
        "hoverinfo": "skip",
        "fillcolor": with_opacity(theme.text, 0.10),
        "fillpattern": {
            "shape": "/",
            "fgcolor": with_opacity(theme.text, 0.5),
            "bgcolor": with_opacity(theme.text, 0.06),
            "fillmode": "overlay",
            "size": 8,
            "solidity": 0.18,
        },
    }
