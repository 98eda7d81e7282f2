"""How w closes in on one half as the number of dimensions grows, and nothing else changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.explain.bands import Bands, weight
from slp_core.figures.display import Display
from slp_core.figures.line.points import W_TITLE
from slp_core.figures.line.strip_bands import band_names, band_rects, breakpoint_names
from slp_core.figures.style.parts import (
    band,
    class_name,
    fixed_axis,
    marker,
    row_axis,
    scatter,
    shake,
    slider,
    stroke,
)
from slp_core.figures.style.text import shortened
from slp_core.figures.style.theme import LIGHT, Theme, base_layout, blend, class_style, with_opacity
from slp_core.sentences import MethodTitle, percent

_HEIGHT = 380  # px
_SPREAD = (0.05, 0.5, 0.95)  # quantiles of w


@dataclass(frozen=True, eq=False)
class AtDimension:
    """One line in some number of dimensions."""

    dimension: int
    bands: Bands
    w: np.ndarray  # (p,)
    true: np.ndarray  # (p,)
    accuracy: dict[str, float]


@dataclass(frozen=True, eq=False)
class DimensionsDisplay(Display):
    """Above, each class's w (5 % to 95 %) over the dimension; below, the accuracy."""

    name = "dimensions"
    series: Sequence[AtDimension]
    classes: Sequence[str]
    current: int | None = None

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """Ribbons and accuracy over one logarithmic axis."""
        series, classes = self.series, self.classes
        d = np.array([at.dimension for at in series])
        traces: list[dict[str, Any]] = []
        for k, name in enumerate(classes):
            color, (low, middle, high) = class_style(k, theme).color, _quantiles(series, k)
            ribbon = {"line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
            inside = {"fill": "tonexty", "fillcolor": with_opacity(color, 0.25)}
            hover = f"<b>{shortened(name)}</b> in %{{x}} dimensions: median w %{{y:.3f}}"
            traces += [
                scatter(d, high, "lines", **ribbon),
                scatter(d, low, "lines", **ribbon, **inside),
                scatter(d, middle, "lines+markers", name=shortened(name, 20), legend="legend")
                | {"line": {"color": color, "width": 2}, "marker": marker(class_style(k, theme), 7)}
                | {"hovertemplate": f"{hover}<extra></extra>"},
            ]
        for number, method in enumerate(series[0].accuracy):
            dash, symbol = (("solid", "circle"), ("dash", "square"), ("dot", "x"))[number]
            shares = np.array([at.accuracy[method] for at in series])
            traces.append(
                scatter(d, shares, "lines+markers", yaxis="y2", name=method, legend="legend2")
                | {"line": {"color": theme.text, "width": 2, "dash": dash}}
                | {"marker": {"size": 6, "symbol": symbol}}
                | {"hovertemplate": f"{method} in %{{x}} dimensions: %{{y:.0%}}<extra></extra>"}
            )
        shapes = _zones(series, theme)
        if self.current is not None:
            here, above = (self.current, self.current), {"yref": "paper", "layer": "above"}
            shapes.append(stroke(here, (0, 1), theme.text, 1.5, "dash", **above))
        key = {"orientation": "h", "x": 0.5, "xanchor": "center", "traceorder": "normal"}
        key |= {"itemclick": False, "itemdoubleclick": False, "yanchor": "bottom"}
        key["font"] = {"size": 12, "color": theme.text}
        return go.Figure(
            traces,
            base_layout(
                theme,
                height=_HEIGHT,
                margin={"l": 8, "r": 16, "t": 30, "b": 8},
                dragmode=False,
                shapes=shapes,
                legend=key | {"y": 1.01},
                legend2=key | {"y": 0.31},
                xaxis=fixed_axis("dimensions", 4, type="log", tickvals=d, anchor="y2")
                | {"showgrid": False, "range": [np.log10(d[0]) - 0.05, np.log10(d[-1]) + 0.05]},
                yaxis=fixed_axis("w", 4, domain=[0.50, 1], range=[0, 1], nticks=5)
                | {"showgrid": False},
                yaxis2=fixed_axis("accuracy", 4, domain=[0, 0.29], range=[0, 1.05], nticks=4)
                | {"tickformat": ".0%"},
            ),
        )

    def table(self) -> pd.DataFrame:
        """One row a dimension and class: quantiles of w, and the accuracy."""
        rows = []
        for at in self.series:
            for k, name in enumerate(self.classes):
                values = at.w[at.true == k]
                spread = np.quantile(values, _SPREAD) if len(values) else np.full(3, np.nan)
                rows.append(
                    {"dimensions": at.dimension, "class": name}
                    | dict(zip(("w 5 %", "w median", "w 95 %"), spread, strict=True))
                    | {f"accuracy: {method}": share for method, share in at.accuracy.items()}
                )
        return pd.DataFrame(rows)

    def sentence(self) -> str:
        """How far w spreads and what the accuracy is, in the fewest and in the most dimensions."""
        method = next(iter(self.series[0].accuracy))
        ends = (
            f"{at.dimension} dimensions: w from {weight(at.w.min())} to "
            f"{weight(at.w.max())}, accuracy {percent(at.accuracy[method])}"
            for at in (self.series[0], self.series[-1])
        )
        return f"{MethodTitle(method)} in {'; in '.join(ends)}."

    @staticmethod
    def caption(shots: int, draw: int) -> str:
        """Which examples are drawn, and what the ribbons are."""
        share = percent(_SPREAD[-1] - _SPREAD[0])
        return (
            f"The toy dataset *A, B and C in many dimensions*, {shots} shots per class, support "
            f"set {draw}. Ribbons: the middle {share} of a class's query examples. Background: "
            "the predicted class."
        )


@dataclass(frozen=True, eq=False)
class OneDimensionDisplay(DimensionsDisplay):
    """The examples over w in one dimension after the other: a slider moves them."""

    name = "one dimension"

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """A frame a dimension."""
        series, classes, whole = self.series, self.classes, (0.0, 1.0)
        start = next((i for i, at in enumerate(series) if at.dimension == self.current), 0)
        frames: list[dict[str, Any]] = [
            {
                "name": str(at.dimension),
                "data": _marks(at, classes, theme),
                "layout": {
                    "shapes": band_rects(
                        at.bands, whole, (at.w.min(), at.w.max()), [[0, 1]], theme
                    ),
                    "annotations": band_names(at.bands, classes, whole, theme)
                    + breakpoint_names(at.bands, whole, theme),
                },
            }
            for at in series
        ]
        names = [class_name(k, classes, theme, 14) for k in range(len(classes))]
        look = {"activebgcolor": theme.text, "bordercolor": theme.grid, "pad": {"t": 46, "b": 4}}
        look |= {"bgcolor": blend(theme.muted, theme.background, 0.3)}
        look |= {"font": {"color": theme.muted}}
        dimensions = [str(at.dimension) for at in series]
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
                xaxis=fixed_axis(W_TITLE, 4, range=[1.003, -0.003], nticks=6, showgrid=False),
                yaxis=row_axis(names, theme, range=[len(classes) - 0.4, -1.0]),
                sliders=[slider(dimensions, start, "dimensions: ", theme, **look)],
            ),
        )


def _marks(at: AtDimension, classes: Sequence[str], theme: Theme) -> list[dict[str, Any]]:
    traces = []
    for k, name in enumerate(classes):
        here = at.true == k
        traces.append(
            scatter(at.w[here], k + 0.5 * shake(int(here.sum())), "markers")
            | {"marker": marker(class_style(k, theme), 7, opacity=0.8)}
            | {"hovertemplate": f"<b>{shortened(name)}</b>, w = %{{x:.3f}}<extra></extra>"}
        )
    return traces


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
        band(
            edges[i : i + 2],
            at.bands.edges[j : j + 2],
            blend(class_style(k, theme).color, theme.background, 0.16),
            yref="y",
        )
        for i, at in enumerate(series)
        for j, k in enumerate(at.bands.classes)
    ]
