"""The map's colour key: classes, and what the other marks are."""

from __future__ import annotations

from typing import Any

import numpy as np

from slp_core.figures.map.data import MapData, MapLayers
from slp_core.figures.map.marks import Trace
from slp_core.figures.style.text import shortened
from slp_core.figures.style.theme import Theme, class_style


def class_key(data: MapData, theme: Theme) -> list[Trace]:
    """One legend entry a class, which shows and hides all that is drawn of it."""
    return [
        _key(
            shortened(name, 24),
            {"color": style.color, "symbol": style.symbol, "size": 11 * style.scale},
            legendgroup=f"class {index}",
        )
        for index, name in enumerate(data.classes)
        for style in [class_style(index, theme)]
    ]


def mark_key(layers: MapLayers, theme: Theme) -> list[Trace]:
    """What the marks are that are not classes."""
    grey = theme.muted
    outline = {"color": theme.text, "width": 1.3}
    entries = [
        (layers.support, "support", {"color": grey, "size": 10, "line": outline}),
        (layers.query, "query", {"color": grey, "size": 7, "opacity": 0.7}),
        (
            layers.errors,
            "wrong, in the answer’s colour",
            {"color": grey, "size": 12, "symbol": "circle-open", "line": {"width": 1.8}},
        ),
        (
            layers.disagreeing,
            "picture and method disagree",
            {"color": theme.text, "size": 9, "symbol": "x-thin"}
            | {"line": {"width": 1.6, "color": theme.text}},
        ),
        (
            layers.centroids,
            "centroid",
            {"color": theme.background, "size": 13, "line": {"color": theme.text, "width": 1.2}},
        ),
        (
            layers.prototypes,
            "prototype: ring of its soft label",
            {"color": grey, "size": 13, "symbol": "circle-open", "line": {"width": 4}},
        ),
    ]
    return [_key(name, marker, legend="legend2") for shown, name, marker in entries if shown]


def _key(name: str, marker: dict[str, Any], **trace: Any) -> Trace:
    nowhere = np.array([np.nan], dtype=np.float32)
    return dict(
        x=nowhere, y=nowhere, mode="markers", name=name, marker=marker, hoverinfo="skip", **trace
    )
