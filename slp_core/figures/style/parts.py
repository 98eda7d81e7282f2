"""What charts are put together from: the layout of small ones, and marks and lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from slp_core.figures.style.text import shortened
from slp_core.figures.style.theme import Theme, base_layout, class_style


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


def bars(
    x: np.ndarray, y: Any, colors: Any, text: Sequence[str], theme: Theme, **trace: Any
) -> dict[str, Any]:
    """Horizontal bars with words in their middle, however narrow the bar."""
    edge = {"width": 1, "color": theme.background}
    look = {"textposition": "inside", "insidetextanchor": "middle", "textangle": 0}
    look |= {"constraintext": "none", "marker": {"color": colors, "line": edge}, **trace}
    words = np.array(text, dtype=object)
    return {"type": "bar", "orientation": "h", "x": x, "y": y, "text": words, **look}


def fixed_axis(title: str = "", standoff: int | None = None, **axis: Any) -> dict[str, Any]:
    """An axis that stays as it is under the pointer, and has no line at zero."""
    name = {"title": {"text": title or None, "standoff": standoff}}
    return name | {"fixedrange": True, "zeroline": False, "automargin": True, **axis}


def row_axis(names: Sequence[str], theme: Theme, **axis: Any) -> dict[str, Any]:
    """A fixed axis with a name at each whole number from 0 on."""
    ticks = {"tickvals": np.arange(len(names)), "ticktext": np.array(names, dtype=object)}
    look = {"showgrid": False, "tickfont": {"color": theme.text}}
    return fixed_axis(**{**ticks, **look, **axis})


def note(text: str, x: Any, y: Any, size: float, color: str, **annotation: Any) -> dict[str, Any]:
    """Words at a place, without an arrow."""
    font = {"size": size, "color": color}
    return {"text": text, "x": x, "y": y, "showarrow": False, "font": font, **annotation}


def area(x: Any, y: Any, color: str, **shape: Any) -> dict[str, Any]:
    """A rectangle between two x and two y, without an outline, under the marks."""
    look = {"layer": "below", "line": {"width": 0}, "fillcolor": color}
    return {"type": "rect", "x0": x[0], "x1": x[1], "y0": y[0], "y1": y[1], **look, **shape}


def rule(x: Any, y: Any, line: Mapping[str, Any], **shape: Any) -> dict[str, Any]:
    """A straight line between two x and two y."""
    return {"type": "line", "x0": x[0], "x1": x[1], "y0": y[0], "y1": y[1], "line": line, **shape}


def class_marker(index: int, theme: Theme, size: float, **marker: Any) -> dict[str, Any]:
    """A class's colour and symbol; those of one size look equally large."""
    style = class_style(index, theme)
    return {"symbol": style.symbol, "color": style.color, "size": size * style.scale, **marker}


def class_name(index: int, classes: Sequence[str], theme: Theme, length: int) -> str:
    """A class's symbol and name, in at most so many letters."""
    return f"{class_style(index, theme).character} {shortened(classes[index], length)}"


def steady(opacity: float) -> dict[str, Any]:
    """Of a trace whose marks look the same when one of them is chosen."""
    look = {"marker": {"opacity": opacity}}
    return {"selected": look, "unselected": look}


def shake(n: int) -> np.ndarray:
    """(n,) numbers that fill [−1/2, 1/2) evenly, to move marks so that none hides another."""
    return (np.arange(n) * 0.618034) % 1.0 - 0.5


def slider(
    names: Sequence[str], shown: int, prefix: str, theme: Theme, **options: Any
) -> dict[str, Any]:
    """A slider over the frames of these names, standing at ``shown``."""
    at_once = {"frame": {"duration": 0, "redraw": True}, "transition": {"duration": 0}}
    now = {"mode": "immediate", **at_once}
    steps = [{"method": "animate", "label": name, "args": [[name], now]} for name in names]
    said = {"prefix": prefix, "font": {"color": theme.text}}
    colors = {"bgcolor": theme.grid, "bordercolor": theme.muted, "activebgcolor": theme.muted}
    look = {**colors, "tickcolor": theme.muted, "font": {"color": theme.muted, "size": 11}}
    return {"active": shown, "steps": steps, "currentvalue": said, **look, **options}
