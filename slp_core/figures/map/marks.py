"""The marks of a map as Plotly traces and shapes, as plain dicts."""

from __future__ import annotations

from typing import Any

import numpy as np

from slp_core.figures.map.data import MapData, MapLayers, MapPoints
from slp_core.figures.style.labels import place_names
from slp_core.figures.style.marks import INNER, OUTER, soft_label_ring
from slp_core.figures.style.text import shares, shortened, wrapped
from slp_core.figures.style.theme import Theme, class_style, with_opacity

Trace = dict[str, Any]

MOST_POINTS = 10_000  # query points drawn
_MOST_TEXTS = 2_000  # query points whose text is sent along for the hover
_USUAL_WIDTH = 600  # px, for what has to be laid out before the width is known


def query_traces(data: MapData, theme: Theme) -> list[Trace]:
    """The query points, small and translucent, by true class."""
    rows = thinned(data.query)
    points = data.query
    crowd = len(rows)
    size = 8.0 if crowd <= 300 else 7.0 if crowd <= 1_500 else 5.5
    opacity = 0.75 if crowd <= 300 else 0.6 if crowd <= 1_500 else 0.45
    traces = []
    for index in range(len(data.classes)):
        here = rows[points.true[rows] == index]
        if not len(here):
            continue
        style = class_style(index, theme)
        traces.append(
            dict(
                **_marks(data, points, here, "query point", crowd <= _MOST_TEXTS),
                legendgroup=f"class {index}",
                marker={
                    "color": style.color,
                    "symbol": style.symbol,
                    "size": size * style.scale,
                    "opacity": opacity,
                    "line": {"width": 0},
                },
                selected={"marker": {"opacity": opacity}},
                unselected={"marker": {"opacity": opacity}},
            )
        )
    return traces


def support_traces(data: MapData, theme: Theme) -> list[Trace]:
    """The support points, larger and outlined, by true class."""
    points = data.support
    size = 10.5 if len(points.points) <= 100 else 8.5
    traces = []
    for index in range(len(data.classes)):
        here = np.flatnonzero(points.true == index)
        if not len(here):
            continue
        style = class_style(index, theme)
        traces.append(
            dict(
                **_marks(data, points, here, "support point", True),
                legendgroup=f"class {index}",
                marker={
                    "color": style.color,
                    "symbol": style.symbol,
                    "size": size * style.scale,
                    "opacity": 1.0,
                    "line": {"color": theme.text, "width": size / 8},
                },
                selected={"marker": {"opacity": 1.0}},
                unselected={"marker": {"opacity": 1.0}},
            )
        )
    return traces


def error_traces(data: MapData, layers: MapLayers, theme: Theme) -> list[Trace]:
    """A ring in the colour of the answer around every point that was answered wrongly."""
    traces = []
    for points, rows, size, shown in (
        (data.query, thinned(data.query), 13.0, layers.query),
        (data.support, np.arange(len(data.support.points)), 17.0, layers.support),
    ):
        wrong = rows[points.true[rows] != points.predicted[rows]]
        if not shown or not len(wrong):
            continue
        for index in np.unique(points.predicted[wrong]):
            here = wrong[points.predicted[wrong] == index]
            x, y = points.points[here].astype(np.float32).T
            traces.append(
                {
                    "x": x,
                    "y": y,
                    "mode": "markers",
                    "hoverinfo": "skip",
                    "showlegend": False,
                    "marker": {
                        "symbol": "circle-open",
                        "size": size,
                        "color": class_style(int(index), theme).color,
                        "line": {"width": 1.8},
                        "opacity": 1.0,
                    },
                }
            )
    return traces


def unfaithful_traces(data: MapData, theme: Theme) -> list[Trace]:
    """A cross over every point at which the picture shows another answer than the method's."""
    if data.unfaithful is None or not len(data.unfaithful):
        return []
    x, y = np.asarray(data.unfaithful, dtype=np.float32).T
    mark = {"symbol": "x-thin", "size": 9, "line": {"width": 1.6, "color": theme.text}}
    return [
        {"x": x, "y": y, "mode": "markers", "hoverinfo": "skip", "showlegend": False}
        | {"marker": mark | {"color": theme.text, "opacity": 0.85}}
    ]


def line_traces(data: MapData, theme: Theme) -> list[Trace]:
    """Each line, a halo under it, and the threads from off-line centroids to where they stand."""
    path = _joined(data.lines)
    strokes = [(path, theme.background, 6.0, "solid"), (path, theme.text, 2.2, "solid")]
    if data.feet is not None:
        threads = np.stack([data.centroids, data.feet], axis=1)
        strokes.append((_joined(threads), theme.text, 1.6, "dot"))
    return [
        {
            "x": xy[:, 0],
            "y": xy[:, 1],
            "mode": "lines",
            "line": {"color": color, "width": width, "dash": dash},
            "opacity": 0.85,
            "hoverinfo": "skip",
            "showlegend": False,
        }
        for xy, color, width, dash in strokes
    ]


def prototype_traces(data: MapData, theme: Theme) -> list[Trace]:
    """The discs that rings stand on; they answer to the pointer with the soft label."""
    hover = np.array([text for _, text in _prototype_texts(data)], dtype=object)
    xy = data.prototypes.reshape(-1, 2).astype(np.float32)
    return [
        {
            "x": xy[:, 0],
            "y": xy[:, 1],
            "mode": "markers",
            "marker": {
                "symbol": "circle",
                "size": 2 * OUTER + 3,
                "color": theme.background,
                "opacity": 1.0,
                "line": {"width": 0},
            },
            "hovertext": hover,
            "hoverinfo": "text",
            "showlegend": False,
            "selected": {"marker": {"opacity": 1.0}},
            "unselected": {"marker": {"opacity": 1.0}},
        }
    ]


def rings(data: MapData, theme: Theme) -> list[dict[str, Any]]:
    """The prototypes' soft labels, as shapes."""
    return [
        shape
        for number in range(len(data.prototypes))
        for side in (0, 1)
        for shape in soft_label_ring(
            data.prototypes[number, side], data.soft_labels[number, side], theme, "prototypes"
        )
    ]


def _prototype_texts(data: MapData) -> list[tuple[int, str]]:
    """Of each prototype, line by line: the class whose centroid it stands on, and its words."""
    texts = []
    for number, ends in enumerate(data.prototypes):
        for side, end, label in zip(("left", "right"), ends, data.soft_labels[number], strict=True):
            at = int(np.argmin(np.linalg.norm(data.centroids - end, axis=1)))
            words = wrapped(shares(label, data.classes))
            texts.append((at, f"<b>{side} prototype of line {number + 1}</b><br>{words}"))
    return texts


def centroid_traces(data: MapData, layers: MapLayers, theme: Theme) -> list[Trace]:
    """Class symbols on a disc of background, small enough to stand inside a ring."""
    xy = data.centroids.astype(np.float32)
    styles = [class_style(k, theme) for k in range(len(data.classes))]
    texts = [f"<b>centroid of {shortened(name, 40)}</b>" for name in data.classes]
    if layers.prototypes:  # it lies on top of them, and answers for them too
        for at, text in _prototype_texts(data):
            texts[at] += f"<br>{text}"
    disc = {
        "x": xy[:, 0],
        "y": xy[:, 1],
        "mode": "markers",
        "marker": {
            "symbol": "circle",
            "size": 2 * INNER,
            "color": theme.background,
            "opacity": 1.0,
            "line": {"color": theme.text, "width": 1.2},
        },
        "hoverinfo": "skip",
        "showlegend": False,
    }
    symbols = {
        "x": xy[:, 0],
        "y": xy[:, 1],
        "mode": "markers",
        "marker": {
            "symbol": np.array([style.symbol for style in styles], dtype=object),
            "color": np.array([style.color for style in styles], dtype=object),
            "size": np.array([13 * style.scale for style in styles], dtype=np.float32),
            "opacity": 1.0,
            "line": {"width": 0},
        },
        "hovertext": np.array(texts, dtype=object),
        "hoverinfo": "text",
        "showlegend": False,
        "selected": {"marker": {"opacity": 1.0}},
        "unselected": {"marker": {"opacity": 1.0}},
    }
    return [disc, symbols]


def names(data: MapData, theme: Theme) -> list[dict[str, Any]]:
    """Class names beside their centroids, as many as fit a map of middling size."""
    size = 13 if len(data.classes) <= 6 else 11
    names = [shortened(name) for name in data.classes]
    extent = (
        np.ptp(data.landscape.x)
        if data.landscape is not None
        else np.ptp(np.concatenate([data.query.points, data.support.points])[:, 0])
    )
    unit = _USUAL_WIDTH / extent if extent > 0 else 1.0
    return [
        {
            "x": float(data.centroids[index, 0]),
            "y": float(data.centroids[index, 1]),
            "xshift": dx,
            "yshift": dy,
            "text": f"<b>{names[index]}</b>",
            "showarrow": False,
            "font": {"size": size, "color": theme.text},
            "bgcolor": with_opacity(theme.background, 0.78),
            "borderpad": 1,
            "captureevents": False,
        }
        for index, dx, dy in place_names(data.centroids, names, unit, size, OUTER + 2)
    ]


def _marks(
    data: MapData, points: MapPoints, rows: np.ndarray, what: str, texts: bool
) -> dict[str, Any]:
    """Places, ids and hover of some examples, as arguments of a trace."""
    x, y = points.points[rows].astype(np.float32).T
    names = [shortened(name, 40) for name in data.classes]
    hover = []
    for row in rows:
        true, answer = points.true[row], points.predicted[row]
        verdict = "answered right" if true == answer else f"answered <b>{names[answer]}</b>"
        head = f"{what} · <b>{names[true]}</b>, {verdict}"
        readable = texts and len(points.texts)
        hover.append(f"{head}<br>{wrapped(points.texts[row])}" if readable else head)
    return {
        "x": x,
        "y": y,
        "customdata": points.ids[rows].astype(np.int32),
        "mode": "markers",
        "hovertext": np.array(hover, dtype=object),
        "hoverinfo": "text",
        "showlegend": False,
    }


def thinned(points: MapPoints) -> np.ndarray:
    """Rows to draw: all, or evenly spaced ones where they are too many for a browser."""
    n = len(points.points)
    if n <= MOST_POINTS:
        return np.arange(n)
    return np.linspace(0, n - 1, MOST_POINTS).round().astype(np.int64)


def _joined(paths: Any) -> np.ndarray:
    """Paths one after another with a gap between: (s, 2) float32."""
    gap = np.full((1, 2), np.nan)
    parts = [part for path in paths for part in (path, gap)]
    return np.concatenate(parts or [gap]).astype(np.float32)


def borders(segments: np.ndarray, color: str, width: float) -> Trace:
    """Segments (s, 2, 2) as one broken line."""
    gaps = np.full((len(segments), 1, 2), np.nan, dtype=np.float32)
    xy = np.concatenate([segments, gaps], axis=1).reshape(-1, 2)
    return {
        "x": xy[:, 0],
        "y": xy[:, 1],
        "mode": "lines",
        "line": {"color": color, "width": width},
        "hoverinfo": "skip",
        "showlegend": False,
    }
