"""What charts are put together from: the layout of small ones, and marks and lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

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


def scatter(x: Any, y: Any, mode: str, **trace: Any) -> dict[str, Any]:
    """A scatter trace as Plotly has it; numbers with a fraction are sent in single precision."""
    places = [np.asarray(values) for values in (x, y)]
    x, y = (p.astype(np.float32) if p.dtype.kind == "f" else p for p in places)
    return {"type": "scatter", "mode": mode, "x": x, "y": y, **trace}
