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
from slp_core.figures.style.labels import place_names
from slp_core.figures.style.parts import BARE, SILENT, marker, note, scatter, small_layout
from slp_core.figures.style.ring import Spot
from slp_core.figures.style.text import LETTER, labels_of, letters, wrapped
from slp_core.figures.style.theme import LIGHT, Theme, class_style, with_opacity
from slp_core.sentences import count, percent
from slp_core.views.joint_plane import JointPlane

Parts = Literal["all points", "support points", "centroids"]
MOST_ARROWS = 240  # of query points
_AROUND = 0.06  # of the picture's extent
_NARROW = np.array([330, 400])  # px that the picture has at most in a narrow window
_WIDE = np.array([500, 400])  # and in a wide one
_MOST_ROOM = 1.6  # times the picture's extent that names may make of it


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
        shown, m = len(self.drawn), len(self.query)
        which = {
            "all points": f"{shown:,} of {count(m, 'query example')} and all support examples; ",
            "support points": "All support examples; ",
            "centroids": "",
        }[self.parts]
        return (
            f"Arrows run from before (open mark) to after. {which}thick: class centroids. The "
            "spaces are Procrustes-aligned; the plane shows "
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
        layers = {"all points": layers, "support points": layers[1:], "centroids": ()}[self.parts]
        for rows, opacity, size, width, what in layers:
            for k in range(len(classes)):
                here = rows[self.true[rows] == k]
                if len(here):
                    look = _Look(k, opacity, size, width, theme)
                    hover = [self._hover(int(row), what) for row in here]
                    traces += _arrows(before[here], after[here], look, hover, here)
        centroids: dict[int, np.ndarray] = {}  # where each was and is
        for k, name in enumerate(labels_of(classes, 40)):
            of_class = self.support[self.true[self.support] == k]
            if len(of_class):
                start, end = (points[of_class].mean(axis=0) for points in (before, after))
                centroids[k] = np.stack([start, end])
                look = _Look(k, 1.0, 14.0, 3.5, theme, key=labels_of(classes, 24)[k])
                hover = [f"<b>{name}</b><br>centroid"]
                traces += _arrows(start[None], end[None], look, hover, None)
        mouse = {"hovermode": "closest", "dragmode": "pan"}
        low, high = _extent(traces)
        names = self._names(centroids, low, high, theme)
        # Set, and not left to Plotly: so the height of the map is known before it is drawn.
        x, y = np.column_stack(_with_room(low, high, names, _NARROW)).tolist()
        plane = BARE | {"scaleanchor": "x", "constrain": "domain", "constraintoward": "top"}
        across, up = BARE | {"range": x}, plane | {"range": y}
        axes = (
            f"component {i} of {'class means' if self.by_class else 'both spaces'}" for i in "12"
        )
        layout = small_layout(theme, *axes, 470, 8, across, up, annotations=names, **mouse)
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

    def _names(
        self, centroids: dict[int, np.ndarray], low: np.ndarray, high: np.ndarray, theme: Theme
    ) -> list[dict[str, Any]]:
        """The classes' names beside the ends of their centroids' arrows."""
        if not centroids:
            return []
        starts, ends = np.stack(list(centroids.values()), axis=1)
        names = [labels_of(self.change.classes)[k] for k in centroids]
        size = 13 if len(names) <= 6 else 11
        back = {"bgcolor": with_opacity(theme.background, 0.78), "borderpad": 1}
        back["captureevents"] = False
        best: list[dict[str, Any]] = []
        for window in (_NARROW, _WIDE):
            notes: list[dict[str, Any]] = []
            for _ in range(3):  # room for names makes a pixel more, and so moves them
                with_names = np.subtract(*_with_room(low, high, notes, _NARROW)[::-1])
                unit = float((window / with_names).min())
                notes = [
                    note(f"<b>{names[i]}</b>", x, y, theme.text, size)
                    | {"xshift": dx, "yshift": dy, **back}
                    for i, dx, dy in place_names(ends, names, unit, size, 14, starts)
                    for x, y in [ends[i].tolist()]
                ]
            best = max(best, notes, key=len)
        return best


def _extent(traces: list[dict[str, Any]]) -> tuple[np.ndarray, np.ndarray]:
    """The least and the greatest x and y of all that is drawn, with something around it."""
    if not traces:
        return np.full(2, -1.0), np.full(2, 1.0)
    drawn = np.stack([np.concatenate([trace[axis] for trace in traces]) for axis in "xy"])
    low, high = np.nanmin(drawn, axis=1), np.nanmax(drawn, axis=1)
    around = _AROUND * (float((high - low).max()) or 1.0)
    return low - around, high + around


def _with_room(
    low: np.ndarray, high: np.ndarray, names: list[dict[str, Any]], window: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The ends of both axes where names are whole as well in a window of so many pixels."""
    boxes = np.array([_box(name) for name in names]).reshape(-1, 3, 2)
    usual = ((high - low) / window).max()
    for _ in range(4):  # of a picture that leaves room for names, a pixel is more
        pixel = min(((high - low) / window).max(), _MOST_ROOM * usual)
        low = np.min([low, *(at + pixel * least for at, least, _ in boxes)], axis=0)
        high = np.max([high, *(at + pixel * most for at, _, most in boxes)], axis=0)
    return low, high


def _box(name: dict[str, Any]) -> tuple[Any, Any, Any]:
    """Where a name is, and its corners in pixels from there, y upward."""
    shift = np.array([name["xshift"], name["yshift"]])
    size = name["font"]["size"]
    half = np.array([LETTER * size * letters(name["text"]), 1.5 * size]) / 2
    return (name["x"], name["y"]), shift - half, shift + half


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
    shafts = arrow_shafts(start, end, color, look.width, 6.0 + 1.6 * look.width, look.size / 2)
    still, marks = {"marker": {"opacity": 1.0}}, []
    for points, symbol, scale in ((start, f"{style.symbol}-open", 0.75), (end, style.symbol, 1.0)):
        last = points is end
        outline = {"width": 1.5, "color": look.theme.background if last else color}
        mark = scatter(
            points[:, 0],
            points[:, 1],
            "markers",
            **{"hovertext": np.array(hover, dtype=object), "hoverinfo": "text"},
            **{"name": look.key, "legendgroup": group, "showlegend": bool(look.key) and last},
            marker=marker(style, look.size * scale, line=outline)
            | {"symbol": symbol, "color": color},
            **{"selected": still, "unselected": still},
        )
        marks.append(mark if rows is None else mark | {"customdata": rows.astype(np.int32)})
    return [shafts | {"legendgroup": group}, *marks]


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
