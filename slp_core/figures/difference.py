"""One map of where two methods differ: the landscape, and who is right at each query point."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.explain.difference import BOTH, NEITHER, ONLY_FIRST, ONLY_SECOND, Difference
from slp_core.figures.map.data import MapData, MapLayers
from slp_core.figures.map.figure import image_under, map_figure
from slp_core.figures.map.image import mask_png
from slp_core.figures.map.marks import thinned
from slp_core.figures.style.text import shortened, wrapped
from slp_core.figures.style.theme import LIGHT, Theme

_MOST_TEXTS = 2_000  # query points whose text is sent along for the hover


def difference_figure(
    first: MapData,
    second: MapData,
    difference: Difference,
    theme: Theme = LIGHT,
    height: int = 620,
    uirevision: str = "difference",
) -> go.Figure:
    """Draw the query points by who is right, on the places where the landscapes differ.

    Parameters
    ----------
    first, second : MapData
        On the same picture.
    difference : Difference
        Of their query points.
    theme : Theme
    height : int
        Pixels.
    uirevision : str
        As in ``map_figure``.
    """
    bare = MapLayers(
        landscape=False, boundaries=False, query=False, support=False, lines=False, prototypes=False
    )
    figure = map_figure(first, bare, theme, height=height, uirevision=uirevision)
    figure.data = [trace for trace in figure.data if trace.name is None]  # no key of classes
    figure.add_traces([_outcome(first, second, difference, kind, theme) for kind in _ORDER])
    if (image := _differing(first, second, theme)) is not None:
        figure.update_layout(images=[image])
    return figure


def difference_table(first: MapData, second: MapData, difference: Difference) -> pd.DataFrame:
    """One row a query point: ``id``, ``true``, both answers, ``who is right``, ``text``."""
    names = np.array(first.classes, dtype=object)
    table = pd.DataFrame(
        {
            "id": first.query.ids,
            "true": names[first.query.true],
            difference.first: names[first.query.predicted],
            difference.second: names[second.query.predicted],
            "who is right": np.array(difference.labels, dtype=object)[difference.outcome],
        }
    )
    if len(first.query.texts):
        table["text"] = list(first.query.texts)
    return table


_ORDER = (BOTH, NEITHER, ONLY_SECOND, ONLY_FIRST)  # what tells most is drawn last


def _outcome(
    first: MapData, second: MapData, difference: Difference, kind: int, theme: Theme
) -> dict[str, Any]:
    rows = thinned(first.query)
    here = rows[difference.outcome[rows] == kind]
    x, y = first.query.points[here].astype(np.float32).T
    marker = {
        BOTH: {"symbol": "circle", "size": 6, "color": theme.muted, "opacity": 0.45},
        NEITHER: {"symbol": "x-thin", "size": 7, "opacity": 0.8}
        | {"line": {"width": 1.5, "color": theme.muted}},
        ONLY_FIRST: {"symbol": "triangle-up", "size": 11, "color": theme.right},
        ONLY_SECOND: {"symbol": "triangle-down", "size": 11, "color": theme.wrong},
    }[kind]
    count = difference.counts[kind]
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "mode": "markers",
        "name": f"{difference.labels[kind]} ({count:,})",
        "customdata": first.query.ids[here].astype(np.int32),
        "hovertext": _hover(first, second, difference, here),
        "hoverinfo": "text",
        "marker": marker,
        "selected": {"marker": {"opacity": marker.get("opacity", 1.0)}},
        "unselected": {"marker": {"opacity": marker.get("opacity", 1.0)}},
    }


def _hover(first: MapData, second: MapData, difference: Difference, rows: np.ndarray) -> np.ndarray:
    names = [shortened(name, 40) for name in first.classes]
    texts = first.query.texts if len(first.query.points) <= _MOST_TEXTS else ()
    found = []
    for row in rows:
        true, mine, theirs = (
            names[one[row]]
            for one in (first.query.true, first.query.predicted, second.query.predicted)
        )
        head = (
            f"<b>{true}</b>; {difference.first}: <b>{mine}</b>, "
            f"{difference.second}: <b>{theirs}</b>"
        )
        found.append(f"{head}<br>{wrapped(texts[row])}" if len(texts) else head)
    return np.array(found, dtype=object)


def _differing(first: MapData, second: MapData, theme: Theme) -> dict[str, Any] | None:
    """Where the two landscapes show different classes, as an image under the points."""
    ours, theirs = first.landscape, second.landscape
    if ours is None or theirs is None:
        return None
    return image_under(ours, mask_png(ours.labels != theirs.labels, theme))
