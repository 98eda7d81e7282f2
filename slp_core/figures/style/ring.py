"""The ring of the chosen point: one look on every figure.

It is no part of a figure. A chart that changes is drawn anew and loses its zoom, so a page lays
the ring over it; only a file has it in the figure itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from slp_core.figures.style.theme import Theme

RADIUS, WIDTH, HALO = 11.0, 2.6, 6.0  # px: of the ring, its stroke, and the pale stroke under it


@dataclass(frozen=True)
class Spot:
    """Where a figure shows the chosen point, in the units of two of its axes.

    Attributes
    ----------
    x, y : float
    xaxis, yaxis : str
        As traces name them: ``x``, ``y2``.
    """

    x: float
    y: float
    xaxis: str = "x"
    yaxis: str = "y"


def with_ring(figure: go.Figure, ring: Sequence[Spot], theme: Theme) -> go.Figure:
    """A copy of a figure with the ring drawn into it."""
    copy = go.Figure(figure)
    for spot in ring:
        for color, width in ((theme.background, HALO), (theme.text, WIDTH)):
            look = {"symbol": "circle-open", "size": 2 * RADIUS, "color": color}
            copy.add_scatter(
                x=[spot.x],
                y=[spot.y],
                xaxis=spot.xaxis,
                yaxis=spot.yaxis,
                mode="markers",
                marker=look | {"line": {"width": width}},
                hoverinfo="skip",
                showlegend=False,
            )
    return copy
