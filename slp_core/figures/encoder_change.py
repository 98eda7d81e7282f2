"""Where the points of a dataset go from one encoder to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.figures.style.labels import place_names
from slp_core.figures.style.text import shortened, wrapped
from slp_core.figures.style.theme import LIGHT, Theme, base_layout, class_style, with_opacity
from slp_core.views.joint_plane import JointPlane

Parts = Literal["all points", "support points", "centroids"]
MOST_ARROWS = 240  # of query points
_USUAL_SIZE = 600, 440  # px, for names that have to be placed before the size is known


@dataclass(frozen=True, eq=False)
class Moves:
    """The rows of a dataset under two encoders, as they are drawn.

    Attributes
    ----------
    plane : JointPlane
    classes : tuple of str
    true : (n,) int array
    support, query : int arrays
        Rows.
    right : (2, m) bool array
        Of each query row: whether nearest centroid is right before, and after.
    texts : sequence of str
        n texts for the hover.
    parts : {"all points", "support points", "centroids"}
        What gets arrows; centroids always do.
    """

    plane: JointPlane
    classes: tuple[str, ...]
    true: np.ndarray
    support: np.ndarray
    query: np.ndarray
    right: np.ndarray
    texts: Sequence[str]
    parts: Parts = "all points"

    @property
    def drawn(self) -> np.ndarray:
        """Places in ``query`` of the points that get an arrow: all, or evenly spaced ones."""
        m = len(self.query)
        if m <= MOST_ARROWS:
            return np.arange(m)
        return np.linspace(0, m - 1, MOST_ARROWS).round().astype(np.int64)

    def caption(self) -> str:
        """What is drawn, and how much of the spaces it shows."""
        n, m, shown = len(self.support), len(self.query), len(self.drawn)
        parts = ["Thick: the centroids of the support points"]
        if self.parts != "centroids":
            parts.append(f"strong: {n:,} support points")
        if self.parts == "all points" and m:
            which = f"{shown:,} of" if shown < m else "all" if m > 1 else ""
            spaced = ", evenly spaced" if shown < m else ""
            parts.append(f"pale: {which} {m:,} query point{'s' * (m != 1)}{spaced}")
        return (
            "An arrow runs from where a point is before, an open mark, to where it is after. "
            f"{'; '.join(parts)}. The space after is turned onto the one before as a whole, "
            "without stretching; of the variance of both, the plane shows "
            f"{self.plane.kept:.0%}."
        )


def moves_figure(moves: Moves, theme: Theme = LIGHT) -> go.Figure:
    """Every point's arrow from before to after; a click on a mark reports its row."""
    before, after = moves.plane.before, moves.plane.after
    traces: list[dict[str, Any]] = []
    layers = (
        (moves.query[moves.drawn], 0.45, 6.5, 1.0, "query point"),
        (moves.support, 0.9, 8.5, 1.8, "support point"),
    )
    asked = {"all points": layers, "support points": layers[1:], "centroids": ()}[moves.parts]
    for rows, opacity, size, width, what in asked:
        for k in range(len(moves.classes)):
            here = rows[moves.true[rows] == k]
            if len(here):
                look = _Look(k, opacity, size, width, theme)
                hover = [_hover(moves, int(row), what) for row in here]
                traces += _arrows(before[here], after[here], look, hover, here)
    means = [
        (k, *(points[own].mean(axis=0) for points in (before, after)))
        for k in range(len(moves.classes))
        if len(own := moves.support[moves.true[moves.support] == k])
    ]
    for k, start, end in means:
        look = _Look(k, 1.0, 14.0, 3.5, theme, key=shortened(moves.classes[k], 24))
        hover = [f"<b>{shortened(moves.classes[k], 40)}</b><br>centroid"]
        traces += _arrows(start[None], end[None], look, hover, None)
    ends = np.array([end for _, _, end in means])
    names = _names(moves, [k for k, _, _ in means], ends, theme)
    bare = {"showgrid": False, "zeroline": False, "showticklabels": False, "ticks": ""}
    layout = base_layout(
        theme,
        height=560,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        annotations=names,
        hovermode="closest",
        clickmode="event+select",
        dragmode="pan",
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"}
        | {"itemsizing": "constant"},
        xaxis=bare,
        yaxis={**bare, "scaleanchor": "x"},
    )
    return go.Figure(traces, layout)


def moves_table(moves: Moves) -> pd.DataFrame:
    """One row a point: its id, class, part, places before and after, and how far it moved."""
    rows = np.concatenate([moves.support, moves.query])
    part = ["support"] * len(moves.support) + ["query"] * len(moves.query)
    before, after = moves.plane.before[rows], moves.plane.after[rows]
    unknown = [None] * len(moves.support)
    return pd.DataFrame(
        {
            "id": rows,
            "class": np.array(moves.classes, dtype=object)[moves.true[rows]],
            "part": part,
            "x before": before[:, 0],
            "y before": before[:, 1],
            "x after": after[:, 0],
            "y after": after[:, 1],
            "moved": moves.plane.moved[rows],
            "right before": [*unknown, *moves.right[0]],
            "right after": [*unknown, *moves.right[1]],
            "text": [moves.texts[row] for row in rows],
        }
    )


@dataclass(frozen=True)
class _Look:
    """How the arrows of one class and part are drawn."""

    index: int
    opacity: float
    size: float
    width: float
    theme: Theme
    key: str = ""


def _arrows(
    start: np.ndarray, end: np.ndarray, look: _Look, hover: list[str], rows: np.ndarray | None
) -> list[dict[str, Any]]:
    """A shaft with its head, an open mark where it starts and a full one where it ends."""
    style = class_style(look.index, look.theme)
    color, group = with_opacity(style.color, look.opacity), f"class {look.index}"
    gap = np.full(len(start), np.nan)
    head = 6.0 + 1.6 * look.width
    shaft = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": np.column_stack([start[:, 0], end[:, 0], gap]).ravel().astype(np.float32),
        "y": np.column_stack([start[:, 1], end[:, 1], gap]).ravel().astype(np.float32),
        "line": {"color": color, "width": look.width},
        "marker": {
            "symbol": "arrow",
            "angleref": "previous",
            "standoff": look.size / 2,
            "size": np.tile(np.array([0, head, 0], dtype=np.float32), len(start)),
            "color": color,
            "line": {"width": 0},
        },
        "hoverinfo": "skip",
        "legendgroup": group,
        "showlegend": False,
    }
    marks = []
    for points, symbol, scale in ((start, f"{style.symbol}-open", 0.75), (end, style.symbol, 1.0)):
        last = points is end
        mark = {
            "type": "scatter",
            "mode": "markers",
            "x": points[:, 0].astype(np.float32),
            "y": points[:, 1].astype(np.float32),
            "hovertext": np.array(hover, dtype=object),
            "hoverinfo": "text",
            "name": look.key,
            "legendgroup": group,
            "showlegend": bool(look.key) and last,
            "marker": {
                "symbol": symbol,
                "color": color,
                "size": look.size * style.scale * scale,
                "line": {"width": 1.5, "color": look.theme.background if last else color},
            },
            "selected": {"marker": {"opacity": 1.0}},
            "unselected": {"marker": {"opacity": 1.0}},
        }
        marks.append(mark if rows is None else mark | {"customdata": rows.astype(np.int32)})
    return [shaft, *marks]


def _hover(moves: Moves, row: int, what: str) -> str:
    lines = [f"<b>{shortened(moves.classes[moves.true[row]], 40)}</b>, {what}"]
    at = np.flatnonzero(moves.query == row)
    if len(at):
        before, after = ("right" if right else "wrong" for right in moves.right[:, at[0]])
        lines.append(f"nearest centroid: {before} before, {after} after")
    return "<br>".join([*lines, wrapped(moves.texts[row])])


def _names(moves: Moves, shown: list[int], ends: np.ndarray, theme: Theme) -> list[dict[str, Any]]:
    every = [moves.plane.before, moves.plane.after]
    drawn = ends if moves.parts == "centroids" else np.concatenate(every)
    if not len(ends):
        return []
    extent = np.ptp(drawn, axis=0)
    unit = min(
        (size / width for size, width in zip(_USUAL_SIZE, extent, strict=True) if width > 0),
        default=1.0,
    )
    names = [shortened(moves.classes[k]) for k in shown]
    size = 13 if len(shown) <= 6 else 11
    return [
        {
            "x": float(ends[i, 0]),
            "y": float(ends[i, 1]),
            "xshift": dx,
            "yshift": dy,
            "text": f"<b>{names[i]}</b>",
            "showarrow": False,
            "font": {"size": size, "color": theme.text},
            "bgcolor": with_opacity(theme.background, 0.78),
            "borderpad": 1,
            "captureevents": False,
        }
        for i, dx, dy in place_names(ends, names, unit, size, 14)
    ]
