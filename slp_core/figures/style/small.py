"""The layout of small charts: two fixed axes, and the colour key above."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from slp_core.figures.style.theme import Theme, base_layout


def small_layout(
    theme: Theme,
    x: str,
    y: str,
    height: int,
    top: int = 30,
    xaxis: Mapping[str, Any] | None = None,
    yaxis: Mapping[str, Any] | None = None,
    **layout: Any,
) -> dict[str, Any]:
    """A Plotly layout with narrow margins.

    Parameters
    ----------
    theme : Theme
    x, y : str
        Titles of the axes.
    height, top : int
        Of the chart and of the margin above it, in pixels.
    xaxis, yaxis : mapping, optional
        More of the axes, as Plotly has it.
    **layout
        More of the layout.
    """
    axis = {"fixedrange": True, "zeroline": False, "automargin": True}
    key = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"}
    return base_layout(
        theme,
        height=height,
        margin={"l": 8, "r": 8, "t": top, "b": 8},
        xaxis={"title": {"text": x}, **axis, **(xaxis or {})},
        yaxis={"title": {"text": y}, **axis, **(yaxis or {})},
        **{"legend": key, **layout},
    )
