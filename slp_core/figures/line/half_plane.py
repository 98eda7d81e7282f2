"""The half-plane of a line: what is predicted at each position along it and distance from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.explain.bands import Bands
from slp_core.explain.profile import LineProfile
from slp_core.explain.text import half_plane_text
from slp_core.figures.display import Display, Spot
from slp_core.figures.line.points import (
    drawn,
    key_layout,
    key_traces,
    point_traces,
    points_table,
)
from slp_core.figures.style.parts import (
    SILENT,
    band,
    class_markers,
    hovered,
    note,
    scatter,
    thinned_text,
)
from slp_core.figures.style.text import labels_of, place_names
from slp_core.figures.style.theme import LIGHT, Theme, blend, chart, class_style, with_opacity
from slp_core.lines import Line, circle_of

_USUAL_WIDTH, _FRAME, _HEIGHTS = 440, 104, (274, 484)  # px
# Radii, in widths of all that can be seen, from which on a circle is straight: one much larger has
# no edge that floating point could place.
_STRAIGHT = 1e3
# px: size of names, the room that they have under the axis, half a centroid's mark, the legend
_NAME, _BELOW, _MARK, _KEY = 12, 16, 12, 28


@dataclass(frozen=True, eq=False)
class HalfPlaneDisplay(Display):
    """Examples at (t, r), on the regions in which each class wins where they are those of all."""

    name = "half-plane"
    profile: LineProfile
    along_line: bool = False
    texts: Sequence[str] = ()  # of every row of the dataset
    marked: tuple[float, float] | None = None  # (t, r)

    def sentence(self) -> str:
        return half_plane_text(self.profile)

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        line, points, classes = self.profile.line, self.profile.examples, self.profile.classes
        t_range, r_top = _extent(line, points, self.marked)
        # With distances that are clamped to the line's ends, w is 1 beyond A and 0 beyond B,
        # so the outer intervals reach as far as anybody can pan.
        far = 10 * (t_range[1] - t_range[0] + r_top)
        bands = self.profile.bands
        shapes = _regions(bands, line.length, self.along_line, far, theme) if bands else []
        shapes.append(band((-far, far), (-far, 0.0), theme.background))  # no r is negative
        traces = point_traces(points, "t", "r", classes, self.texts, theme)
        traces += _line_traces(line, classes, theme)
        traces += key_traces(theme, centroids=True) if len(points) else []
        unit = _USUAL_WIDTH / (t_range[1] - t_range[0])
        free = {"fixedrange": False, "showgrid": False}
        return chart(
            theme,
            traces,
            height=int(np.clip(_FRAME + unit * r_top, *_HEIGHTS)),
            margin={"t": _KEY},
            shapes=shapes,
            annotations=_names(line, points, classes, unit, theme),
            legend=key_layout(theme, 1.01),
            hoverdistance=14,
            dragmode="pan",
            # Under the names of the classes, which stand on the axis however wide it is.
            xaxis={"range": t_range, "ticklabelstandoff": _BELOW, **free}
            | {"title": {"text": "position t along the line (A at 0)", "standoff": 6}},
            # Equal units, so that the circles are round.
            yaxis={"range": [-_MARK / unit, r_top], "scaleanchor": "x", **free}
            | {"constraintoward": "bottom", "ticklabelstandoff": 4}
            | {"title": {"text": "distance r from the line", "standoff": 6}},
        )

    @property
    def ring(self) -> tuple[Spot, ...]:
        return () if self.marked is None else (Spot(*self.marked),)

    def thinned_text(self) -> str:
        points = self.profile.examples
        return thinned_text(len(drawn(points)), len(points))

    def table(self) -> pd.DataFrame:
        table = points_table(self.profile.examples, self.profile.classes)
        return table[["row", "true", "predicted", "t", "r"]]


def _extent(
    line: Line, points: pd.DataFrame, marked: tuple[float, float] | None
) -> tuple[list[float], float]:
    t, r = [*points["t"], 0.0, line.length], [*points["r"], 0.45 * line.length]
    if marked is not None:
        t.append(marked[0])
        r.append(marked[1])
    low, high = float(min(t)), float(max(t))
    room = 0.12 * (high - low)
    return [low - room, high + room], 1.06 * float(max(r))


def _regions(
    bands: Bands, length: float, along_line: bool, far: float, theme: Theme
) -> list[dict[str, Any]]:
    """The band at w = 1/2 everywhere, and the others upon it from the outermost circle inwards."""
    fills = [blend(class_style(k, theme).color, theme.background, 0.30) for k in bands.classes]
    edges = bands.edges
    if along_line:
        return [
            band(
                (
                    -far if edges[i + 1] == 1 else length * (1 - edges[i + 1]),
                    far if edges[i] == 0 else length * (1 - edges[i]),
                ),
                (-far, far),
                fill,
            )
            for i, fill in enumerate(fills)
        ]
    middle = next(i for i in range(len(fills)) if edges[i] <= 0.5 <= edges[i + 1])
    shapes = [band((-far, far), (-far, far), fills[middle])]
    shapes += [_within(edges[i + 1], length, fills[i], far) for i in reversed(range(middle))]
    shapes += [_within(edges[i], length, fills[i], far) for i in range(middle + 1, len(fills))]
    return shapes


def _within(w: float, length: float, fill: str, far: float) -> dict[str, Any]:
    """What lies beyond w, seen from 1/2: a disc, or half the plane where it is as good as one."""
    centre, radius = circle_of(w, length)
    if radius > _STRAIGHT * far:
        edge = length * (1 - w)
        return band((-far, edge) if w >= 0.5 else (edge, far), (-far, far), fill)
    return band((centre - radius, centre + radius), (-radius, radius), fill, type="circle")


def _line_traces(line: Line, classes: Sequence[str], theme: Theme) -> list[dict[str, Any]]:
    """The segment between the prototypes, and the centroids where they are, off it or on it."""
    hover = [f"centroid of <b>{labels_of(classes, 40)[k]}</b>" for k in line.classes]
    marker = class_markers(line.classes, theme, 15, {"width": 2, "color": theme.text})
    segment = {"color": theme.text, "width": 2.5}
    return [
        scatter([0.0, line.length], [0.0, 0.0], "lines", line=segment, **SILENT),
        scatter(line.positions, line.offsets, "markers", marker=marker, cliponaxis=False)
        | hovered(hover)
        | {"showlegend": False},
    ]


def _names(
    line: Line, points: pd.DataFrame, classes: Sequence[str], unit: float, theme: Theme
) -> list[dict[str, Any]]:
    """Names of the line's classes beside their centroids, where there is room."""
    beneath = points[["t", "r"]].to_numpy()
    at = np.column_stack([line.positions, line.offsets])
    names = [labels_of(classes, 14)[k] for k in line.classes]
    look = {"bgcolor": with_opacity(theme.background, 0.6), "borderpad": 0, "captureevents": False}
    return [
        note(f"<b>{names[index]}</b>", float(at[index, 0]), float(at[index, 1]), theme.text, _NAME)
        | {"xshift": dx, "yshift": dy, **look}
        for index, dx, dy in place_names(at, names, unit, _NAME, 10, beneath)
    ]
