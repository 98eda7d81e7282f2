"""Two maps side by side, each with its own landscape, points and prototypes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import plotly.graph_objects as go

from slp_core.figures.difference import DifferenceDisplay
from slp_core.figures.map.data import MapLayers
from slp_core.figures.map.figure import MapDisplay
from slp_core.figures.style.parts import ON_PAPER, note
from slp_core.figures.style.ring import Spot
from slp_core.figures.style.text import shortened
from slp_core.figures.style.theme import LIGHT, Theme

_GAP = 0.02  # between the two, of the width
_TITLE = 80  # letters of a map's


@dataclass(frozen=True, eq=False)
class MapPairDisplay(DifferenceDisplay):
    """Two maps as one figure; table and sentence say where their predictions differ."""

    titles: tuple[str, str] = ("", "")
    layers: MapLayers = field(default_factory=MapLayers)
    linked: bool = True

    @property
    def ring(self) -> tuple[Spot, ...]:
        """Around the selected row on either map."""
        if self.chosen is None:
            return ()
        places = self.first.place_of(self.chosen), self.second.place_of(self.chosen)
        return tuple(
            Spot(*place, *axes)
            for place, axes in zip(places, (("x", "y"), ("x2", "y2")), strict=True)
            if place is not None
        )

    def thinned_text(self) -> str:
        """How many of the query examples are drawn on each, where that is not all."""
        return MapDisplay(self.first, self.layers).thinned_text()

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """The second map on axes of its own, to the right of the first; one key for both."""
        left = MapDisplay(self.first, self.layers, height=560, uirevision="pair").figure(theme)
        right = MapDisplay(self.second, self.layers).figure(theme)
        marks = [trace for trace in right.data if trace.name is None]
        for trace in marks:
            trace.update(xaxis="x2", yaxis="y2")
        moved = {"xref": "x2", "yref": "y2"}
        half = (1 - _GAP) / 2
        axes = right.layout.to_plotly_json()
        x2 = axes["xaxis"] | {"domain": [half + _GAP, 1], "anchor": "y2"}
        x2["title"] = x2["title"] | {"text": _short(x2["title"]["text"])}
        y2 = axes["yaxis"] | {"anchor": "x2", "title": {"text": ""}}
        if "scaleanchor" in y2:
            y2["scaleanchor"] = "x2"
        if self.linked:
            x2, y2 = x2 | {"matches": "x"}, y2 | {"matches": "y"}
        titles = zip(self.titles, (half / 2, 1 - half / 2), strict=True)
        figure = go.Figure([*left.data, *marks], left.layout)
        figure.update_layout(
            xaxis={"domain": [0, half], "title": {"text": _short(left.layout.xaxis.title.text)}},
            xaxis2=x2,
            yaxis2=y2,
            shapes=[*left.layout.shapes, *_with(right.layout.shapes, moved)],
            images=[*left.layout.images, *_with(right.layout.images, moved)],
            annotations=[
                *left.layout.annotations,
                *_with(right.layout.annotations, moved),
                *(_title(text, place, theme) for text, place in titles),
            ],
            legend={"y": 1.12},
            margin={"t": 36},
        )
        return figure


def _with(parts: Any, changes: dict[str, Any]) -> list[dict[str, Any]]:
    return [part.to_plotly_json() | changes for part in parts]


def _title(text: str, x: float, theme: Theme) -> dict[str, Any]:
    place = ON_PAPER | {"xanchor": "center"}
    return note(f"<b>{shortened(text, _TITLE)}</b>", x, 1.0, theme.text, 13, **place)


def _short(axis_title: str) -> str:
    """As short as half of a narrow window is; the other axis has it whole."""
    return axis_title.removesuffix(" of variance")
