"""The marks of a map, and its keys, as Plotly traces and shapes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import Any

import numpy as np
import pandas as pd

from slp_core.figures.map.data import MapData, MapLayers
from slp_core.figures.style.parts import (
    SILENT,
    broken,
    class_markers,
    example_marks,
    hovered,
    legend_key,
    marker,
    note,
    scatter,
    spaced,
)
from slp_core.figures.style.text import (
    HOVERED,
    example_hover,
    labels_of,
    place_names,
    shares,
    wrapped,
)
from slp_core.figures.style.theme import Theme, class_style, with_opacity
from slp_core.markdown import isolated

Trace = dict[str, Any]

# Query examples drawn: as SVG, since some browsers have no WebGL, a school's or a remote desktop's
# above all.
MOST_POINTS = 4_000
MOST_KEYED = 40  # classes: a key of more is not read, and takes a browser seconds
MOST_TEXTS = 2_000  # query examples whose text is sent along for the hover
# For what has to be laid out before the width is known: px, width over height of a picture, and px
# that keys and axes take of the height.
_USUAL_WIDTH, _ASPECT, FRAME = 600, 1.15, 130


def query_traces(data: MapData, theme: Theme) -> list[Trace]:
    """Query examples, small and translucent, by true label."""
    points = thinned(data.query)
    crowd = len(points)
    size, opacity = (8.0, 0.75) if crowd <= 300 else (7.0, 0.6) if crowd <= 1_500 else (5.5, 0.45)
    look = {"opacity": opacity, "line": {"width": 0}}
    texts = data.texts if crowd <= MOST_TEXTS else ()
    return _by_class(data, points, "query example", texts, size, look, theme)


def support_traces(data: MapData, theme: Theme) -> list[Trace]:
    """Support examples, larger and outlined, by true label."""
    size = 10.5 if len(data.support) <= 100 else 8.5
    look = {"opacity": 1.0, "line": {"color": theme.text, "width": size / 8}}
    return _by_class(data, data.support, "support example", data.texts, size, look, theme)


def error_traces(data: MapData, layers: MapLayers, theme: Theme) -> list[Trace]:
    """A ring in the predicted class's colour around every misclassified example."""
    traces, alone = [], not (layers.query or layers.support)
    for points, size, shown in (
        (thinned(data.query), 13.0, layers.query),
        (data.support, 17.0, layers.support),
    ):
        if not (shown or alone):
            continue
        wrong = points[points["true"] != points["predicted"]]
        k: Any
        for k, here in wrong.groupby("predicted"):
            ring = {"symbol": "circle-open", "size": size, "line": {"width": 1.8}, "opacity": 1.0}
            ring["color"] = class_style(k, theme).color
            traces.append(markers(here[["x", "y"]].to_numpy(), ring))
    return traces


def disagreement_traces(data: MapData, theme: Theme) -> list[Trace]:
    """A cross over every example at which the landscape does not show the prediction."""
    if data.disagreeing is None or not len(data.disagreeing):
        return []
    cross = {"symbol": "x-thin", "size": 9, "line": {"width": 1.6, "color": theme.text}}
    return [markers(data.disagreeing, cross | {"color": theme.text, "opacity": 0.85})]


def line_traces(data: MapData, theme: Theme) -> list[Trace]:
    """Each line, a halo under it, and the threads from off-line centroids to where they stand."""
    if not len(data.lines):
        return []
    paths = np.array(data.lines)
    traces = [broken(paths, theme.background, 6.0), broken(paths, theme.text, 2.2)]
    if data.feet is not None:
        threads = np.stack([data.centroids, data.feet], axis=1)
        traces.append(broken(threads, theme.text, 1.6, "dot"))
    return [trace | {"opacity": 0.85} for trace in traces]


def prototype_traces(data: MapData, theme: Theme) -> list[Trace]:
    """The discs under the rings; on hover they show the soft label."""
    disc = _disc(2 * OUTER + 3, theme) | {"line": {"width": 0}}
    hover = [text for _, text in _prototype_texts(data)]
    return [markers(data.prototypes.reshape(-1, 2), disc, hover)]


def rings(data: MapData, theme: Theme) -> list[dict[str, Any]]:
    """The prototypes' soft labels, as shapes."""
    return [
        shape
        for number in range(len(data.prototypes))
        for side in (0, 1)
        for shape in _ring(data.prototypes[number, side], data.soft_labels[number, side], theme)
    ]


def _prototype_texts(data: MapData) -> list[tuple[int, str]]:
    """Of each prototype, line by line: the class of the nearest centroid, and its text."""
    texts = []
    for number, ends in enumerate(data.prototypes):
        for side, end, label in zip("AB", ends, data.soft_labels[number], strict=True):
            at = int(np.argmin(np.linalg.norm(data.centroids - end, axis=1)))
            words = wrapped(shares(label, data.classes, isolated))
            texts.append((at, f"<b>prototype {side} of line {number + 1}</b><br>{words}"))
    return texts


def centroid_traces(data: MapData, layers: MapLayers, theme: Theme) -> list[Trace]:
    """Class symbols on a disc of background, small enough to stand inside a ring."""
    texts = [f"<b>centroid of {wrapped(name)}</b>" for name in data.classes]
    if layers.prototypes:  # it lies on top of them, and is their tooltip, too
        for at, text in _prototype_texts(data):
            texts[at] += f"<br>{text}"
    disc = _disc(2 * INNER, theme) | {"line": {"color": theme.text, "width": 1.2}}
    symbols = class_markers(range(len(data.classes)), theme, 13, {"width": 0})
    return [markers(data.centroids, disc), markers(data.centroids, symbols, texts)]


def names(data: MapData, theme: Theme, height: int) -> list[dict[str, Any]]:
    """Class names beside their centroids, as many as fit a map of this height in pixels."""
    size = 13 if len(data.classes) <= 6 else 11
    names = list(labels_of(data.classes))
    a, b = data.prototypes[..., 0].T
    if (a > b).any():  # a plane is mirrored for the first line only: ends are named
        for side, (at, _) in zip(cycle("AB"), _prototype_texts(data), strict=False):
            names[at] += f" · {side}"
    points = pd.concat([data.query, data.support])[["x", "y"]].to_numpy()
    grid = data.landscape
    shown = points if grid is None else np.column_stack([grid.x, grid.y])
    frame = np.array([shown.min(axis=0), shown.max(axis=0)])
    extent = frame[1, 0] - frame[0, 0]
    # The axes have equal units: a low map is a narrow one.
    width = min(_USUAL_WIDTH, _ASPECT * (height - FRAME))
    unit = width / extent if extent > 0 else 1.0
    pale = with_opacity(theme.background, 0.78)
    look = {"bgcolor": pale, "borderpad": 1, "captureevents": False, "name": "class name"}
    return [
        note(f"<b>{names[index]}</b>", float(x), float(y), theme.text, size)
        | {"xshift": dx, "yshift": dy, **look}
        for index, dx, dy in place_names(
            data.centroids, names, unit, size, OUTER + 2, points, frame
        )
        for x, y in [data.centroids[index]]
    ]


def markers(
    points: np.ndarray, marker: dict[str, Any], hover: Sequence[str] | None = None
) -> Trace:
    """Marks at (n, 2) positions, with or without a text on hover."""
    words = SILENT if hover is None else hovered(hover) | {"showlegend": False}
    return scatter(points[:, 0], points[:, 1], "markers", marker=marker, **words)


def thinned(points: pd.DataFrame) -> pd.DataFrame:
    """Those to draw: all, or evenly spaced ones where they are too many for a browser."""
    return points.iloc[spaced(np.arange(len(points)), MOST_POINTS)]


def borders(segments: np.ndarray, color: str, width: float) -> dict[str, Any]:
    """Segments (s, 2, 2) as one shape: each piece of a line is an element of the page."""
    ends = segments.reshape(-1, 4).tolist()
    path = "".join(f"M{x:.6g},{y:.6g}L{to_x:.6g},{to_y:.6g}" for x, y, to_x, to_y in ends)
    line = {"color": color, "width": width}
    return {"type": "path", "path": path, "line": line, "layer": "between"}


def _by_class(
    data: MapData,
    points: pd.DataFrame,
    what: str,
    texts: Sequence[str],
    size: float,
    look: dict[str, Any],
    theme: Theme,
) -> list[Trace]:
    """Points in the colours and shapes of their true classes; a trace a class of the key."""
    names = *labels_of(data.classes, HOVERED), ""  # the last of −1: not said

    def trace(here: pd.DataFrame, mark: dict[str, Any]) -> Trace:
        hover = [
            f"{what} · {example_hover(names[t], names[p], texts[row] if len(texts) else '')}"
            for t, p, row in zip(here["true"], here["predicted"], here["id"], strict=True)
        ]
        return example_marks(here[["x", "y"]], here["id"], hover, mark | look)

    if len(data.classes) > MOST_KEYED:
        marks = class_markers(points["true"], theme, size, {})
        return [trace(points, marks)] if len(points) else []
    return [
        trace(points[points["true"] == k], marker(class_style(k, theme), size))
        | {"legendgroup": f"class {k}"}
        for k in sorted(set(points["true"]))
    ]


def _disc(size: float, theme: Theme) -> dict[str, Any]:
    return {"symbol": "circle", "size": size, "color": theme.background, "opacity": 1.0}


OUTER, INNER = 16.0, 11.0  # px
_SMALLEST = 0.005  # a share below this is not seen


def _ring(point: np.ndarray, soft_label: np.ndarray, theme: Theme) -> list[dict[str, Any]]:
    """Plotly shapes of a ring around a point, cut clockwise from the top into class shares."""
    shown = np.flatnonzero(soft_label > _SMALLEST)
    shares = soft_label[shown] / soft_label[shown].sum()
    ends = np.cumsum(shares)
    return [
        {
            "type": "path",
            "path": _sector(end - share, end),
            "xref": "x",
            "yref": "y",
            "xsizemode": "pixel",
            "ysizemode": "pixel",
            "xanchor": float(point[0]),
            "yanchor": float(point[1]),
            "fillcolor": class_style(int(index), theme).color,
            "line": {"color": theme.background, "width": 1},
            "layer": "above",
            "legendgroup": "prototypes",
            "name": "prototypes",
        }
        for index, share, end in zip(shown, shares, ends, strict=True)
    ]


def _sector(start: float, end: float) -> str:
    """SVG path of a piece of the ring, in pixels; turns are counted clockwise from the top."""
    # Plotly knows no arcs: 5° steps look round at this size.
    steps = max(2, int(np.ceil((end - start) * 72)) + 1)
    turn = 2 * np.pi * np.linspace(start, end, steps)
    arc = np.column_stack([np.sin(turn), np.cos(turn)])
    outline = np.concatenate([OUTER * arc, INNER * arc[::-1]])
    return "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in outline) + "Z"


NAME = 24  # letters of a class's name, at most
SIZE = 14  # of these letters
SHARE = 0.3  # of a map's height, at most: a key of more shows a part, and scrolls


def class_key(data: MapData, theme: Theme) -> list[Trace]:
    """One legend entry a class, which shows and hides all that is drawn of it."""
    if len(data.classes) > MOST_KEYED:
        return []
    return [
        legend_key(name, marker(class_style(index, theme), 11), legendgroup=f"class {index}")
        for index, name in enumerate(labels_of(data.classes, NAME))
    ]


def mark_key(data: MapData, layers: MapLayers, theme: Theme) -> list[Trace]:
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
        (layers.prototypes and len(data.prototypes) > 0, "prototype", thick),
        (layers.chosen and not layers.typed, "selected", ring),
        (layers.typed, "selected, your text", ring),
        (layers.changed, "prediction changes", ring | {"size": 9}),
    ]
    return [legend_key(name, marker, legend="legend2") for shown, name, marker in entries if shown]
