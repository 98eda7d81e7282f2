"""The w strip: on one line, which class is predicted at which w, and where the examples are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.explain.bands import winning_bands
from slp_core.explain.profile import LineProfile
from slp_core.explain.text import line_text
from slp_core.figures.display import Display, Spot
from slp_core.figures.line.points import (
    class_rows,
    drawn,
    in_rows,
    key_layout,
    key_traces,
    point_traces,
    points_table,
    w_axis_title,
)
from slp_core.figures.line.strip_bands import (
    ACROSS,
    band_names,
    band_rects,
    breakpoint_names,
    range_marks,
    score_traces,
)
from slp_core.figures.style.parts import (
    ON_PAPER,
    SILENT,
    class_name,
    note,
    row_axis,
    stroke,
    thinned_text,
)
from slp_core.figures.style.theme import LIGHT, Theme, chart, class_style, with_opacity

_SCORES, _RANGE, _ROW, _ALONG_ROW, _GAP = 190, 72, 46, 24, 10  # px of the panels, top to bottom
# With many classes rows are lower, so that most of the picture is in view without scrolling.
_HIGH, _LOWEST = 300, 0.4  # px of the rows, and of its height to which a row may shrink
_BRIEF, _MOST_ROWS, _KEY_ALONE = 278, 126, 28  # px in brief: scores and rows, rows at most, the key
_NARROW = 30  # letters that fit side by side over the picture in brief, between two columns
_KEY, _TITLE, _BOTTOM = 46, 26, 12
_AXIS = 42  # px below the scores for the scale of w, in view without scrolling
# Of marks in a row, in rows: how far below its middle, and how far they are shaken apart.
_DEPTH, _SPREAD, _ALONG_SPREAD = 0.19, 0.24, 0.5

_NAMED = 3  # of the classes on the line, in a title


@dataclass(frozen=True, eq=False)
class WStripDisplay(Display):
    """Scores and decision intervals over w; the range that examples occupy; the examples."""

    name = "w strip"
    brief: ClassVar[bool] = False  # without a title, the range of the examples, and what is along
    profile: LineProfile
    soft_labels: np.ndarray  # (2, K): the line's own, or those at an example
    texts: Sequence[str] = ()  # of every row of the dataset
    marked: tuple[float, float] | None = None  # (w, w along the line)
    row: int | None = None
    zoom: bool = False
    along: bool = True  # whether the examples are drawn after projection, too

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        profile, soft_labels, zoom = self.profile, self.soft_labels, self.zoom
        classes, order = profile.classes, profile.line.classes
        bands, span, (rows, points) = winning_bands(*soft_labels), self._span, self._in_rows
        n_rows = max(len(rows), 1)
        shrunk = min(max(_HIGH / (_ROW * n_rows), _LOWEST), 1.0)
        high = min(_ALONG_ROW * n_rows, _MOST_ROWS) if self.brief else round(shrunk * _ROW * n_rows)
        panels = {"y": (0, _SCORES), "y2": (_AXIS, _RANGE), "y3": (_GAP, high)}
        if self.brief:
            panels = {"y": (0, _BRIEF - high), "y3": (_AXIS, high)}
        if self._shows_along:
            # a row for the heading
            panels["y4"] = (_GAP + _ALONG_ROW, round(shrunk * _ALONG_ROW * n_rows))
        domains, total = _stacked(panels)
        traces = key_traces(theme) + score_traces(soft_labels, bands, classes, span, theme)
        traces += _densities(rows, points, theme)
        traces += point_traces(points, "w", "below", classes, self.texts, theme, 6.5, yaxis="y3")
        if self._shows_along:
            projected = points.assign(w=points["along"], predicted=points["predicted_along"])
            look = {"yaxis": "y4", "cliponaxis": False}
            traces += point_traces(
                projected, "w", "projected", classes, self.texts, theme, 5.5, **look
            )
        notes = band_names(bands, classes, span, theme, _NARROW if self.brief else ACROSS)
        if self.logits:  # the background is that of one example, and only its lines'
            shapes = band_rects(bands, span, None, {"y": domains["y"]}, theme)
        else:
            shapes = band_rects(bands, span, profile.occupied, domains, theme)
        if self.marked is not None:
            shapes += [
                _hairline(self.marked[axis == "y4"], domain, theme)
                for axis, domain in domains.items()
            ]
            notes.append(_hairline_name(self.marked[0], span, domains["y"][0], theme))
        row_range = [n_rows - 0.35, -0.65]
        axes: dict[str, Any] = {
            "yaxis": {"title": {"text": self._scores, "standoff": 4}}
            | {"domain": domains["y"], "range": list(self._score_range), "nticks": 4}
            | {"gridcolor": with_opacity(theme.muted, 0.18)},
            "yaxis3": class_rows(rows, classes, theme, 16, domain=domains["y3"], range=row_range),
        }
        if not self.brief:
            axes["yaxis2"] = {"domain": domains["y2"], "range": [0, 1], "visible": False}
            notes += breakpoint_names(bands, span, theme)
            notes += range_marks(profile, span, zoom, theme)
            title = self._title(theme)
            notes.append(note(title, 0.0, 1.0, theme.text, 15, yshift=_KEY - 4, **ON_PAPER))
        if self._shows_along:
            marks = [class_style(k, theme).character if k >= 0 else "○" for k in rows]
            axes["yaxis4"] = row_axis(marks, theme, domain=domains["y4"], range=row_range)
            axes["yaxis4"]["tickfont"] = None
            title = "after projection onto the line"
            notes.append(note(title, 0.0, domains["y4"][1], theme.muted, 12, **ON_PAPER))
        above, key = (_KEY_ALONE, 3) if self.brief else (_KEY + _TITLE, 20)
        return chart(
            theme,
            traces,
            height=total + above + _BOTTOM,
            margin={"r": 14, "t": above, "b": _BOTTOM},
            shapes=shapes,
            annotations=notes,
            legend=key_layout(theme, 1 + key / total),
            hoverdistance=14,
            dragmode=False,
            **{"violingap": 0, "violingroupgap": 0},
            xaxis={"title": {"text": w_axis_title(order, classes, theme), "standoff": 6}}
            | {"range": span[::-1], "anchor": "y", "showgrid": False, "automargin": False}
            | ({"nticks": 6, "tickformat": ".2f"} if zoom else {"nticks": 7}),
            **axes,
        )

    @property
    def ring(self) -> tuple[Spot, ...]:
        _, points = self._in_rows
        at: Any
        spots = []
        for at in points[points["row"] == self.row].itertuples():
            spots.append(Spot(at.w, at.below, "x", "y3"))
            if self._shows_along:
                spots.append(Spot(at.along, at.projected, "x", "y4"))
        return tuple(spots)

    @property
    def logits(self) -> bool:
        return self.profile.soft_labels is None

    @property
    def _scores(self) -> str:
        which = "one example" if self.row is None else f"example {self.row}"
        return f"logits of {which}" if self.logits else "score"

    @property
    def _shows_along(self) -> bool:
        points = self.profile.examples
        # Projected, they spread over the whole of w, or are the same.
        return self.along and not (
            self.brief or self.zoom or np.allclose(points["along"], points["w"])
        )

    @cached_property
    def _in_rows(self) -> tuple[list[int], pd.DataFrame]:
        """The rows, and the points with their heights ``below`` densities and ``projected``."""
        scored = (np.isfinite(self.soft_labels) & (self.soft_labels != 0)).any(axis=0)
        order = dict.fromkeys([*self.profile.line.classes, *np.flatnonzero(scored).tolist()])
        rows, points = in_rows(self.profile.examples, list(order))
        below = points["place"] + _DEPTH + _SPREAD * points["shaken"]
        projected = points["place"] + _ALONG_SPREAD * points["shaken"]
        return rows, points.assign(below=below, projected=projected)

    def table(self) -> pd.DataFrame:
        table = points_table(self.profile.examples, self.profile.classes, self.texts)
        return table.sort_values("w", ignore_index=True)

    def thinned_text(self) -> str:
        points = self.profile.examples
        return thinned_text(len(drawn(points)), len(points))

    def sentence(self) -> str:
        depends = " Soft labels depend on the example: the lines are the "
        return line_text(self.profile) + (f"{depends}{self._scores}." if self.logits else "")

    def _title(self, theme: Theme) -> str:
        names = [class_name(k, self.profile.classes, theme, 16) for k in self.profile.line.classes]
        if len(names) > _NAMED:
            names = [names[0], f"{len(names) - 2} more", names[-1]]
        return f"<b>Line {self.profile.number + 1}</b>: {' – '.join(names)}"

    @property
    def _span(self) -> tuple[float, float]:
        """The w that is shown."""
        low, high = self.profile.occupied or (0.0, 1.0)
        if not self.zoom:
            low, high = 0.0, 1.0
        room = max(0.12 * (high - low), 0.004)
        return max(low - room, -0.003), min(high + room, 1.003)

    @property
    def _score_range(self) -> tuple[float, float]:
        """Of all classes at the w that is shown, and room for names above."""
        left, right = self.soft_labels[:, np.isfinite(self.soft_labels).all(axis=0)]
        ends = np.array(self._span)[:, None] * (left - right) + right
        top, bottom = float(ends.max()), float(ends.min()) if self.logits else 0.0
        room = max(top - bottom, 1e-9)
        return bottom - 0.1 * room * self.logits, top + 0.22 * room


def _stacked(panels: Mapping[str, tuple[int, int]]) -> tuple[dict[str, list[float]], int]:
    """Domains of panels under each other, by the gap above and the height, and the whole height."""
    total = sum(map(sum, panels.values()))
    domains, top = {}, total
    for axis, (gap, height) in panels.items():
        domains[axis] = [(top - gap - height) / total, (top - gap) / total]
        top -= gap + height
    return domains, total


def _densities(rows: Sequence[int], points: pd.DataFrame, theme: Theme) -> list[dict[str, Any]]:
    """The density of the examples of each row, above their marks, by how many they are."""
    traces = []
    for place, k in enumerate(rows):
        color = theme.muted if k < 0 else class_style(k, theme).color
        traces.append(
            {
                "type": "violin",
                "x": points["w"][points["place"] == place].to_numpy(np.float32),
                "y0": place,
                **{"yaxis": "y3", "orientation": "h", "side": "negative", "points": False},
                **{"scalegroup": "all", "scalemode": "count"},
                "fillcolor": with_opacity(color, 0.28),
                "line": {"width": 1.2, "color": color},
                **SILENT,
            }
        )
    return traces


def _hairline(w: float, domain: Sequence[float], theme: Theme) -> dict[str, Any]:
    return stroke((w, w), domain, theme.text, 1.6, yref="paper", layer="above")


def _hairline_name(w: float, span: tuple[float, float], y: float, theme: Theme) -> dict[str, Any]:
    side, shift = ("right", -3) if w < (span[0] + span[1]) / 2 else ("left", 3)
    place = {"yref": "paper", "xanchor": side, "yanchor": "bottom", "xshift": shift}
    pale = with_opacity(theme.background, 0.8)
    return note(f"selected: {w:.3f}", w, y, theme.text, 11, bgcolor=pale, **place)
