"""The map: a method's landscape, its support examples and its query examples."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.figures.display import Display, Spot
from slp_core.figures.map import marks
from slp_core.figures.map.data import MapData, MapLayers, Shade
from slp_core.figures.map.image import landscape_image, shade_range
from slp_core.figures.map.marks import SHARE, SIZE, class_key, mark_key
from slp_core.figures.style.parts import thinned_text
from slp_core.figures.style.text import shares
from slp_core.figures.style.theme import LIGHT, Theme, chart, with_opacity
from slp_core.glossary import term
from slp_core.sentences import count

_HIGH, _FEW = 460, 6  # px from which a map has room for all names; classes whose names fit any


@dataclass(frozen=True, eq=False)
class MapDisplay(Display):
    """The map. Equal content gives an identical figure, byte for byte."""

    name = "map"
    to_scale = True
    data: MapData
    layers: MapLayers = field(default_factory=MapLayers)
    text: str = ""
    chosen: int | None = None
    height: int = 620
    uirevision: str = "map"
    changed: tuple[int, ...] = ()  # rows that go with the chosen one
    typed: tuple[float, float] | None = None  # where an example that was typed lies

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """The layers from the landscape up; a click on a point carries its id."""
        data, layers, landscape = self.data, self.layers, self.data.landscape
        traces: list[marks.Trace] = []
        shapes = marks.rings(data, theme) if layers.prototypes else []
        if landscape is not None and layers.line_regions:
            dark = with_opacity(theme.text, 0.75)
            shapes.append(marks.borders(landscape.line_boundaries, dark, 2.2))
        if landscape is not None and layers.boundaries:
            pale = with_opacity(theme.text, 0.35)
            shapes.append(marks.borders(landscape.boundaries, pale, 1.0))
        if layers.query:
            traces += marks.query_traces(data, theme)
        if layers.support:
            traces += marks.support_traces(data, theme)
        if layers.errors:
            traces += marks.error_traces(data, layers, theme)
        if layers.disagreeing:
            traces += marks.disagreement_traces(data, theme)
        if layers.lines:
            traces += marks.line_traces(data, theme)
        if layers.prototypes:
            traces += marks.prototype_traces(data, theme)
        if layers.centroids:
            traces += marks.centroid_traces(data, layers, theme)
        if layers.key:
            traces += class_key(data, theme)
        traces += mark_key(data, layers, theme)
        images = []
        if landscape is not None and layers.landscape:
            images.append(landscape_image(landscape, layers.shade, theme))
        below = -(44 if data.scaled else 22) / (self.height - marks.FRAME)  # px below the axis
        room = self.height >= _HIGH or len(data.classes) <= _FEW
        names = layers.names and layers.centroids and room
        return chart(
            theme,
            traces,
            height=self.height,
            margin={"l": 64 if data.scaled else 23},
            uirevision=self.uirevision,
            hoverdistance=12,
            dragmode="pan",
            modebar={"orientation": "v"},
            shapes=shapes,
            images=images,
            annotations=marks.names(data, theme, self.height) if names else [],
            legend=_legend(y=1.02, yanchor="bottom", size=SIZE, color=theme.text)
            | {"maxheight": SHARE},
            legend2=_legend(y=below, yanchor="top", size=12, color=theme.muted)
            | {"itemclick": False, "itemdoubleclick": False},
            **_axes(data),
        )

    @property
    def ring(self) -> tuple[Spot, ...]:
        """Around what is selected, whether or not it is among those that are drawn."""
        chosen = () if self.chosen is None else (self.chosen,)
        large = [self.typed, *map(self.data.place_of, chosen)]
        spots = [Spot(*place) for place in large if place]
        small = filter(None, map(self.data.place_of, self.changed))
        return (*spots, *(Spot(*place, small=True) for place in small))

    def caption(self) -> str:
        """What the shades of the landscape mean."""
        landscape, shade = self.data.landscape, self.layers.shade
        if landscape is None or not self.layers.landscape:
            return ""
        return shade_text(shade, *shade_range(landscape, shade))

    def thinned_text(self) -> str:
        """How many of the query examples are drawn, where that is not all."""
        query = self.data.query
        drawn = len(marks.thinned(query)) if self.layers.query else len(query)
        return thinned_text(drawn, len(query))

    def table(self) -> pd.DataFrame:
        """One row an example, centroid and prototype, whatever layers are shown."""
        data = self.data
        names = np.array(data.classes, dtype=object)
        parts: list[Any] = [
            *(
                points.assign(
                    mark=mark, true=names[points["true"]], predicted=names[points["predicted"]]
                )
                for mark, points in (("query", data.query), ("support", data.support))
            ),
            {"mark": "centroid"} | _places(data.centroids) | {"true": names},
        ]
        for side, mark in enumerate(("prototype A", "prototype B")):
            labels = [shares(label, data.classes) for label in data.soft_labels[:, side]]
            numbers = np.arange(1, len(labels) + 1)
            places = _places(data.prototypes[:, side])
            parts.append({"mark": mark, "line": numbers, **places, "soft_label": labels})
        order = ["mark", "id", "line", "x", "y", "true", "predicted", "off_plane", "soft_label"]
        table = pd.concat([pd.DataFrame(part) for part in parts], ignore_index=True)
        table = table.reindex(columns=[*order, "text"]).astype({"id": "Int64", "line": "Int64"})
        if len(data.texts):
            table["text"] = [None if row is pd.NA else data.texts[row] for row in table["id"]]
        return table

    def sentence(self) -> str:
        """What is to be seen: what was given, or how many examples are misclassified."""
        query = self.data.query
        return self.text or map_text(len(query), int((query["true"] != query["predicted"]).sum()))


def shade_text(shade: Shade, low: float, high: float) -> str:
    """The range of the landscape's colours, if any; the darkest stands for all above as well."""
    if f"{low:.0%}" == f"{high:.0%}":
        return ""
    what = term("margin" if shade == "margin" else "confidence")
    top = f"{high:.0%}" + ("" if f"{high:.0%}" == "100%" else " or more")
    return f"Colour intensity: {what}, from {low:.0%} (faint) to {top} (strong)."


def map_text(n: int, wrong: int) -> str:
    return f"A map of {count(n, 'query example')}; misclassified: {wrong:,}."


def _places(points: np.ndarray) -> dict[str, Any]:
    return {"x": points[:, 0], "y": points[:, 1]}


def _axes(data: MapData) -> dict[str, Any]:
    ticks = {"showticklabels": data.scaled, "ticks": "outside" if data.scaled else ""}
    axes: list[dict[str, Any]] = [
        {"title": {"text": title, "standoff": 6}, "showgrid": False}
        | {"fixedrange": False, "automargin": False, **ticks}
        for title in data.axis_titles
    ]
    # The keys make room above and below. An axis that did so as well would move with the shape that
    # the map keeps, the room with the axis, and Plotly would draw all anew until it gave up.
    if data.landscape is not None:
        for axis, grid in zip(axes, (data.landscape.x, data.landscape.y), strict=True):
            axis["range"] = [float(grid[0]), float(grid[-1])]
    axes[0] |= {"constrain": "domain"}
    axes[1] |= {"constrain": "domain", "constraintoward": "top", "scaleanchor": "x"}
    return {"xaxis": axes[0], "yaxis": axes[1]}


def _legend(y: float, yanchor: str, size: int, color: str) -> dict[str, Any]:
    place = {"orientation": "h", "x": 0.5, "xanchor": "center", "y": y, "yanchor": yanchor}
    return {**place, "tracegroupgap": 0, "font": {"size": size, "color": color}}
