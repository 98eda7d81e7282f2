"""A training run as one picture: landscape, curves and soft labels at an epoch, or at all of them.

With several epochs the figure carries a slider and a play button that work in the browser alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.facts import Facts, fact
from slp_core.figures.display import Display
from slp_core.figures.style.parts import (
    class_marker,
    legend_key,
    note,
    rule,
    scatter,
    slider,
)
from slp_core.figures.style.text import labels_of, shortened
from slp_core.figures.style.theme import LIGHT, Theme, base_layout, blend, class_style, with_opacity
from slp_core.figures.style.thinning import spaced
from slp_core.figures.training import curves_table
from slp_core.lines import Line
from slp_core.methods.training import Curves
from slp_core.views.epochs import EpochPicture
from slp_core.views.regions import outline

_MOST_POINTS = 600  # drawn on the landscape
_FRAME_MS = 90
_HEIGHT = 560  # px
_ALL_NAMED = 8  # prototypes that have room for their names, one below the other
_NEAR = 0.2  # of the accuracies' range: names of curves that end so near would lie on each other
_ASIDE = 34  # px that "query" takes
_LEFT, _RIGHT = [0.0, 0.49], [0.62, 1.0]
_BARS = [0.74, 1.0]  # with room for their names; where it is too little, parts.css leaves the marks


@dataclass(frozen=True, eq=False)
class Stage:
    """What stays the same from epoch to epoch.

    Attributes
    ----------
    classes : tuple of str
    lines : tuple of Line
    points : (m, 2) array
        Query points on the picture.
    true : (m,) int array
    centroids : (K, 2) array
    references : mapping of str to float
        Accuracies of other methods, from 0 to 1.
    """

    classes: tuple[str, ...]
    lines: tuple[Line, ...]
    points: np.ndarray
    true: np.ndarray
    centroids: np.ndarray
    references: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class RunDisplay(Display):
    """A run's landscape, curves and soft labels at an epoch.

    Attributes
    ----------
    stage : Stage
    curves : Curves
    pictures : sequence of EpochPicture
        One for a run that is under way; with more there are a slider and a play button.
    shown : int
        Which of them is shown first.
    told : tuple of Fact
        What is to be seen.
    """

    name = "run"
    stage: Stage
    curves: Curves
    pictures: Sequence[EpochPicture]
    shown: int = -1
    told: Facts = ()

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """Landscape on the left, curves and bars on the right."""
        stage, curves, pictures = self.stage, self.curves, self.pictures
        now = pictures[self.shown]
        moving = _moving(stage, curves, now, theme)
        traces = [*moving, *_still(stage, curves, theme)]
        layout = _layout(stage, curves, now, theme)
        if len(pictures) == 1:
            return go.Figure(traces, layout)
        epochs, numbers = [str(picture.epoch) for picture in pictures], list(range(len(moving)))
        frames = [
            {"data": _changes(stage, curves, picture, theme), "traces": numbers, "name": epoch}
            for picture, epoch in zip(pictures, epochs, strict=True)
        ]
        time = slider(epochs, self.shown % len(pictures), "epoch ", theme, pad={"t": 34, "l": 110})
        time["currentvalue"]["font"]["size"] = 14
        for step in time["steps"]:
            step["args"][1]["frame"]["redraw"] = False
        layout |= {
            "sliders": [time],
            "updatemenus": [play_buttons(theme, 44, _FRAME_MS, redraw=False)],
        }
        return go.Figure(traces, layout, frames)

    def table(self) -> pd.DataFrame:
        """The curves: columns ``epoch``, ``loss``, ``support`` and ``query``."""
        return curves_table(self.curves)

    def facts(self) -> Facts:
        """What is to be seen."""
        return self.told

    def drawn_facts(self) -> Facts:
        """That the landscape leaves points out, where it does."""
        drawn, n = len(drawn_rows(self.stage)), len(self.stage.points)
        if drawn == n:
            return ()
        template = "Of the {n:,} query points the picture has {drawn:,}, spread evenly over them."
        return (fact("run.thinned", template, n=n, drawn=drawn),)


def _moving(
    stage: Stage, curves: Curves, picture: EpochPicture, theme: Theme
) -> list[dict[str, Any]]:
    """The traces that an epoch changes: the landscape, two cursors, and the soft labels' bars."""
    regions = [_region(picture, k, theme) for k in range(len(stage.classes))]
    top = max(float(np.nanmax(curves.loss, initial=0.0)), 1e-9)
    cursor = {"line": {"color": theme.text, "width": 1.2}, "hoverinfo": "skip"}
    cursors = [
        scatter([float(picture.epoch)] * 2, ends, "lines", showlegend=False, **cursor)
        | {"xaxis": f"x{number}", "yaxis": f"y{number}"}
        for number, ends in ((2, percent_range(stage, curves)), (3, (0.0, 1.05 * top)))
    ]
    places = prototype_places(stage, theme)
    names = np.array([f"{at} <span>{name}</span>" for at, name in places], dtype=object)
    bars = [
        {"type": "bar", "orientation": "h", "y": names, "xaxis": "x4", "yaxis": "y4"}
        | {"x": picture.soft_labels[:, k].astype(np.float32), "showlegend": False}
        | {"marker": {"color": class_style(k, theme).color, "line": {"width": 0}}}
        | {"hovertemplate": f"%{{y}}<br>{name}: %{{x:.3f}}<extra></extra>"}
        for k, name in enumerate(labels_of(stage.classes, 30))
    ]
    return [*regions, *cursors, *bars]


def _changes(
    stage: Stage, curves: Curves, picture: EpochPicture, theme: Theme
) -> list[dict[str, Any]]:
    """Of the same traces what an epoch changes; the rest stays as it is."""
    return [
        {name: trace[name] for name in ("type", "x", "y") if name in trace}
        for trace in _moving(stage, curves, picture, theme)
    ]


def _region(picture: EpochPicture, k: int, theme: Theme) -> dict[str, Any]:
    """Where class k is answered, as polygons.

    Plotly changes polygons in place. An image, or a heatmap, it takes away and draws anew, which
    leaves the plot empty in between, and on a busy machine most of the time.
    """
    corners = outline(picture.labels == k)
    x, y = picture.x, picture.y
    dx, dy = x[1] - x[0], y[1] - y[0]
    if not len(corners):  # somewhere out of sight: Plotly would hide a trace without points
        corners = np.full((3, 2), -10.0 * len(x))
    shade = blend(class_style(k, theme).color, theme.background, 0.32)
    return scatter(
        x[0] + (corners[:, 0] - 0.5) * dx, y[0] + (corners[:, 1] - 0.5) * dy, "lines"
    ) | {
        "fill": "toself",
        "fillcolor": shade,
        # over the seam between two regions
        "line": {"color": shade, "width": 1, "simplify": False},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _still(stage: Stage, curves: Curves, theme: Theme) -> list[dict[str, Any]]:
    rows = drawn_rows(stage)
    marks = []
    for k, name in enumerate(labels_of(stage.classes, 24)):
        here = rows[stage.true[rows] == k]
        for xy, size, edge in (
            (stage.points[here], 6.5, {"width": 0.5, "color": theme.background}),
            (stage.centroids[[k]], 13.0, {"width": 1.5, "color": theme.text}),
        ):
            marks.append(
                scatter(xy[:, 0], xy[:, 1], "markers", name=name, hoverinfo="name")
                | {"legendgroup": f"class {k}", "showlegend": size > 10}
                | {"marker": class_marker(k, theme, size, line=edge)}
            )
    lines = [
        _curve(curves.epoch, 100 * curves.query, "query points", theme.right, "solid", "2"),
        _curve(curves.epoch, 100 * curves.support, "support points", theme.muted, "dash", "2"),
        _curve(curves.epoch, curves.loss, "loss", theme.wrong, "solid", "3"),
    ]
    return [*marks, *_mark_key(stage, theme), *lines]


def _mark_key(stage: Stage, theme: Theme) -> list[dict[str, Any]]:
    """What the marks are, in the words of the map's key."""
    looks = {
        "query": {"color": theme.muted, "size": 6.5},
        "centroid": {"color": theme.background, "size": 13}
        | {"line": {"width": 1.5, "color": theme.text}},
    }
    names = drawn_marks(stage)
    return [legend_key(n, looks[n], legend="legend2", showlegend=True) for n in names]


def drawn_marks(stage: Stage) -> list[str]:
    """What is drawn on the landscape."""
    return ["query", "centroid"] if len(stage.points) else ["centroid"]


def drawn_rows(stage: Stage) -> np.ndarray:
    """The rows of the query points on the landscape."""
    return spaced(np.arange(len(stage.points)), _MOST_POINTS)


def _curve(
    x: np.ndarray, y: np.ndarray, name: str, color: str, dash: str, axis: str
) -> dict[str, Any]:
    return scatter(
        x.astype(np.float32),
        y,
        "lines",
        xaxis=f"x{axis}",
        yaxis=f"y{axis}",
        line={"color": color, "width": 2.2, "dash": dash},
        name=name,
        showlegend=False,
        hovertemplate=f"epoch %{{x}}: {name} %{{y:.4g}}<extra></extra>",
    )


def _layout(stage: Stage, curves: Curves, now: EpochPicture, theme: Theme) -> dict[str, Any]:
    bare = {"showgrid": False, "zeroline": False, "showticklabels": False, "ticks": ""}
    plain = {"zeroline": False, "fixedrange": True}
    notes = [*_reference_names(stage, theme), *_curve_names(stage, curves, theme)]
    rules = [
        rule((0, 1), (100 * share,) * 2, {"color": theme.muted, "width": 1, "dash": dash})
        | {"xref": "x2 domain", "yref": "y2"}
        for share, dash in zip(stage.references.values(), ("dot", "dashdot") * 4, strict=False)
    ]
    return base_layout(
        theme,
        height=_HEIGHT,
        margin={"l": 8, "r": 8, "t": 34, "b": 8},
        barmode="stack",
        bargap=0.25,
        hovermode="closest",
        uirevision="run",
        shapes=rules,
        annotations=notes,
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        legend2={"orientation": "h", "x": 0, "y": 0, "yanchor": "top"}
        | {"font": {"size": 12, "color": theme.muted}, "bgcolor": with_opacity(theme.background, 0)}
        | {"itemclick": False, "itemdoubleclick": False},
        xaxis={**bare, "domain": _LEFT, "range": [float(now.x[0]), float(now.x[-1])]}
        | {"constrain": "domain", "constraintoward": "left"},
        yaxis={**bare, "range": [float(now.y[0]), float(now.y[-1])], "scaleanchor": "x"}
        | {"constrain": "domain", "constraintoward": "top"},
        xaxis2={**plain, "domain": _RIGHT, "anchor": "y2", "showticklabels": False},
        yaxis2={**plain, "domain": [0.66, 1.0], "anchor": "x2"}
        | {"title": {"text": "% right", "standoff": 0}, "nticks": 5}
        | {"range": percent_range(stage, curves)},
        xaxis3={**plain, "domain": _RIGHT, "anchor": "y3", "matches": "x2"},
        yaxis3={**plain, "domain": [0.46, 0.63], "anchor": "x3", "rangemode": "tozero"}
        | {"title": {"text": "loss", "standoff": 0}, "nticks": 4},
        xaxis4={**plain, "domain": _BARS, "anchor": "y4", "range": [0, 1], "nticks": 5}
        | {"title": {"text": "mean soft label", "standoff": 4}},
        yaxis4={**plain, "domain": [0.05, 0.36], "anchor": "x4", "autorange": "reversed"}
        | {"tickfont": {"size": 11, "color": theme.text}, "automargin": True}
        | ({"dtick": 1} if 2 * len(stage.lines) <= _ALL_NAMED else {}),
    )


def percent_range(stage: Stage, curves: Curves) -> list[float]:
    """Of the accuracies: all that is drawn, with room for their names."""
    drawn = [*curves.query, *curves.support, *stage.references.values()]
    known = [100 * value for value in drawn if value == value]
    low, high = min(known, default=0.0), max(known, default=100.0)
    room = max(3.0, 0.18 * (high - low))
    return [max(0.0, low - room), min(104.0, high + room)]


def _reference_names(stage: Stage, theme: Theme) -> list[dict[str, Any]]:
    """On the left, the higher above its rule and the lower below it."""
    ordered = sorted(stage.references.items(), key=lambda item: -item[1])
    return [
        _name(shortened(name, 26), 0.0, "left", 100 * share, anchor, theme.muted, theme)
        for (name, share), anchor in zip(ordered, ("bottom", "top") * 2, strict=False)
    ]


def _curve_names(stage: Stage, curves: Curves, theme: Theme) -> list[dict[str, Any]]:
    """On the right, where they end; beside each other where they end alike."""
    if not len(curves.epoch):
        return []
    support, query = 100 * float(curves.support[-1]), 100 * float(curves.query[-1])
    low, high = percent_range(stage, curves)
    aside = -_ASIDE if abs(support - query) < _NEAR * (high - low) else 0
    ends = (("support", support, theme.muted, aside), ("query", query, theme.right, 0))
    return [
        _name(name, 1.0, "right", end, "top", color, theme) | {"xshift": shift}
        for name, end, color, shift in ends
        if end == end  # not NaN: there are such points
    ]


def _name(
    text: str, x: float, xanchor: str, y: float, yanchor: str, color: str, theme: Theme
) -> dict[str, Any]:
    """Before the curves, which may run where it stands."""
    place = {"xref": "x2 domain", "yref": "y2", "xanchor": xanchor, "yanchor": yanchor}
    behind = {"bgcolor": with_opacity(theme.background, 0.75), "borderpad": 0}
    return note(text, x, y, color, 11, **place, **behind)


def play_buttons(theme: Theme, down: int, frame_ms: int, redraw: bool = True) -> dict[str, Any]:
    """Play and pause, ``down`` pixels below the axes; a frame stands for ``frame_ms``.

    Without ``redraw`` nothing but scatter and bar traces can change, and nothing is ever blank.
    """
    play = {"frame": {"duration": frame_ms, "redraw": redraw}, "transition": {"duration": 0}}
    still = {"mode": "immediate", "frame": {"duration": 0, "redraw": False}}
    place = {"direction": "left", "x": 0, "xanchor": "left", "y": 0, "yanchor": "top"}
    look = {"bgcolor": theme.background, "bordercolor": theme.muted, "showactive": False}
    return {
        "type": "buttons",
        **place,
        **look,
        "pad": {"t": down, "l": 0},
        "font": {"color": theme.text, "size": 13},
        "buttons": [
            {"label": "▶", "method": "animate", "args": [None, play | {"fromcurrent": True}]},
            {"label": "❚❚", "method": "animate", "args": [[None], still]},
        ],
    }


def prototype_places(stage: Stage, theme: Theme) -> list[tuple[str, str]]:
    """Of each its line and side with the mark of the class at its end, and that class's name."""
    names = labels_of(stage.classes, 14)
    return [
        (f"{number + 1} {side} {class_style(end, theme).character}", names[end])
        for number, line in enumerate(stage.lines)
        for side, end in (("left", line.left), ("right", line.right))
    ]
