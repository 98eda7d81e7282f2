"""The map's legend: classes, and the other marks."""

from __future__ import annotations

from typing import Any

from slp_core.figures.map.data import MapData, MapLayers
from slp_core.figures.map.marks import Trace
from slp_core.figures.style.parts import class_marker, legend_key
from slp_core.figures.style.text import labels_of
from slp_core.figures.style.theme import Theme

NAME = 24  # letters of a class's name, at most
SIZE = 14  # of these letters
SHARE = 0.3  # of a map's height, at most: a key of more shows a part, and scrolls


def class_key(data: MapData, theme: Theme) -> list[Trace]:
    """One legend entry a class, which shows and hides all that is drawn of it."""
    return [
        legend_key(name, class_marker(index, theme, 11), legendgroup=f"class {index}")
        for index, name in enumerate(labels_of(data.classes, NAME))
    ]


def mark_key(layers: MapLayers, theme: Theme) -> list[Trace]:
    """Marks that are not classes."""
    grey, dark = {"color": theme.muted}, {"color": theme.text}
    wrong = {**grey, "symbol": "circle-open-dot", "size": 12, "line": {"width": 1.8}}
    thick = {**grey, "symbol": "circle-open", "size": 13, "line": {"width": 4}}
    ring = {**dark, "symbol": "circle-open", "size": 14, "line": {"width": 2.4}}
    cross = dark | {"symbol": "x-thin", "size": 9, "line": {"width": 1.6, **dark}}
    disc = {"color": theme.background, "size": 13, "line": {"width": 1.2, **dark}}
    entries: list[tuple[bool, str, dict[str, Any]]] = [
        (layers.support, "support", grey | {"size": 10, "line": {"width": 1.3, **dark}}),
        (layers.query, "query", grey | {"size": 7, "opacity": 0.7}),
        (layers.errors, "misclassified (outline: prediction)", wrong),
        (layers.disagreeing, "projection disagrees", cross),
        (layers.centroids, "centroid", disc),
        (layers.prototypes, "prototype (ring: soft label)", thick),
        (layers.chosen, "selected", ring),
    ]
    return [legend_key(name, marker, legend="legend2") for shown, name, marker in entries if shown]
