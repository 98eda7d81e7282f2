"""What another encoder changes: class separation, accuracy, and where embeddings go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.diagnostics.encoders import EncoderChange
from slp_core.diagnostics.text import change_text, moves_text
from slp_core.evaluation.text import encoder_gain_text
from slp_core.figures.display import Display, Spot
from slp_core.figures.style.parts import (
    BARE,
    SILENT,
    broken,
    class_name,
    hovered,
    legend_key,
    marker,
    note,
    row_axis,
    scatter,
    spaced,
)
from slp_core.figures.style.text import labels_of, wrapped
from slp_core.figures.style.theme import LIGHT, Theme, chart, class_style, with_opacity
from slp_core.glossary import term
from slp_core.sentences import count, percent
from slp_core.views.align import JointPlane


@dataclass(frozen=True, eq=False)
class ClassDistancesDisplay(Display):
    """Class separation before and after: distance between classes over distance within."""

    name = "class distances"
    scope = "data"
    change: EncoderChange

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        classes, table = self.change.classes, self.table()
        x, rows = table[["ratio, before", "ratio, after"]].to_numpy(), np.arange(len(table))
        names = [class_name(k, classes, theme, 20) for k in range(len(classes))]
        colors = [class_style(k, theme).color for k in range(len(classes))]
        marks = []
        looks = zip(x.T, ("before", "after"), ("circle-open", "circle"), strict=True)
        for values, name, symbol in looks:
            look = {"symbol": symbol, "size": 11, "line": {"width": 2}}
            mark = {"marker": look | {"color": [*colors, theme.text]}, "showlegend": False}
            hover = f"%{{y}}, {name}: %{{x:.2f}}<extra></extra>"
            marks.append(scatter(values, rows, "markers", **mark, hovertemplate=hover))
            marks.append(legend_key(name, look | {"color": theme.muted}))
        threads = broken(np.dstack([x, np.column_stack([rows, rows])]), theme.muted, 2)
        return chart(
            theme,
            [threads, *marks],
            height=max(220, 120 + 26 * len(rows)),
            margin={"t": 30, "r": 16},  # half of a number that stands at the end
            xaxis={"title": "class separation: between / within", "nticks": 6},
            yaxis=row_axis([*names, "<b>all classes</b>"], theme),
            legend={"y": 1.0},
        )

    def table(self) -> pd.DataFrame:
        return self.change.table()

    def sentence(self) -> str:
        return change_text(self.change)


@dataclass(frozen=True, eq=False)
class AccuracyByShotsDisplay(Display):
    """Accuracy over shots under both encoders."""

    name = "accuracy by shots"
    scope = ""
    accuracy: pd.DataFrame  # of `accuracy_by_shots`, by method
    names: tuple[str, str]  # of the encoders

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        table = self.accuracy
        places = [str(shots) for shots in sorted(set(table["shots"]))]
        looks = (
            ("before", theme.muted, "circle-open", "dot"),
            ("after", theme.correct, "circle", "solid"),
        )
        traces, axes, notes = [], {}, []
        panels = {str(method): part for method, part in table.groupby("method", sort=False)}
        for i, (method, part) in enumerate(panels.items()):
            number = str(i + 1) if i else ""
            for when, color, symbol, dash in looks:
                spread = (100 * part[f"± {when}"]).to_numpy(dtype=np.float32)
                traces.append(
                    scatter(
                        part["shots"].astype(str),
                        100 * part[when],
                        "lines+markers",
                        error_y={"array": spread, "color": color, "thickness": 1.2, "width": 3},
                        **{"xaxis": f"x{number}", "yaxis": "y"},
                        **{"name": when, "legendgroup": when, "showlegend": i == 0},
                        line={"color": color, "width": 2, "dash": dash},
                        marker={"symbol": symbol, "size": 9, "color": color, "line": {"width": 2}},
                        hovertemplate=f"{method}, %{{x}} shots, {when}: %{{y:.1f}} ± "
                        "%{error_y.array:.1f}%<extra></extra>",
                    )
                )
            axes[f"xaxis{number}"] = {
                **{"type": "category", "categoryorder": "array", "categoryarray": places},
                "title": {"text": "shots per class"} if i == len(panels) // 2 else {},
            }
            head = f"<b>{str(method).replace(' ', '<br>')}</b>"
            above = {"xref": f"x{number} domain", "yref": "paper", "yanchor": "bottom"}
            notes.append(note(head, 0.5, 1, theme.text, 11, **above))  # three on a phone
        beside = [[f"{axis.replace('axis', '')}y" for axis in axes]]
        return chart(
            theme,
            traces,
            height=340,
            margin={"t": 76},
            grid={"rows": 1, "columns": len(axes), "subplots": beside, "xgap": 0.1},
            yaxis={"title": "accuracy (%)", "nticks": 6},
            annotations=notes,
            legend={"y": 1.17},
            **axes,
        )

    def table(self) -> pd.DataFrame:
        return self.accuracy

    def sentence(self) -> str:
        return encoder_gain_text(self.accuracy, self.names)


def accuracy_pivot(accuracy: pd.DataFrame) -> pd.DataFrame:
    """One row a dataset, one column a number of shots: "before → after" in percent."""
    pairs = zip(accuracy["before"], accuracy["after"], strict=True)
    table = accuracy.assign(both=[f"{100 * old:.1f} → {100 * new:.1f}" for old, new in pairs])
    pivot = table.pivot_table(
        index="dataset", columns="shots", values="both", aggfunc="first", sort=False
    )
    pivot = pivot[sorted(pivot.columns)].fillna("")
    pivot.columns = [count(int(shots), "shot") for shots in pivot.columns]
    return pivot.reset_index()


Parts = Literal["all points", "support points", "centroids"]
MOST_ARROWS = 240  # of query examples
_AROUND = 0.06  # of the picture's extent


@dataclass(frozen=True, eq=False)
class MovesDisplay(Display):
    """The rows of a dataset under two encoders, an arrow each."""

    name = "moves"
    to_scale = True
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
        return spaced(np.arange(len(self.query)), MOST_ARROWS)

    def caption(self) -> str:
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
        of = "class means" if self.by_class else "both spaces"
        look = {"size": 10, "color": theme.muted, "line": {"width": 1.5}}
        symbols = {"before": "circle-open", "after": "circle"}
        key = [legend_key(name, look | {"symbol": symbol}) for name, symbol in symbols.items()]
        return chart(
            theme,
            [*key, *traces],
            height=470,
            xaxis=BARE | {"title": f"component 1 of {of}", "range": x},
            yaxis=plane | {"title": f"component 2 of {of}", "range": y},
            legend={"itemsizing": "constant"},
            dragmode="pan",
            modebar={"orientation": "v"},
        )

    def table(self) -> pd.DataFrame:
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
    """Shafts with heads, open marks at their starts and filled ones at their ends."""
    opacity, size, width = look
    style, group = class_style(index, theme), {"legendgroup": f"class {index}"}
    color = with_opacity(style.color, opacity)
    shared = hovered(hover) | group | trace
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
