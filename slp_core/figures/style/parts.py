"""Building blocks of charts: marks, lines and axes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import unescape
from typing import Any

import numpy as np

from slp_core.figures.style.text import labels_of
from slp_core.figures.style.theme import ClassStyle, Theme, blend, class_style, ink_on

# An axis of a plane without units, that a reader can zoom.
BARE: dict[str, Any] = {"showgrid": False, "showticklabels": False, "ticks": ""} | dict.fromkeys(
    ("fixedrange", "automargin"), False
)
Ends = Sequence[float] | np.ndarray  # of a shape, along one axis
SILENT: dict[str, Any] = {"hoverinfo": "skip", "showlegend": False}  # of a trace
# Of a note that stands on a place of the whole figure, with its lower left corner.
ON_PAPER = {"xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"}
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash")


def scatter(x: Any, y: Any, mode: str, **trace: Any) -> dict[str, Any]:
    """A scatter trace as Plotly has it; numbers with a fraction are sent in single precision."""
    places = [np.asarray(values) for values in (x, y)]
    x, y = (p.astype(np.float32) if p.dtype.kind == "f" else p for p in places)
    return {"type": "scatter", "mode": mode, "x": x, "y": y, **trace}


def broken(paths: np.ndarray, color: str, width: float, dash: str = "solid") -> dict[str, Any]:
    """Paths (s, p, 2) as one broken line."""
    gaps = np.full((len(paths), 1, 2), np.nan)
    x, y = np.concatenate([paths, gaps], axis=1).reshape(-1, 2).T
    look = {"color": color, "width": width, "dash": dash}
    return scatter(x, y, "lines", line=look, **SILENT)


def hovered(texts: Sequence[str]) -> dict[str, Any]:
    """What the marks of a trace say on hover, one by one."""
    return {"hovertext": np.array(texts, dtype=object), "hoverinfo": "text"}


def example_marks(
    places: Any, rows: Any, hover: Sequence[str], marker: Mapping[str, Any], **trace: Any
) -> dict[str, Any]:
    """Marks of examples at (n, 2) places; a click on one carries its row of the dataset."""
    x, y = np.asarray(places).T
    clicked = {"customdata": np.asarray(rows, dtype=np.int32), "showlegend": False}
    return scatter(x, y, "markers", marker=marker, **clicked | hovered(hover) | trace)


def labelled_bars(
    x: np.ndarray, y: Any, colors: Any, text: Sequence[str], theme: Theme, **trace: Any
) -> dict[str, Any]:
    """Horizontal bars with words in their middle, however narrow the bar."""
    edge = {"width": 1, "color": theme.background}
    look = {"textposition": "inside", "insidetextanchor": "middle", "textangle": 0}
    look |= {"constraintext": "none", "marker": {"color": colors, "line": edge}, **trace}
    words = np.array(text, dtype=object)
    return {"type": "bar", "orientation": "h", "x": x, "y": y, "text": words, **look}


def percent_range(values: Any, share: float = 0.05, least: float = 1.0) -> list[float]:
    """Ends of an axis of percentages, padded, but without a tick below 0 or above 100."""
    low, high = np.min(values), np.max(values)
    pad = max(least, share * (high - low))
    room = 0.03 * min(high - low + pad, 100.0)
    return [float(max(low - pad, -room)), float(min(high + pad, 100 + room))]


def row_axis(names: Sequence[str], theme: Theme, size: int = 12, **axis: Any) -> dict[str, Any]:
    """An axis of named rows, from the top down."""
    look = {"showgrid": False, "tickfont": {"color": theme.text, "size": size}}
    return named_ticks(names, **look | {"range": [len(names) - 0.5, -0.5]} | axis)


def class_markers(
    indices: Iterable[int], theme: Theme, size: float, line: Mapping[str, Any]
) -> dict[str, Any]:
    """The marker of a trace with a mark of each of several classes."""
    styles = [class_style(index, theme) for index in indices]
    return {
        "symbol": np.array([style.symbol for style in styles], dtype=object),
        "color": np.array([style.color for style in styles], dtype=object),
        "size": np.array([size * style.scale for style in styles], dtype=np.float32),
        "opacity": 1.0,
        "line": line,
    }


def class_name(
    index: int, classes: Sequence[str], theme: Theme, length: int, bold: bool = False
) -> str:
    """A class's symbol in its colour, and its name in at most so many letters."""
    style, name = class_style(index, theme), labels_of(classes, length)[index]
    symbol = f"<span style='color:{style.color}'>{style.character}</span>"
    return f"{symbol} {f'<b>{name}</b>' if bold else name}"


def class_entries(classes: Sequence[str], theme: Theme) -> list[dict[str, str]]:
    """Classes as plain JSON, for what a browser draws: names that are escaped there."""
    styles = [class_style(index, theme) for index in range(len(classes))]
    return [
        {"name": unescape(name), "mark": style.character, "color": style.color}
        for name, style in zip(labels_of(classes, 24), styles, strict=True)
    ]


def shake(n: int) -> np.ndarray:
    """(n,) evenly spread numbers in [−1/2, 1/2), to jitter marks so that none hides another."""
    return (np.arange(n) * 0.618034) % 1.0 - 0.5


def bars(x: Any, y: Any, **trace: Any) -> dict[str, Any]:
    """A bar trace, its numbers sent as those of :func:`scatter`."""
    places = scatter(x, y, "")
    return {"type": "bar", "x": places["x"], "y": places["y"], **trace}


def marker(style: ClassStyle, size: float, **more: Any) -> dict[str, Any]:
    """The marker of a class or method; sizes of all shapes look alike."""
    return {"color": style.color, "symbol": style.symbol, "size": size * style.scale, **more}


def distinct_line(index: int, theme: Theme) -> dict[str, Any]:
    """A line that differs from its neighbours in colour and dashes."""
    colors = (theme.correct, theme.wrong, theme.text, theme.muted)
    dash = _DASHES[index % len(_DASHES)]
    return {"color": colors[index % len(colors)], "width": 2.4, "dash": dash}


def legend_key(name: str, mark: Mapping[str, Any], **trace: Any) -> dict[str, Any]:
    """An entry of the legend, without a mark in the figure."""
    nowhere = np.array([np.nan])
    places = {"x": nowhere, "y": nowhere} | trace
    return scatter(mode="markers", name=name, marker=mark, hoverinfo="skip", **places)


def stroke(
    x: Ends,
    y: Ends,
    color: str,
    width: float,
    dash: str = "solid",
    **shape: Any,
) -> dict[str, Any]:
    """A straight line under the marks, as a Plotly shape."""
    line = {"color": color, "width": width, "dash": dash}
    return {"type": "line", **_corners(x, y), "line": line, "layer": "below", **shape}


def band(x: Ends, y: Ends, color: str, **shape: Any) -> dict[str, Any]:
    """A rectangle without an outline under the marks, as a Plotly shape."""
    fill = {"fillcolor": color, "line": {"width": 0}, "layer": "below"}
    return {"type": "rect", **_corners(x, y), **fill, **shape}


def note(
    text: str, x: float, y: float, color: str, size: float = 12, **annotation: Any
) -> dict[str, Any]:
    """Words on the figure, as a Plotly annotation without an arrow."""
    font = {"color": color, "size": size}
    return {"text": text, "x": x, "y": y, "showarrow": False, "font": font, **annotation}


def named_ticks(names: Sequence[str], **axis: Any) -> dict[str, Any]:
    """An axis with these names at the whole numbers from 0 on."""
    places, texts = np.arange(len(names)), np.array(names, dtype=object)
    return {"tickmode": "array", "tickvals": places, "ticktext": texts, **axis}


def heatmap(
    shares: np.ndarray, text: Any, hover: Any, hue: str, theme: Theme, **trace: Any
) -> dict[str, Any]:
    """Cells shaded by shares from 0 to 1, those of NaN left out, with texts that stand out."""
    words = [
        f'<span style="color:{ink_on(_shade(share, hue, theme))}">{word}</span>' if word else ""
        for share, word in zip(shares.ravel(), np.array(text, dtype=object).ravel(), strict=True)
    ]
    return {
        "type": "heatmap",
        "z": shares.astype(np.float32),
        **{"zmin": 0.0, "zmax": 1.0, "showscale": False, "xgap": 2, "ygap": 2},
        "colorscale": [[share, _shade(share, hue, theme)] for share in (0.0, 1.0)],
        "text": np.array(words, dtype=object).reshape(shares.shape),
        "texttemplate": "%{text}",
        "hovertext": np.array(hover, dtype=object),
        **{"hoverinfo": "text", "hoverongaps": False},
        **trace,
    }


def _shade(share: float, hue: str, theme: Theme) -> str:
    """Of a cell: straight from a trace of the hue to the whole of it, as Plotly goes between."""
    return blend(hue, theme.background, 0.05 + 0.95 * share)


def _corners(x: Ends, y: Ends) -> dict[str, float]:
    return {"x0": x[0], "x1": x[1], "y0": y[0], "y1": y[1]}


def spaced(rows: np.ndarray, most: int) -> np.ndarray:
    """All of the rows, or evenly spaced ones where they are more than ``most``."""
    if len(rows) <= most:
        return rows
    return rows[np.linspace(0, len(rows) - 1, most).round().astype(np.int64)]


def thinned_text(drawn: int, total: int) -> str:
    """That not all points are drawn; empty if they are."""
    if drawn == total:
        return ""
    return f"{drawn:,} of {total:,} query examples are drawn; the numbers count all of them."
