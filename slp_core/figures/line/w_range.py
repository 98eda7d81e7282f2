"""The middle of the w strip: the range of the examples, and how far the next intervals are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from slp_core.explain.bands import Bands, Edge
from slp_core.figures.line.points import LinePoints
from slp_core.figures.line.strip_bands import ACROSS
from slp_core.figures.style.parts import class_name, note
from slp_core.figures.style.text import letters
from slp_core.figures.style.theme import Theme, with_opacity
from slp_core.sentences import count


def occupied(points: LinePoints) -> tuple[float, float] | None:
    """The least and the largest w of the examples; None without any."""
    return (float(points.w.min()), float(points.w.max())) if len(points) else None


def range_marks(
    points: LinePoints,
    bands: Bands | None,
    classes: Sequence[str],
    span: tuple[float, float],
    zoom: bool,
    theme: Theme,
) -> list[dict[str, Any]]:
    """Notes on the second y axis: a bar for the examples, arrows to the intervals beside them."""
    within = occupied(points)
    if within is None:
        return []
    low, high = within
    whose = count(len(points), "example")
    middle = float(np.clip((low + high) / 2, span[0] + 0.13, span[1] - 0.13)) if not zoom else 0.5
    notes = [
        note(f"<b>{whose}: {low:.2f} – {high:.2f}</b>", middle, 0.98, theme.text, 12, yref="y2")
        | {"yanchor": "top", **({"xref": "x domain"} if zoom else {})}
        # A hairline passes under it.
        | {"bgcolor": with_opacity(theme.background, 0.85), "borderpad": 0},
        # A thick line, as an arrow without a head: shapes know no pixels on an axis of their own.
        _arrow(low, max(high, low + 1e-4), theme.text, 7, arrowhead=0),
    ]
    if bands is None:
        return notes
    for index, k in enumerate(bands.classes):
        start, end = bands.edges[index], bands.edges[index + 1]
        name = class_name(k, classes, theme, 14)
        if end <= low and index + 1 < len(bands.classes) and bands.edges[index + 2] > low:
            notes += _gap(low, end, name, span, zoom, theme)
        elif start >= high and index > 0 and bands.edges[index - 1] < high:
            notes += _gap(high, start, name, span, zoom, theme)
    return notes


def _gap(
    start: float, end: float, name: str, span: tuple[float, float], zoom: bool, theme: Theme
) -> list[dict[str, Any]]:
    """An arrow from where examples end to where an interval begins, and how far that is."""
    leftward = end > start  # the axis runs from w = 1 to w = 0
    if zoom:
        edge = {"xref": "x domain", "xanchor": "left" if leftward else "right"}
        text = f"◂ {name} above {Edge(end):.3f}" if leftward else f"{name} below {Edge(end):.3f} ▸"
        x = 0.0 if leftward else 1.0
        return [note(text, x, 0.0, theme.text, 12, yref="y2", yanchor="bottom", **edge)]
    short = f"{abs(end - start):.2f}"
    short = "just" if float(short) == 0 else short
    text = f"{name} needs<br>w {short} {'higher' if leftward else 'lower'}"
    # The words stand below the arrow, or at the edge where they have no room.
    room = letters(text) / ACROSS * (span[1] - span[0])
    x, anchor = start, "right" if leftward else "left"
    if leftward and start + room > span[1]:
        x, anchor = span[1], "left"
    elif not leftward and start - room < span[0]:
        x, anchor = span[0], "right"
    side = "right" if leftward else "left"
    words = note(text, x, 0.48, theme.muted, 12, yref="y2", yanchor="top", xanchor=anchor)
    arrow = _arrow(start, end, theme.muted, 1.6, arrowhead=2, arrowsize=1.1)
    return [arrow, words | {"align": side}]


def _arrow(start: float, end: float, color: str, width: float, **arrow: Any) -> dict[str, Any]:
    place = {"x": end, "y": 0.55, "ax": start, "ay": 0.55, "xref": "x", "yref": "y2"}
    look = {"showarrow": True, "arrowwidth": width, "arrowcolor": color, "text": ""}
    return {**place, "axref": "x", "ayref": "y2", **look, **arrow}
