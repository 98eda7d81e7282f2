"""A result with everything that shows it: figure, table and words."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypeAlias

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.errors import SLPError
from slp_core.figures.style.theme import DARK, LIGHT, Theme

# The ring of the chosen point is no part of a figure: a chart that changes is drawn anew and loses
# its zoom, so a page lays the ring over it. Only a file has it in the figure itself.
_RADIUS, _TICK = 11.0, 5.0  # px: of the ring, and of the strokes that point at it
WIDTH, HALO = 2.6, 6.0  # px: of its line, and of the pale line under it


@dataclass(frozen=True)
class Spot:
    """Where a figure shows the chosen point, in the units of two of its axes."""

    x: float
    y: float
    xaxis: str = "x"
    yaxis: str = "y"
    small: bool = False  # one of those that go with the chosen one

    @property
    def path(self) -> str:
        """The ring as an SVG path in pixels, around the origin."""
        return _SMALL_RING if self.small else RING


def _circle(radius: float) -> str:
    turn = 2 * np.pi * np.arange(72) / 72  # Plotly knows no arcs
    circle = radius * np.column_stack([np.sin(turn), np.cos(turn)])
    return "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in circle) + "Z"


def _path() -> str:
    """A circle with four strokes outwards."""
    parts = [_circle(_RADIUS)]
    end = _RADIUS + _TICK
    for x, y in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        parts.append(f"M{x * _RADIUS:.1f},{y * _RADIUS:.1f}L{x * end:.1f},{y * end:.1f}")
    return "".join(parts)


RING = _path()
_SMALL_RING = _circle(0.6 * _RADIUS)


def with_ring(figure: go.Figure, ring: Sequence[Spot], theme: Theme) -> go.Figure:
    """A copy of a figure with the ring drawn into it."""
    copy = go.Figure(figure)
    for spot in ring:
        for color, width in ((theme.background, HALO), (theme.text, WIDTH)):
            copy.add_shape(
                type="path",
                path=spot.path,
                xref=spot.xaxis,
                yref=spot.yaxis,
                xsizemode="pixel",
                ysizemode="pixel",
                xanchor=spot.x,
                yanchor=spot.y,
                line={"color": color, "width": width},
                layer="above",
            )
    return copy


Scope: TypeAlias = Literal["draw", "draws", "predictions", "shots", "data", ""]
"""What some content depends on: one draw and method, all draws of a method, one draw whatever the
method, one number of shots whatever draw and method, the data and their encoder alone, or none of
these."""


@dataclass(frozen=True, eq=False)
class Display(ABC):
    """Base of the displays: frozen dataclasses of a result and the options of its drawing."""

    name: ClassVar[str]
    scope: ClassVar[Scope] = "draw"
    to_scale: ClassVar[bool] = False  # both axes have one scale: less wide, it is less high
    key: str = field(default="", kw_only=True)

    @abstractmethod
    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """Draw it."""

    def plot(self, theme: Literal["light", "dark"] = "light") -> go.Figure:
        """A Plotly figure on a light or a dark ground; a notebook shows it as a cell's result."""
        themes = {each.name: each for each in (LIGHT, DARK)}
        if theme not in themes:
            raise SLPError(f"theme {theme!r} is not one of {', '.join(themes)}.")
        return self.figure(themes[theme])

    @property
    def ring(self) -> tuple[Spot, ...]:
        """Where the chosen point stands, if one is chosen and this shows it."""
        return ()

    def thinned_text(self) -> str:
        """That not all points are drawn, where that is so; it stands below the figure."""
        return ""

    @abstractmethod
    def sentence(self) -> str:
        """What the figure shows, in Markdown: its alternative text."""

    @abstractmethod
    def table(self) -> pd.DataFrame:
        """The same content in rows."""
