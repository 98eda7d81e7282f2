"""The map: a method's landscape, the points it learnt from and those it is judged on."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from slp_core.figures.map import marks
from slp_core.figures.map.data import MapData, MapLayers, Shade
from slp_core.figures.map.image import landscape_png
from slp_core.figures.map.key import class_key, mark_key
from slp_core.figures.style.theme import LIGHT, Theme, base_layout, with_opacity
from slp_core.views import Landscape

_SVG_POINTS = 2_000  # query points above which WebGL draws the map


def map_figure(
    data: MapData,
    layers: MapLayers | None = None,
    theme: Theme = LIGHT,
    height: int = 620,
    uirevision: str = "map",
) -> go.Figure:
    """Draw the map. Equal input gives an identical figure, byte for byte.

    Parameters
    ----------
    data : MapData
    layers : MapLayers, optional
        Everything but errors and line regions if not given.
    theme : Theme
    height : int
        Pixels.
    uirevision : str
        As long as it stays the same, zoom and pan survive a change of the figure.
    """
    layers = layers or MapLayers()
    landscape = data.landscape
    traces: list[marks.Trace] = []
    shapes: list[dict[str, Any]] = []
    if landscape is not None and layers.line_regions:
        traces.append(marks.borders(landscape.line_boundaries, with_opacity(theme.text, 0.75), 2.2))
    if landscape is not None and layers.boundaries:
        traces.append(marks.borders(landscape.boundaries, with_opacity(theme.text, 0.35), 1.0))
    if layers.query:
        traces += marks.query_traces(data, theme)
    if layers.support:
        traces += marks.support_traces(data, theme)
    if layers.errors:
        traces += marks.error_traces(data, layers, theme)
    if layers.unfaithful:
        traces += marks.unfaithful_traces(data, theme)
    if layers.lines:
        traces += marks.line_traces(data, theme)
    if layers.prototypes:
        traces += marks.prototype_traces(data, theme)
        shapes = marks.rings(data, theme)
    if layers.centroids:
        traces += marks.centroid_traces(data, layers, theme)
    traces += class_key(data, theme) + mark_key(layers, theme)
    # WebGL lies over SVG whatever the order of traces: they are all drawn by one or by the other.
    crowded = layers.query and len(marks.thinned(data.query)) > _SVG_POINTS
    kind = "scattergl" if crowded else "scatter"
    return go.Figure(
        data=[{"type": kind, **trace} for trace in traces],
        layout=base_layout(
            theme,
            height=height,
            margin={"l": 8, "r": 8, "t": 8, "b": 8},
            uirevision=uirevision,
            hovermode="closest",
            hoverdistance=12,
            clickmode="event+select",
            dragmode="pan",
            modebar={"orientation": "v"},
            shapes=shapes,
            images=_images(landscape, layers.shade, theme) if layers.landscape else [],
            annotations=marks.names(data, theme) if layers.names and layers.centroids else [],
            legend=_legend(y=1.02, yanchor="bottom", size=14, color=theme.text),
            legend2=_legend(
                y=-0.12 if data.scaled else -0.06, yanchor="top", size=12, color=theme.muted
            )
            | {"itemclick": False, "itemdoubleclick": False},
            **_axes(data),
        ),
    )


def map_caption(data: MapData, layers: MapLayers | None = None) -> str:
    """What shades and thinning mean on this map, in words; to stand beside it."""
    layers = layers or MapLayers()
    sentences = []
    if data.landscape is not None and layers.landscape:
        low, high = _range(data.landscape, layers.shade)
        what = {
            "margin": "the winning class's lead over the runner-up",
            "confidence": "the winning class's probability",
        }[layers.shade]
        sentences.append(f"Stronger colour: {what}, {low:.0%} to {high:.0%} on this map.")
    drawn, total = len(marks.thinned(data.query)), len(data.query.points)
    if layers.query and drawn < total:
        sentences.append(f"{drawn:,} of {total:,} query points are drawn.")
    return " ".join(sentences)


def _range(landscape: Landscape, shade: Shade) -> tuple[float, float]:
    """The values of the faintest and the strongest shade, a few extremes aside."""
    values = landscape.margin if shade == "margin" else landscape.confidence
    low, high = np.quantile(values, [0.0, 0.99])
    return float(low), float(high)


def _images(landscape: Landscape | None, shade: Shade, theme: Theme) -> list[dict[str, Any]]:
    if landscape is None:
        return []
    values = landscape.margin if shade == "margin" else landscape.confidence
    low, high = _range(landscape, shade)
    strength = (values - low) / (high - low) if high > low else np.full(values.shape, 0.5)
    return [image_under(landscape, landscape_png(landscape.labels, strength, theme))]


def image_under(landscape: Landscape, source: str) -> dict[str, Any]:
    """A layout image that covers a landscape's grid; a pixel is centred on its grid point."""
    step_x, step_y = (axis[1] - axis[0] for axis in (landscape.x, landscape.y))
    return {
        "source": source,
        "xref": "x",
        "yref": "y",
        "x": float(landscape.x[0] - step_x / 2),
        "y": float(landscape.y[-1] + step_y / 2),
        "sizex": float(landscape.x[-1] - landscape.x[0] + step_x),
        "sizey": float(landscape.y[-1] - landscape.y[0] + step_y),
        "sizing": "stretch",
        "layer": "below",
    }


def _axes(data: MapData) -> dict[str, Any]:
    axes: list[dict[str, Any]] = [
        {
            "title": {"text": title, "standoff": 6},
            "showgrid": False,
            "zeroline": False,
            "automargin": True,
            "showticklabels": data.scaled,
            "ticks": "outside" if data.scaled else "",
        }
        for title in data.axis_titles
    ]
    if data.landscape is not None:
        for axis, grid in zip(axes, (data.landscape.x, data.landscape.y), strict=True):
            axis["range"] = [float(grid[0]), float(grid[-1])]
    if data.equal_axes:
        axes[0] |= {"constrain": "domain"}
        axes[1] |= {"constrain": "domain", "constraintoward": "top", "scaleanchor": "x"}
    return {"xaxis": axes[0], "yaxis": axes[1]}


def _legend(y: float, yanchor: str, size: int, color: str) -> dict[str, Any]:
    return {
        "orientation": "h",
        "x": 0.5,
        "xanchor": "center",
        "y": y,
        "yanchor": yanchor,
        "tracegroupgap": 0,
        "font": {"size": size, "color": color},
    }
