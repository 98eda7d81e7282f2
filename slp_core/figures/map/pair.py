"""Two maps side by side, each with its own landscape, points and prototypes."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from slp_core.figures.map.data import MapData, MapLayers
from slp_core.figures.map.figure import map_figure
from slp_core.figures.map.key import class_key, mark_key
from slp_core.figures.style.theme import LIGHT, Theme

_GAP = 0.02  # between the two, of the width


def map_pair_figure(
    first: MapData,
    second: MapData,
    titles: tuple[str, str],
    layers: MapLayers,
    theme: Theme = LIGHT,
    linked: bool = True,
    height: int = 560,
    uirevision: str = "pair",
) -> go.Figure:
    """Draw two maps as one figure.

    Parameters
    ----------
    first, second : MapData
    titles : (str, str)
        Stand above either map.
    layers : MapLayers
        Of both.
    theme : Theme
    linked : bool
        Whether the two show the same places, so that zoom and pan of one are those of the other.
    height : int
        Pixels.
    uirevision : str
        As in ``map_figure``.
    """
    left = map_figure(first, layers, theme, height=height, uirevision=uirevision)
    right = map_figure(second, layers, theme)
    key = len(class_key(second, theme)) + len(mark_key(layers, theme))  # once is enough
    marks = list(right.data)[: len(right.data) - key]
    for trace in marks:
        trace.update(xaxis="x2", yaxis="y2")
    moved = {"xref": "x2", "yref": "y2"}
    half = (1 - _GAP) / 2
    axes = right.layout.to_plotly_json()
    x2 = axes["xaxis"] | {"domain": [half + _GAP, 1], "anchor": "y2"}
    y2 = axes["yaxis"] | {"anchor": "x2", "title": {"text": ""}}
    if "scaleanchor" in y2:
        y2["scaleanchor"] = "x2"
    if linked:
        x2, y2 = x2 | {"matches": "x"}, y2 | {"matches": "y"}
    figure = go.Figure([*left.data, *marks], left.layout)
    figure.update_layout(
        xaxis={"domain": [0, half]},
        xaxis2=x2,
        yaxis2=y2,
        shapes=[*left.layout.shapes, *_with(right.layout.shapes, moved)],
        images=[*left.layout.images, *_with(right.layout.images, moved)],
        annotations=[
            *left.layout.annotations,
            *_with(right.layout.annotations, moved),
            *(
                _title(text, place, theme)
                for text, place in zip(titles, (half / 2, 1 - half / 2), strict=True)
            ),
        ],
        legend={"y": 1.08},
        margin={"t": 36},
    )
    return figure


def _with(parts: Any, changes: dict[str, Any]) -> list[dict[str, Any]]:
    return [part.to_plotly_json() | changes for part in parts]


def _title(text: str, x: float, theme: Theme) -> dict[str, Any]:
    return {
        "text": f"<b>{text}</b>",
        "x": x,
        "y": 1.0,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "center",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 15, "color": theme.text},
    }
