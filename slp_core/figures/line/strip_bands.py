"""The parts of the w strip: score lines, the bands they win, and the range of the examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from slp_core.explain.bands import Bands, interval, weight
from slp_core.explain.profile import LineProfile
from slp_core.figures.style.parts import band, class_name, note, scatter
from slp_core.figures.style.text import labels_of, letters
from slp_core.figures.style.theme import Theme, blend, class_style, with_opacity
from slp_core.sentences import SHAPES, count

Span = tuple[float, float]
ACROSS = 38  # letters that fit side by side over a strip on a phone, beside long names of rows
_LONGEST, _SHORTEST = 18, 3  # letters of a name in a band
_ROW = 15  # px


def score_traces(
    soft_labels: np.ndarray, bands: Bands, classes: Sequence[str], span: Span, theme: Theme
) -> list[dict[str, Any]]:
    """A straight line a class, thick where it wins; a class that has no score is left out."""
    left, right = soft_labels

    def line(k: int, ends: np.ndarray, width: float, **trace: Any) -> dict[str, Any]:
        look = {"color": class_style(k, theme).color, "width": width}
        y = right[k] + ends * (left[k] - right[k])
        return scatter(ends, y, "lines", line=look, showlegend=False, **trace)

    traces = []
    shown = np.flatnonzero(np.isfinite(soft_labels).all(axis=0) & (soft_labels != 0).any(axis=0))
    for k in shown.tolist():
        hover = f"<b>{labels_of(classes, 40)[k]}</b>: %{{y:.3f}} at w = %{{x:.2f}}<extra></extra>"
        traces.append(line(k, np.clip(np.array(span), 0.0, 1.0), 1.8, hovertemplate=hover))
    for k, low, high in zip(bands.classes, bands.edges[:-1], bands.edges[1:], strict=True):
        ends = np.clip(np.array([low, high]), *np.clip(span, 0.0, 1.0))
        if ends[1] > ends[0] and np.isfinite(soft_labels[:, k]).all():
            traces.append(line(k, ends, 4.5, hoverinfo="skip"))
    return traces


def band_rects(
    bands: Bands,
    span: Span,
    occupied: Span | None,
    domains: Mapping[str, Sequence[float]],
    theme: Theme,
) -> list[dict[str, Any]]:
    """Coloured backgrounds: full where points are, pale where none is; and a frame around these."""
    shapes = []

    def paint(low: float, high: float, axis: str, k: int, strength: float) -> None:
        color = blend(class_style(k, theme).color, theme.background, strength)
        if high > low:
            shapes.append(band((low, high), domains[axis], color, yref="paper"))

    for k, low, high in zip(bands.classes, bands.edges[:-1], bands.edges[1:], strict=True):
        low, high = max(low, span[0]), min(high, span[1])
        for axis in domains:
            if axis != "y2":
                paint(low, high, axis, k, 0.20 if axis == "y" else 0.10)
        if occupied:
            paint(max(low, occupied[0]), min(high, occupied[1]), "y", k, 0.45)
    return shapes


def band_names(
    bands: Bands, classes: Sequence[str], span: Span, theme: Theme, across: int = ACROSS
) -> list[dict[str, Any]]:
    """Names of the winning classes over a strip of so many letters.

    One that is wider than its band stands in a second row, or shortened where that is taken.
    """
    letter = (span[1] - span[0]) / across
    edges = ((np.clip(bands.edges, *span) - span[0]) / letter).tolist()
    notes, end = [], 0.0
    for k, low, high in zip(bands.classes, edges[:-1], edges[1:], strict=True):
        text, at = _fitting(k, classes, across, theme), (low + high) / 2
        width = letters(text)
        start = min(max(at - width / 2, 0.0), across - width)
        place = {"yref": "paper", "yanchor": "top", "xanchor": "center", "yshift": 0}
        if high - low >= 1 and start >= end and width > round(high - low):
            end, place["yshift"] = start + width + 1, -_ROW
            if start == 0:  # the axis runs from w = 1 to w = 0
                at, place["xanchor"] = 0.0, "right"
            elif start == across - width:
                at, place["xanchor"] = across, "left"
        else:
            text = _fitting(k, classes, round(high - low), theme)
        if text:
            notes.append(note(text, span[0] + letter * at, 1.0, theme.text, 12, **place))
    return notes


def _fitting(k: int, classes: Sequence[str], room: int, theme: Theme) -> str:
    """As much of a class's mark and name as has room, in letters; or nothing."""
    mark, repeated = class_style(k, theme).character, len(classes) > len(SHAPES)
    for before in (f"{mark} ", "") if repeated else (f"{mark} ",):
        length = min(room - len(before), _LONGEST)
        name = labels_of(classes, max(length, _SHORTEST))[k]
        if letters(name) <= length:
            return f"{before}<b>{name}</b>"
    return mark if room >= 1 and not repeated else ""


def breakpoint_names(bands: Bands, span: Span, theme: Theme) -> list[dict[str, Any]]:
    """The exact w at which one band ends and the next begins, above the picture."""
    notes: list[dict[str, Any]] = []
    width = span[1] - span[0]
    last = -np.inf
    for edge in bands.edges[1:-1]:
        if not span[0] <= edge <= span[1] or (edge - last) / width < 0.07:
            continue
        last = edge
        notes.append(
            note(f"{edge:.3f}", edge, 1.0, theme.muted, 12, yref="paper", yanchor="bottom")
            | {"bgcolor": with_opacity(theme.background, 0.0)}
        )
    return notes


def range_marks(profile: LineProfile, span: Span, zoom: bool, theme: Theme) -> list[dict[str, Any]]:
    """Notes on the second y axis: a bar for the examples, arrows to the intervals beside them."""
    if profile.occupied is None:
        return []
    low, high = profile.occupied
    whose = count(len(profile.examples), "example")
    middle = float(np.clip((low + high) / 2, span[0] + 0.13, span[1] - 0.13)) if not zoom else 0.5
    notes = [
        note(
            f"<b>{whose}: {' – '.join(interval(low, high))}</b>",
            middle,
            0.98,
            theme.text,
            12,
            yref="y2",
        )
        | {"yanchor": "top", **({"xref": "x domain"} if zoom else {})}
        # A hairline passes under it.
        | {"bgcolor": with_opacity(theme.background, 0.85), "borderpad": 0},
        # A thick line, as an arrow without a head: shapes know no pixels on an axis of their own.
        _arrow(low, max(high, low + 1e-4), theme.text, 7, arrowhead=0),
    ]
    if profile.bands is None:
        return notes
    names = [class_name(k, profile.classes, theme, 14) for k in profile.bands.classes]
    inner = np.asarray(profile.bands.edges)[1:-1]
    for at in np.flatnonzero(inner <= low)[-1:].tolist():
        notes += _gap(low, inner[at], names[at], span, zoom, theme)
    for at in np.flatnonzero(inner >= high)[:1].tolist():
        notes += _gap(high, inner[at], names[at + 1], span, zoom, theme)
    return notes


def _gap(
    start: float, end: float, name: str, span: tuple[float, float], zoom: bool, theme: Theme
) -> list[dict[str, Any]]:
    """An arrow from where examples end to where an interval begins, and how far that is."""
    leftward = end > start  # the axis runs from w = 1 to w = 0
    if zoom:
        edge = {"xref": "x domain", "xanchor": "left" if leftward else "right"}
        text = (
            f"◂ {name} above {weight(end, 3)}" if leftward else f"{name} below {weight(end, 3)} ▸"
        )
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
