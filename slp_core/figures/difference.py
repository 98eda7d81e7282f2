"""Two methods on one map of where they differ, or on two maps side by side."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.explain.difference import (
    BOTH,
    NEITHER,
    ONLY_FIRST,
    ONLY_SECOND,
    Difference,
    difference_text,
)
from slp_core.figures.display import Display, Spot
from slp_core.figures.map.data import MapData, MapLayers
from slp_core.figures.map.figure import MapDisplay
from slp_core.figures.map.image import image_under, mask_png
from slp_core.figures.map.marks import MOST_TEXTS, thinned
from slp_core.figures.style.parts import ON_PAPER, example_marks, note, thinned_text
from slp_core.figures.style.text import example_hover, labels_of, shortened
from slp_core.figures.style.theme import LIGHT, Theme

_ORDER = (BOTH, NEITHER, ONLY_SECOND, ONLY_FIRST)  # the most telling last
_BARE = MapLayers(
    landscape=False, boundaries=False, query=False, support=False, lines=False, prototypes=False
)


@dataclass(frozen=True, eq=False)
class DifferenceDisplay(Display):
    """Query examples by which method is correct, over where the landscapes differ."""

    name = "comparison"
    first: MapData
    second: MapData
    difference: Difference
    chosen: int | None = field(default=None, kw_only=True)

    @property
    def ring(self) -> tuple[Spot, ...]:
        place = None if self.chosen is None else self.first.place_of(self.chosen)
        return () if place is None else (Spot(*place),)

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        figure = MapDisplay(self.first, _BARE, uirevision="difference").figure(theme)
        figure.data = [trace for trace in figure.data if trace.name is None]  # no key of classes
        figure.add_traces([self._outcome(kind, theme) for kind in _ORDER])
        ours, theirs = self.first.landscape, self.second.landscape
        if ours is not None and theirs is not None:
            mask = mask_png(ours.labels != theirs.labels, theme)
            figure.update_layout(images=[image_under(ours, mask)])
        return figure

    def table(self) -> pd.DataFrame:
        points, difference = self._points, self.difference
        names = np.array(self.first.classes, dtype=object)
        labels = np.array(difference.labels, dtype=object)
        columns = {
            "id": points["id"],
            "true": names[points["true"]],
            difference.first: names[points["predicted"]],
            difference.second: names[points["other"]],
            "correct": labels[points["outcome"]],
        }
        texts = self.first.texts
        return pd.DataFrame(
            columns | ({"text": [texts[row] for row in points["id"]]} if len(texts) else {})
        )

    def sentence(self) -> str:
        return difference_text(self.difference)

    def thinned_text(self) -> str:
        query = self.first.query
        return thinned_text(len(thinned(query)), len(query))

    @property
    def _points(self) -> pd.DataFrame:
        """The query examples with the second prediction and the outcome."""
        other = self.second.query["predicted"].to_numpy()
        return self.first.query.assign(other=other, outcome=self.difference.outcome)

    def _outcome(self, kind: int, theme: Theme) -> dict[str, Any]:
        difference, points = self.difference, thinned(self._points)
        here = points[points["outcome"] == kind]
        marker = {
            BOTH: {"symbol": "circle", "size": 6, "color": theme.muted, "opacity": 0.45},
            NEITHER: {"symbol": "x-thin", "size": 7, "opacity": 0.8}
            | {"line": {"width": 1.5, "color": theme.muted}},
            ONLY_FIRST: {"symbol": "triangle-up", "size": 11, "color": theme.correct},
            ONLY_SECOND: {"symbol": "triangle-down", "size": 11, "color": theme.wrong},
        }[kind]
        hover = [self._hover(point) for point in here.itertuples()]
        name = f"{shortened(difference.labels[kind], 60)} ({difference.counts[kind]:,})"
        key = {"name": name, "showlegend": True}
        return example_marks(here[["x", "y"]], here["id"], hover, marker, **key)

    def _hover(self, point: Any) -> str:
        names, texts = labels_of(self.first.classes, 40), self.first.texts
        one, other = (
            shortened(name, 40) for name in (self.difference.first, self.difference.second)
        )
        readable = len(texts) and len(self.first.query) <= MOST_TEXTS
        return example_hover(
            names[point.true],
            names[point.predicted],
            texts[point.id] if readable else "",
            f" by {one}, <b>{names[point.other]}</b> by {other}",
        )


_GAP = 0.04  # between the two, of the width of one
_TITLE = 80  # letters of a map's


@dataclass(frozen=True, eq=False)
class MapPairDisplay(DifferenceDisplay):
    """Two maps as one figure; table and sentence say where their predictions differ."""

    titles: tuple[str, str] = ("", "")
    layers: MapLayers = field(default_factory=MapLayers)
    linked: bool = True

    @property
    def ring(self) -> tuple[Spot, ...]:
        if self.chosen is None:
            return ()
        places = self.first.place_of(self.chosen), self.second.place_of(self.chosen)
        return tuple(
            Spot(*place, *axes)
            for place, axes in zip(places, (("x", "y"), ("x2", "y2")), strict=True)
            if place is not None
        )

    def thinned_text(self) -> str:
        return MapDisplay(self.first, self.layers).thinned_text()

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        left = MapDisplay(self.first, self.layers, height=560, uirevision="pair").figure(theme)
        right = MapDisplay(self.second, self.layers).figure(theme)
        marks = [trace for trace in right.data if trace.name is None]
        for trace in marks:
            trace.update(xaxis="x2", yaxis="y2")
        moved = {"xref": "x2", "yref": "y2"}
        axes, linked = right.layout.to_plotly_json(), self.linked
        x2 = axes["xaxis"] | ({"matches": "x"} if linked else {})
        y2 = axes["yaxis"] | ({"matches": "y"} if linked else {})
        titles = zip(self.titles, ("x domain", "x2 domain"), strict=True)
        figure = go.Figure([*left.data, *marks], left.layout)
        figure.update_layout(
            grid={"rows": 1, "columns": 2, "pattern": "independent", "xgap": _GAP},
            xaxis2=x2,
            yaxis2=y2 | {"scaleanchor": "x2", "title": {"text": ""}},
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
        # A short name for half of a narrow window
        figure.for_each_xaxis(
            lambda x: x.update(title_text=x.title.text.removesuffix(" of variance"))
        )
        return figure


def _with(parts: Any, changes: dict[str, Any]) -> list[dict[str, Any]]:
    return [part.to_plotly_json() | changes for part in parts]


def _title(text: str, xref: str, theme: Theme) -> dict[str, Any]:
    place = ON_PAPER | {"xref": xref, "xanchor": "center"}
    return note(f"<b>{shortened(text, _TITLE)}</b>", 0.5, 1.0, theme.text, 13, **place)
