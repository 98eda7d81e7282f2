"""A training run while it goes on, as a picture that takes the last one's place at once.

A Plotly figure that changes is taken away and mounted anew by the page, several times a second
here; an image stays until the next one is there. It has what :mod:`slp_core.figures.scrubber` shows
of an epoch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from html import escape, unescape
from itertools import pairwise

import numpy as np

from slp_core.figures.scrubber import (
    Stage,
    drawn_marks,
    drawn_rows,
    percent_range,
    prototype_places,
)
from slp_core.figures.style.text import labels_of, shortened
from slp_core.figures.style.theme import LIGHT, Theme, blend, class_style
from slp_core.methods.training import Curves
from slp_core.views.epochs import EpochPicture
from slp_core.views.regions import outline

_WIDTH, _MAP = 1_000, 500  # units of the picture: the whole, and the landscape
_LEFT, _RIGHT = 690, 985  # ends of the curves and bars
_LETTER = 10.5  # typical width
_ROW = 30  # of the key


def live_svg(stage: Stage, curves: Curves, picture: EpochPicture, theme: Theme = LIGHT) -> str:
    """Landscape, curves and soft labels of an epoch, as the text of an SVG.

    Parameters
    ----------
    stage : Stage
    curves : Curves
    picture : EpochPicture
    theme : Theme
    """
    key, top = _key(stage, theme)
    x, y = picture.x, picture.y
    scale = _MAP / (x[-1] - x[0])
    high = float(scale * (y[-1] - y[0]))

    def place(points: np.ndarray) -> np.ndarray:
        """(n, 2) of the plane on the picture."""
        shifted = (points - (x[0], y[-1])) * (scale, -scale)
        shifted[:, 1] += top
        return shifted

    height = top + max(high, 400)
    body = [
        *key,
        f'<clipPath id="map"><rect y="{top}" width="{_MAP}" height="{high:.1f}"/></clipPath>',
        '<g clip-path="url(#map)">',
        *_regions(stage, picture, place, theme),
        *_marks(stage, place, theme),
        "</g>",
        *_curves(stage, curves, top, theme),
        *_bars(stage, picture, top + 270, height - 20, theme),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height:.0f}" '
        f'width="{_WIDTH}" font-family="sans-serif" font-size="13">'
        f'<rect width="100%" height="100%" fill="{theme.background}"/>{"".join(body)}</svg>'
    )


def _key(stage: Stage, theme: Theme) -> tuple[list[str], float]:
    """The classes' marks with their names, then what the marks are, and how far down they reach."""
    styles = [class_style(k, theme) for k in range(len(stage.classes))]
    names = labels_of(stage.classes, 24)
    disc = f'stroke="{theme.text}" stroke-width="1.4"'
    kinds = {"query": (4, theme.muted, ""), "centroid": (8, theme.background, disc)}
    parts, x, y = [], 4.0, 20.0
    for place, word in enumerate([*names, *drawn_marks(stage)]):
        wide = 46 + _LETTER * len(word)
        if x > 4 and x + wide > _WIDTH:
            x, y = 4.0, y + _ROW
        if place < len(styles):
            mark = _text(styles[place].character, x, y, styles[place].color, 22)
        else:
            radius, color, edge = kinds[word]
            at = f'cx="{x + 9:.1f}" cy="{y - 6:.1f}" r="{radius}"'
            mark = f'<circle {at} fill="{color}" {edge}/>'
        parts += [mark, _text(word, x + 24, y, theme.text)]
        x += wide
    return parts, y + 16


def _regions(
    stage: Stage, picture: EpochPicture, place: Callable[[np.ndarray], np.ndarray], theme: Theme
) -> Iterable[str]:
    step = np.array([picture.x[1] - picture.x[0], picture.y[1] - picture.y[0]])
    start = np.array([picture.x[0], picture.y[0]])
    for k in range(len(stage.classes)):
        corners = place(start + (outline(picture.labels == k) - 0.5) * step)
        shade = blend(class_style(k, theme).color, theme.background, 0.32)
        gaps = np.flatnonzero(np.isnan(corners[:, 0]))
        loops = [loop[~np.isnan(loop[:, 0])] for loop in np.split(corners, gaps)]
        path = "".join(f"M{_points(loop)}Z" for loop in loops if len(loop))
        yield f'<path d="{path}" fill="{shade}" stroke="{shade}"/>'


def _marks(stage: Stage, place: Callable[[np.ndarray], np.ndarray], theme: Theme) -> Iterable[str]:
    middle = 'text-anchor="middle" dominant-baseline="central"'
    rows = drawn_rows(stage)
    for (x, y), k in zip(place(stage.points[rows]), stage.true[rows], strict=True):
        style = class_style(int(k), theme)
        yield _text(style.character, x, y, style.color, 15, middle)
    for k, (x, y) in enumerate(place(stage.centroids)):
        style = class_style(k, theme)
        edge = f'{middle} stroke="{theme.text}" stroke-width="1.4" paint-order="stroke"'
        yield _text(style.character, x, y, style.color, 32, edge)


def _curves(stage: Stage, curves: Curves, top: float, theme: Theme) -> Iterable[str]:
    """Accuracies above, the loss below, over the epochs so far."""
    low, high = percent_range(stage, curves)
    most = max(float(np.nanmax(curves.loss, initial=0.0)), 1e-9)
    last = max(int(curves.epoch[-1]), 2)
    across = _LEFT + (curves.epoch - 1) / (last - 1) * (_RIGHT - _LEFT)

    def percent(share: np.ndarray | float) -> np.ndarray:
        return top + 150 * (high - 100 * np.asarray(share)) / (high - low)

    ordered = sorted(stage.references.items(), key=lambda item: -item[1])
    for (name, share), dash, below in zip(ordered, ("2 4", "8 3 2 3"), (-4, 15), strict=False):
        y = float(percent(share))
        yield _line([(_LEFT, y), (_RIGHT, y)], theme.muted, 1, dash)
        yield _text(shortened(name, 26), _LEFT + 2, y + below, theme.muted, 15)
    yield _line(np.column_stack([across, percent(curves.support)]), theme.muted, 2, "7 5")
    yield _line(np.column_stack([across, percent(curves.query)]), theme.right, 2.4)
    down = top + 235 - 65 * curves.loss / most
    yield _line(np.column_stack([across, down]), theme.wrong, 2.4)
    end = 'text-anchor="end"'
    for mark in (min(math.floor(high), 100), math.ceil(low)):  # whole ones that can be reached
        yield _text(f"{mark}%", _LEFT - 6, float(percent(mark / 100)) + 5, theme.muted, 15, end)
    words = (
        ("% right", 80, theme.muted),
        ("query", 100, theme.right),
        ("support, dashed", 118, theme.muted),
        ("loss", 205, theme.wrong),
    )
    for word, below_top, color in words:
        yield _text(word, _LEFT - 50, top + below_top, color, 16, end)
    yield _text(f"epoch {curves.epoch[-1]}", _RIGHT, top + 250, theme.muted, 16, end)


def _bars(
    stage: Stage, picture: EpochPicture, top: float, bottom: float, theme: Theme
) -> Iterable[str]:
    """The mean soft labels, a row a prototype."""
    names = [" ".join(words) for words in prototype_places(stage, theme)]
    step = min((bottom - top) / len(names), 50)
    for row, (name, label) in enumerate(zip(names, picture.soft_labels, strict=True)):
        y = top + row * step
        if step > 12:
            end = 'text-anchor="end" dominant-baseline="central"'
            yield _text(name, _LEFT - 6, y + 0.4 * step, theme.text, 15, end)
        ends = _LEFT + (_RIGHT - _LEFT) * np.concatenate([[0.0], np.cumsum(label)])
        for k, (left, right) in enumerate(pairwise(ends.tolist())):
            yield (
                f'<rect x="{left:.1f}" y="{y:.1f}" width="{max(right - left, 0):.1f}" '
                f'height="{0.8 * step:.1f}" fill="{class_style(k, theme).color}"/>'
            )
    yield _text(
        "mean soft label of the support points",
        _LEFT,
        top + step * len(names) + 16,
        theme.muted,
        16,
    )


def _line(
    points: Sequence[tuple[float, float]] | np.ndarray, color: str, width: float, dash: str = ""
) -> str:
    known = np.asarray(points)[~np.isnan(np.asarray(points)[:, 1])]
    if not len(known):
        return ""
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<path d="M{_points(known)}" fill="none" stroke="{color}" stroke-width="{width}"{dashes}/>'
    )


def _points(points: np.ndarray) -> str:
    return "L".join(f"{x:.1f},{y:.1f}" for x, y in points.tolist())


def _text(text: str, x: float, y: float, color: str, size: float = 18, more: str = "") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" fill="{color}" font-size="{size}"'
    # Labels of classes are escaped already, for Plotly.
    return f"<text {place} {more}>{escape(unescape(text))}</text>"
