"""The w strip: on one line, which class is predicted at which w, and where the examples are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.explain.bands import Bands, winning_bands
from slp_core.explain.profile import LineProfile
from slp_core.explain.text import line_text
from slp_core.figures.display import Display, Spot
from slp_core.figures.line.points import (
    OTHERS,
    LinePoints,
    key_layout,
    key_traces,
    point_traces,
    w_axis_title,
)
from slp_core.figures.line.strip_bands import (
    band_names,
    band_rects,
    breakpoint_names,
    occupied,
    range_marks,
    score_traces,
)
from slp_core.figures.style.parts import (
    ON_PAPER,
    SILENT,
    class_name,
    note,
    row_axis,
    scatter,
    shake,
    stroke,
    thinned_text,
)
from slp_core.figures.style.theme import LIGHT, Theme, chart, class_style, with_opacity
from slp_core.sentences import class_names, listed

_SCORES, _RANGE, _ROW, _ALONG_ROW, _GAP = 190, 72, 46, 24, 10  # px of the panels, top to bottom
_TOP, _BOTTOM, _TITLE = 46, 12, 26
_AXIS = 42  # px below the scores for the scale of w, in view without scrolling
# Of marks in a row, in rows: how far below its middle, and how far they are shaken apart.
_DEPTH, _SPREAD, _ALONG_SPREAD = 0.19, 0.24, 0.5

_NAMED = 3  # of the classes below the scale, and on the line, in a title
_TITLE_PLACE = {"xref": "paper", "yref": "paper", "xanchor": "left"}


@dataclass(frozen=True, eq=False)
class WStripDisplay(Display):
    """Scores and decision intervals over w; the range that examples occupy; the examples."""

    name = "w strip"
    soft_labels: np.ndarray  # (2, K)
    bands: Bands
    classes: Sequence[str]
    order: Sequence[int]
    points: LinePoints
    marked: tuple[float, float] | None = None  # (w, w along the line)
    row: int | None = None
    zoom: bool = False
    logits: bool = False
    number: int | None = None  # of the line, for the title
    text: str = ""

    @classmethod
    def of(
        cls, profile: LineProfile, labels: np.ndarray, points: LinePoints, **options: Any
    ) -> Self:
        """The strip of a line with these soft labels, its own or those at an example."""
        return cls(
            labels,
            winning_bands(*labels),
            profile.classes,
            profile.line.classes,
            points,
            logits=profile.soft_labels is None,
            number=profile.number,
            text=line_text(profile),
            **options,
        )

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        soft_labels, bands, classes = self.soft_labels, self.bands, self.classes
        points, zoom, logits = self.points, self.zoom, self.logits
        low, high = _x_range(points, zoom)
        rows = _rows(points, self.order)
        heights = [_SCORES, _RANGE, _ROW * max(len(rows), 1), _ALONG_ROW * max(len(rows), 1)]
        if not self._shows_along:
            heights.pop()  # projected, they spread over the whole of w, or are the same
        domains, height = _stacked(heights)
        span = _score_range(soft_labels, bands, low, high, logits)
        traces = key_traces(theme) + score_traces(soft_labels, bands, classes, (low, high), theme)
        traces += _clouds(points, rows, classes, theme)
        if len(domains) == 4:
            traces += _along(points, rows, classes, theme)
        notes = [
            *band_names(bands, classes, (low, high), theme),
            *breakpoint_names(bands, (low, high), theme),
            *range_marks(points, None if logits else bands, classes, (low, high), zoom, theme),
        ]
        shapes = band_rects(bands, (low, high), occupied(points), domains, theme)
        if self.marked is not None:
            shapes += [_hairline(self.marked[0], domain, theme) for domain in domains[:3]]
            if len(domains) == 4:
                shapes.append(_hairline(self.marked[1], domains[3], theme))
            notes.append(_hairline_name(self.marked[0], (low, high), domains[0][0], theme))
        top = _TOP
        if self.number is not None:
            top += _TITLE
            place = {"yshift": _TOP - 4, "yanchor": "bottom", **_TITLE_PLACE}
            notes.append(note(self._title(theme), 0.0, 1.0, theme.text, 15, **place))
        names = [OTHERS if k < 0 else class_name(k, classes, theme, 16) for k in rows]
        row_range = [max(len(rows), 1) - 0.35, -0.65]
        axes: dict[str, Any] = {
            "yaxis": {"title": {"text": "logit" if logits else "score", "standoff": 4}}
            | {"domain": domains[0], "range": span, "nticks": 4}
            | {"gridcolor": with_opacity(theme.muted, 0.18)},
            "yaxis2": {"domain": domains[1], "range": [0, 1], "visible": False},
            "yaxis3": row_axis(names, theme, domain=domains[2], range=row_range),
        }
        if len(domains) == 4:
            marks = [class_style(k, theme).character if k >= 0 else "○" for k in rows]
            axes["yaxis4"] = row_axis(marks, theme, domain=domains[3], range=row_range)
            axes["yaxis4"]["tickfont"] = None
            title = "after projection onto the line"
            notes.append(note(title, 0.0, domains[3][1], theme.muted, 12, **ON_PAPER))
        return chart(
            theme,
            traces,
            height=height + top - _TOP,
            margin={"r": 14, "t": top, "b": _BOTTOM},
            shapes=shapes,
            annotations=notes,
            legend=key_layout(theme, 1 + 20 / (height - _TOP - _BOTTOM)),
            hoverdistance=14,
            dragmode=False,
            xaxis={"title": {"text": w_axis_title(self.order, classes, theme), "standoff": 6}}
            | {"range": [high, low], "anchor": "y", "showgrid": False, "automargin": False}
            | ({"nticks": 6, "tickformat": ".2f"} if zoom else {"nticks": 7}),
            **axes,
        )

    @property
    def ring(self) -> tuple[Spot, ...]:
        points, found = self.points, np.flatnonzero(self.points.ids == self.row)
        if not len(found):
            return ()
        at, (below, along) = int(found[0]), _heights(points, _rows(points, self.order))
        spots = [Spot(float(points.w[at]), float(below[at]), "x", "y3")]
        if self._shows_along:
            spots.append(Spot(float(points.along[at]), float(along[at]), "x", "y4"))
        return tuple(spots)

    @property
    def _shows_along(self) -> bool:
        return not (self.zoom or np.allclose(self.points.along, self.points.w))

    def table(self) -> pd.DataFrame:
        return self.points.table(self.classes).sort_values("w", ignore_index=True)

    def thinned_text(self) -> str:
        return thinned_text(len(self.points.drawn), len(self.points))

    def sentence(self) -> str:
        low, high = _x_range(self.points, self.zoom)
        bottom, _ = _score_range(self.soft_labels, self.bands, low, high, self.logits)
        ends = _ends(self.soft_labels, low, high)
        scored = np.isfinite(ends).all(axis=0)
        below = np.flatnonzero(scored & (ends.max(axis=0) < bottom)).tolist()
        if not below:
            return self.text
        names = class_names(self.classes)
        listing = listed([names[k] for k in below], _NAMED)
        return f"{self.text} Below the scale: {listing}.".lstrip()

    def _title(self, theme: Theme) -> str:
        names = [class_name(k, self.classes, theme, 16) for k in self.order]
        if len(names) > _NAMED:
            names = [names[0], f"{len(names) - 2} more", names[-1]]
        return f"<b>Line {(self.number or 0) + 1}</b>: {' – '.join(names)}"


def _x_range(points: LinePoints, zoom: bool) -> tuple[float, float]:
    if not zoom or not len(points):
        return -0.003, 1.003
    low, high = occupied(points) or (0.0, 1.0)
    room = max(0.12 * (high - low), 0.004)
    return max(low - room, -0.003), min(high + room, 1.003)


def _rows(points: LinePoints, order: Sequence[int]) -> list[int]:
    """True classes with a row each, in the order of the line; −1 stands for all others."""
    rows = [k for k in order if (points.true == k).any()]
    return [*rows, -1] if (~np.isin(points.true, rows)).any() else rows


def _row_of(points: LinePoints, rows: Sequence[int]) -> np.ndarray:
    """(p,) the row of every example."""
    row_of = np.full(points.true.max(initial=0) + 1, len(rows) - 1.0)
    for row, k in enumerate(rows):
        if k >= 0:
            row_of[k] = row
    return row_of[points.true]


def _heights(points: LinePoints, rows: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """(p,) of the marks in the rows, below the densities and after projection."""
    row_of, shaken = _row_of(points, rows), shake(len(points))
    return row_of + _DEPTH + _SPREAD * shaken, row_of + _ALONG_SPREAD * shaken


def _stacked(heights: Sequence[int]) -> tuple[list[list[float]], int]:
    """Domains of panels of these heights under each other, and the figure's height."""
    total = sum(heights) + _AXIS + _GAP * (len(heights) - 2)
    total += _ALONG_ROW if len(heights) == 4 else 0  # for the heading of the last panel
    domains, top = [], float(total)
    for number, height in enumerate(heights):
        if number == 3:
            top -= _ALONG_ROW
        domains.append([(top - height) / total, top / total])
        top -= height + (_GAP if number else _AXIS)
    domains[-1][0] = max(domains[-1][0], 0.0)
    return domains, total + _TOP + _BOTTOM


def _score_range(
    soft_labels: np.ndarray, bands: Bands, low: float, high: float, logits: bool
) -> tuple[float, float]:
    """The range of scores to show: all of soft labels; of logits, the winners and the next best."""
    ends = _ends(soft_labels, low, high)
    ends = ends[:, np.isfinite(ends).all(axis=0)]
    top = float(ends.max())
    bottom = 0.0
    if logits:
        best = np.sort(ends.max(axis=0))[::-1]
        rank = min(max(len(bands.classes), 2), len(best)) - 1
        shown = ends.max(axis=0) >= best[rank]
        bottom = float(ends[:, shown].min())
    room = max(top - bottom, 1e-9)
    return bottom - (0.1 * room if logits else 0.0), top + 0.22 * room  # names stand above


def _ends(soft_labels: np.ndarray, low: float, high: float) -> np.ndarray:
    """(2, K) scores at the two ends of a range of w."""
    ends: np.ndarray = np.array([low, high])[:, None] * (soft_labels[0] - soft_labels[1])
    return ends + soft_labels[1]


def _clouds(
    points: LinePoints, rows: Sequence[int], classes: Sequence[str], theme: Theme
) -> list[dict[str, Any]]:
    """Per row: the density of the examples above, and below it their jittered marks."""
    traces = []
    row_of = _row_of(points, rows)
    curves = {i: _density(points.w[row_of == i]) for i in range(len(rows))}
    top = max((float(y.max()) for _, y in curves.values() if len(y)), default=1.0)
    for i, (x, density) in curves.items():
        if not len(x):
            continue
        color = theme.muted if rows[i] < 0 else class_style(rows[i], theme).color
        base = np.full(len(x), i + 0.02)
        traces.append(
            scatter(
                np.concatenate([x, x[::-1]]),
                np.concatenate([base - 0.56 * density / top, base]),
                "lines",
                yaxis="y3",
                fill="toself",
                fillcolor=with_opacity(color, 0.28),
                line={"width": 1.2, "color": color},
                **SILENT,
            )
        )
    y, _ = _heights(points, rows)
    return traces + point_traces(points, points.w, y, classes, theme, 6.5, yaxis="y3")


def _along(
    points: LinePoints, rows: Sequence[int], classes: Sequence[str], theme: Theme
) -> list[dict[str, Any]]:
    _, y = _heights(points, rows)
    points = replace(points, w=points.along, predicted=points.predicted_along)
    look = {"yaxis": "y4", "cliponaxis": False}
    return point_traces(points, points.w, y, classes, theme, 5.5, **look)


def _density(w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places over w and the number of examples to a unit of w there; empty for too few."""
    if len(w) < 3 or np.ptp(w) < 1e-9:
        return np.empty(0), np.empty(0)
    from scipy.stats import gaussian_kde

    kernel = gaussian_kde(w)
    width = 3 * float(np.sqrt(kernel.covariance[0, 0]))
    x = np.linspace(max(w.min() - width, 0.0), min(w.max() + width, 1.0), 96)
    return x, len(w) * kernel(x)


def _hairline(w: float, domain: Sequence[float], theme: Theme) -> dict[str, Any]:
    return stroke((w, w), domain, theme.text, 1.6, yref="paper", layer="above")


def _hairline_name(w: float, span: tuple[float, float], y: float, theme: Theme) -> dict[str, Any]:
    side, shift = ("right", -3) if w < (span[0] + span[1]) / 2 else ("left", 3)
    place = {"yref": "paper", "xanchor": side, "yanchor": "bottom", "xshift": shift}
    pale = with_opacity(theme.background, 0.8)
    return note(f"selected: {w:.3f}", w, y, theme.text, 11, bgcolor=pale, **place)
