"""How embeddings move from one encoder to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.diagnostics.encoders import EncoderChange
from slp_core.diagnostics.text import moves_text
from slp_core.figures.display import Display
from slp_core.figures.style.parts import BARE, SILENT, marker, scatter, small_layout
from slp_core.figures.style.ring import Spot
from slp_core.figures.style.text import labels_of, wrapped
from slp_core.figures.style.theme import LIGHT, Theme, class_style, with_opacity
from slp_core.glossary import term
from slp_core.sentences import count, percent
from slp_core.views.joint_plane import JointPlane

Parts = Literal["all points", "support points", "centroids"]
MOST_ARROWS = 240  # of query points
_AROUND = 0.06  # of the picture's extent


@dataclass(frozen=True, eq=False)
class MovesDisplay(Display):
    """The rows of a dataset under two encoders, an arrow each."""

    name = "moves"
    scope = "data"
    plane: JointPlane
    change: EncoderChange
    true: np.ndarray  # (n,)
    support: np.ndarray
    query: np.ndarray
    texts: Sequence[str]
    by_class: bool = False  # the plane is that of the class means
    parts: Parts = "all points"
    chosen: int | None = None

    @property
    def ring(self) -> tuple[Spot, ...]:
        """Around both ends of the selected example's arrow, whether or not it is drawn."""
        if self.chosen is None:
            return ()
        ends = (self.plane.before[self.chosen], self.plane.after[self.chosen])
        return tuple(Spot(float(x), float(y)) for x, y in ends)

    @property
    def drawn(self) -> np.ndarray:
        """Places in ``query`` of the points that get an arrow: all, or evenly spaced ones."""
        m = len(self.query)
        return np.linspace(0, m - 1, min(m, MOST_ARROWS)).round().astype(np.int64)

    def caption(self) -> str:
        """What is drawn, and how much of the spaces it shows."""
        query = f"{len(self.drawn):,} of {count(len(self.query), 'query example')}"
        which = {
            "all points": f"{query} and all support examples; thick",
            "support points": "All support examples; thick",
            "centroids": "Thick",
        }[self.parts]
        return (
            f"Arrows run from before (open mark) to after. {which}: class "
            f"{term('centroid', 'centroids')}. The spaces are Procrustes-aligned; the plane shows "
            f"{percent(self.plane.explained_variance)} of their variance."
        )

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """Every point's arrow from before to after; a click on a mark reports its row."""
        before, after, classes = self.plane.before, self.plane.after, self.change.classes
        traces: list[dict[str, Any]] = []
        layers = (
            (self.query[self.drawn], 0.45, 6.5, 1.0, "query example"),
            (self.support, 0.9, 8.5, 1.8, "support example"),
        )
        first = {"all points": 0, "support points": 1, "centroids": 2}[self.parts]
        for rows, opacity, size, width, what in layers[first:]:
            for k in range(len(classes)):
                here = rows[self.true[rows] == k]
                if len(here):
                    hover = [self._hover(int(row), what) for row in here]
                    ids: dict[str, Any] = {"customdata": here.astype(np.int32)}
                    ids["showlegend"] = False
                    ends = before[here], after[here]
                    traces += _arrows(*ends, k, (opacity, size, width), hover, theme, **ids)
        for k, name in enumerate(labels_of(classes, 40)):
            of_class = self.support[self.true[self.support] == k]
            if len(of_class):
                ends = before[of_class].mean(axis=0)[None], after[of_class].mean(axis=0)[None]
                hover = [f"<b>{name}</b><br>centroid"]
                entry: dict[str, Any] = {"name": labels_of(classes, 24)[k], "showlegend": True}
                traces += _arrows(*ends, k, (1.0, 14.0, 3.5), hover, theme, **entry)
        # Set, and not left to Plotly: so the height of the map is known before it is drawn.
        x, y = np.column_stack(_extent(traces)).tolist()
        plane = BARE | {"scaleanchor": "x", "constrain": "domain", "constraintoward": "top"}
        across, up = BARE | {"range": x}, plane | {"range": y}
        of = "class means" if self.by_class else "both spaces"
        names = f"component 1 of {of}", f"component 2 of {of}"
        layout = small_layout(
            theme, names[0], names[1], 470, 8, across, up, hovermode="closest", dragmode="pan"
        )
        layout["legend"]["itemsizing"] = "constant"
        return go.Figure(traces, layout)

    def table(self) -> pd.DataFrame:
        """A row a point: its id, class, part, places before and after, and how far it moved."""
        rows = np.concatenate([self.support, self.query])
        part = ["support"] * len(self.support) + ["query"] * len(self.query)
        places = np.column_stack([self.plane.before[rows], self.plane.after[rows]])
        axes = ("x before", "y before", "x after", "y after")
        unknown = [None] * len(self.support)
        return pd.DataFrame(
            {
                "id": rows,
                "class": np.array(self.change.classes, dtype=object)[self.true[rows]],
                "part": part,
                **dict(zip(axes, places.T, strict=True)),
                "moved": self.plane.moved[rows],
                "correct before": [*unknown, *self.change.correct[0]],
                "correct after": [*unknown, *self.change.correct[1]],
                "text": [self.texts[row] for row in rows],
            }
        )

    def sentence(self) -> str:
        """How many predictions become correct, and how many misclassified."""
        return moves_text(self.change)

    def _hover(self, row: int, what: str) -> str:
        lines = [f"<b>{labels_of(self.change.classes, 40)[self.true[row]]}</b>, {what}"]
        at = np.flatnonzero(self.query == row)
        if len(at):
            before, after = (
                "correct" if correct else "misclassified"
                for correct in self.change.correct[:, at[0]]
            )
            lines.append(f"nearest centroid: {before} before, {after} after")
        return "<br>".join([*lines, wrapped(self.texts[row])])


def _extent(traces: list[dict[str, Any]]) -> tuple[np.ndarray, np.ndarray]:
    """The least and the greatest x and y of all that is drawn, with something around it."""
    if not traces:
        return np.full(2, -1.0), np.full(2, 1.0)
    drawn = np.stack([np.concatenate([trace[axis] for trace in traces]) for axis in "xy"])
    low, high = np.nanmin(drawn, axis=1), np.nanmax(drawn, axis=1)
    around = _AROUND * (float((high - low).max()) or 1.0)
    return low - around, high + around


def _arrows(
    start: np.ndarray,
    end: np.ndarray,
    index: int,
    look: tuple[float, float, float],
    hover: list[str],
    theme: Theme,
    **trace: Any,
) -> list[dict[str, Any]]:
    """A shaft with its head, an open mark at its start and a filled one at its end.

    ``look`` is opacity, size of the marks and width of the shaft.
    """
    opacity, size, width = look
    style, group = class_style(index, theme), {"legendgroup": f"class {index}"}
    color = with_opacity(style.color, opacity)
    still = {"marker": {"opacity": 1.0}}
    shared = {"hovertext": np.array(hover, dtype=object), "hoverinfo": "text", **group}
    shared |= {"selected": still, "unselected": still, **trace}
    open_mark = marker(style, 0.75 * size, line={"width": 1.5, "color": color})
    open_mark |= {"symbol": f"{style.symbol}-open", "color": color}
    full_mark = marker(style, size, line={"width": 1.5, "color": theme.background})
    return [
        arrow_shafts(start, end, color, width, 6.0 + 1.6 * width, size / 2) | group,
        scatter(
            start[:, 0], start[:, 1], "markers", marker=open_mark, **shared | {"showlegend": False}
        ),
        scatter(end[:, 0], end[:, 1], "markers", marker=full_mark | {"color": color}, **shared),
    ]


def arrow_shafts(
    start: np.ndarray, end: np.ndarray, color: str, width: float, head: float, standoff: float
) -> dict[str, Any]:
    """A trace of n arrows."""
    x, y = np.stack([start, end, np.full(start.shape, np.nan)], axis=1).reshape(-1, 2).T
    sizes = np.tile(np.array([0, head, 0], dtype=np.float32), len(start))
    tip = {"symbol": "arrow", "angleref": "previous", "standoff": standoff, "size": sizes}
    return scatter(
        x,
        y,
        "lines+markers",
        line={"color": color, "width": width},
        marker=tip | {"color": color, "line": {"width": 0}},
        **SILENT,
    )
