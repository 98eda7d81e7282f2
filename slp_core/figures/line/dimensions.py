"""How w closes in on one half as the number of dimensions grows, and nothing else changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.explain.bands import Bands
from slp_core.figures.display import Display
from slp_core.figures.line.strip_bands import band_names, band_rects, breakpoint_names
from slp_core.figures.style.text import shortened
from slp_core.figures.style.theme import LIGHT, Theme, base_layout, blend, class_style, with_opacity

_HEIGHT = 380  # px
_SPREAD = (0.05, 0.5, 0.95)  # quantiles of w


@dataclass(frozen=True, eq=False)
class AtDimension:
    """One line in some number of dimensions.

    Attributes
    ----------
    dimension : int
    bands : Bands
        Of the line.
    w : (p,) array
        Of the query points.
    true : (p,) int array
        Their classes.
    right : dict of str to float
        Share of right answers of each method.
    """

    dimension: int
    bands: Bands
    w: np.ndarray
    true: np.ndarray
    right: dict[str, float]


@dataclass(frozen=True, eq=False)
class DimensionsDisplay(Display):
    """Above, each class's w (5 % to 95 %) over the dimension; below, how much is right.

    Attributes
    ----------
    series : sequence of AtDimension
        By rising dimension.
    classes : sequence of str
    current : int, optional
        The dimension to mark, or to begin with.
    """

    name = "dimensions"
    series: Sequence[AtDimension]
    classes: Sequence[str]
    current: int | None = None

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """Ribbons and shares over one logarithmic axis."""
        series, classes = self.series, self.classes
        d = np.array([at.dimension for at in series])
        traces: list[dict[str, Any]] = []
        for k, name in enumerate(classes):
            style = class_style(k, theme)
            low, middle, high = _quantiles(series, k)
            ribbon: dict[str, Any] = {"mode": "lines", "line": {"width": 0}}
            ribbon |= {"hoverinfo": "skip", "showlegend": False}
            traces += [
                {"type": "scatter", "x": d, "y": high, **ribbon},
                {"type": "scatter", "x": d, "y": low, "fill": "tonexty", **ribbon}
                | {"fillcolor": with_opacity(style.color, 0.25)},
                {
                    "type": "scatter",
                    "mode": "lines+markers",
                    "x": d,
                    "y": middle,
                    "name": shortened(name, 20),
                    "legend": "legend",
                    "line": {"color": style.color, "width": 2},
                    "marker": {"symbol": style.symbol, "size": 7 * style.scale},
                    "hovertemplate": f"<b>{shortened(name)}</b> in %{{x}} dimensions: "
                    "median w %{y:.3f}<extra></extra>",
                },
            ]
        for number, method in enumerate(series[0].right):
            traces.append(
                {
                    "type": "scatter",
                    "mode": "lines+markers",
                    "x": d,
                    "y": np.array([at.right[method] for at in series]),
                    "yaxis": "y2",
                    "name": method,
                    "legend": "legend2",
                    "line": {"color": theme.text, "width": 2}
                    | {"dash": ("solid", "dash", "dot")[number]},
                    "marker": {"size": 6, "symbol": ("circle", "square", "x")[number]},
                    "hovertemplate": f"{method} in %{{x}} dimensions: %{{y:.0%}}<extra></extra>",
                }
            )
        shapes = _zones(series, theme)
        if self.current is not None:
            shapes.append(
                {"type": "line", "x0": self.current, "x1": self.current}
                | {"y0": 0, "y1": 1, "yref": "paper"}
                | {"line": {"color": theme.text, "width": 1.5, "dash": "dash"}}
            )
        still = {"fixedrange": True, "zeroline": False, "automargin": True}
        key = {"orientation": "h", "x": 0.5, "xanchor": "center", "traceorder": "normal"}
        key["itemclick"] = False
        key |= {"itemdoubleclick": False, "font": {"size": 12, "color": theme.text}}
        return go.Figure(
            traces,
            base_layout(
                theme,
                height=_HEIGHT,
                margin={"l": 8, "r": 10, "t": 30, "b": 8},
                dragmode=False,
                shapes=shapes,
                legend=key | {"y": 1.01, "yanchor": "bottom"},
                legend2=key | {"y": 0.31, "yanchor": "bottom"},
                xaxis={"type": "log", "tickvals": d, "title": {"text": "dimensions", "standoff": 4}}
                | {"anchor": "y2", "showgrid": False, **still}
                | {"range": [np.log10(d[0]) - 0.05, np.log10(d[-1]) + 0.05]},
                yaxis={"domain": [0.50, 1], "range": [0, 1], "nticks": 5, **still}
                | {"title": {"text": "w", "standoff": 4}, "showgrid": False},
                yaxis2={"domain": [0, 0.29], "range": [0, 1.05], "tickformat": ".0%", "nticks": 4}
                | {"title": {"text": "right", "standoff": 4}, **still},
            ),
        )

    def table(self) -> pd.DataFrame:
        """One row a dimension and class: quantiles of w, and the shares of right answers."""
        rows = []
        for at in self.series:
            for k, name in enumerate(self.classes):
                values = at.w[at.true == k]
                spread = np.quantile(values, _SPREAD) if len(values) else np.full(3, np.nan)
                rows.append(
                    {"dimensions": at.dimension, "class": name}
                    | dict(zip(("w 5 %", "w median", "w 95 %"), spread, strict=True))
                    | {f"right: {method}": share for method, share in at.right.items()}
                )
        return pd.DataFrame(rows)

    def sentence(self) -> str:
        """What is to be seen."""
        return "How the spread of w shrinks as the number of dimensions grows, and what is right"


@dataclass(frozen=True, eq=False)
class OneDimensionDisplay(DimensionsDisplay):
    """The points over w with their bands, in one dimension after the other: a slider moves them."""

    name = "one dimension"

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """A frame a dimension."""
        series, classes = self.series, self.classes
        start = next((i for i, at in enumerate(series) if at.dimension == self.current), 0)
        frames: list[dict[str, Any]] = [
            {
                "name": str(at.dimension),
                "data": _marks(at, classes, theme),
                "layout": {"shapes": _bands(at, theme), "annotations": _names(at, classes, theme)},
            }
            for at in series
        ]
        steps = [
            {
                "label": str(at.dimension),
                "method": "animate",
                "args": [
                    [str(at.dimension)],
                    {"mode": "immediate", "frame": {"duration": 0, "redraw": True}}
                    | {"transition": {"duration": 0}},
                ],
            }
            for at in series
        ]
        names = [
            f"{class_style(k, theme).character} {shortened(c, 14)}" for k, c in enumerate(classes)
        ]
        still = {"fixedrange": True, "zeroline": False, "showgrid": False}
        return go.Figure(
            data=frames[start]["data"],
            frames=frames,
            layout=base_layout(
                theme,
                height=_HEIGHT,
                margin={"l": 8, "r": 14, "t": 24, "b": 8},
                showlegend=False,
                dragmode=False,
                **frames[start]["layout"],
                xaxis={"range": [-0.003, 1.003], "nticks": 6, "automargin": True, **still}
                | {"title": {"text": "w: the left prototype's share of the vote", "standoff": 4}},
                yaxis={"tickvals": np.arange(len(classes)), "automargin": True, **still}
                | {"ticktext": np.array(names, dtype=object), "tickfont": {"color": theme.text}}
                | {"range": [len(classes) - 0.4, -1.0]},
                sliders=[
                    {
                        "active": start,
                        "steps": steps,
                        "currentvalue": {"prefix": "dimensions: ", "font": {"color": theme.text}},
                        "font": {"color": theme.muted},
                        "bgcolor": blend(theme.muted, theme.background, 0.3),
                        "activebgcolor": theme.text,
                        "bordercolor": theme.grid,
                        "tickcolor": theme.muted,
                        "pad": {"t": 46, "b": 4},
                    }
                ],
            ),
        )

    def sentence(self) -> str:
        """What is to be seen."""
        return "The points over w with the bands of the line, in a number of dimensions to choose"


def _marks(at: AtDimension, classes: Sequence[str], theme: Theme) -> list[dict[str, Any]]:
    traces = []
    for k, name in enumerate(classes):
        here = at.true == k
        style = class_style(k, theme)
        shake = 0.5 * ((np.arange(int(here.sum())) * 0.618034) % 1.0 - 0.5)
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "x": at.w[here].astype(np.float32),
                "y": (k + shake).astype(np.float32),
                "marker": {"color": style.color, "symbol": style.symbol, "size": 7 * style.scale}
                | {"opacity": 0.8},
                "hovertemplate": f"<b>{shortened(name)}</b>, w = %{{x:.3f}}<extra></extra>",
            }
        )
    return traces


def _bands(at: AtDimension, theme: Theme) -> list[dict[str, Any]]:
    return band_rects(at.bands, (0.0, 1.0), (at.w.min(), at.w.max()), [[0, 1]], theme)


def _names(at: AtDimension, classes: Sequence[str], theme: Theme) -> list[dict[str, Any]]:
    return [
        *band_names(at.bands, classes, (0.0, 1.0), theme),
        *breakpoint_names(at.bands, (0.0, 1.0), theme),
    ]


def _quantiles(series: Sequence[AtDimension], k: int) -> np.ndarray:
    """(3, D): low, median and high w of a class at every dimension."""
    return np.array(
        [
            np.quantile(at.w[at.true == k], _SPREAD) if (at.true == k).any() else [np.nan] * 3
            for at in series
        ]
    ).T


def _zones(series: Sequence[AtDimension], theme: Theme) -> list[dict[str, Any]]:
    """The bands over w at each dimension, as columns that meet halfway on the logarithmic axis."""
    d = np.array([float(at.dimension) for at in series])
    inner = np.sqrt(d[:-1] * d[1:])
    edges = np.concatenate([[d[0] / 2], inner, [2 * d[-1]]])
    return [
        {
            "type": "rect",
            "x0": edges[i],
            "x1": edges[i + 1],
            "y0": at.bands.edges[j],
            "y1": at.bands.edges[j + 1],
            "yref": "y",
            "layer": "below",
            "line": {"width": 0},
            "fillcolor": blend(class_style(k, theme).color, theme.background, 0.16),
        }
        for i, at in enumerate(series)
        for j, k in enumerate(at.bands.classes)
    ]
