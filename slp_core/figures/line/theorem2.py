"""Theorem 2 drawn: where a line predicts another class than that of the nearest centroid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.explain.theorem2 import Turn, crossed_beyond
from slp_core.figures.line.half_plane import HalfPlaneDisplay
from slp_core.figures.style.parts import SILENT, scatter, stroke
from slp_core.figures.style.theme import LIGHT, Theme, with_opacity
from slp_core.sentences import class_names

_STEPS = 120  # over t, between two neighbours' middles


@dataclass(frozen=True, eq=False)
class Theorem2Display(HalfPlaneDisplay):
    """The half-plane of a line with the region of Theorem 2 hatched, and its points strong."""

    name = "theorem 2"
    ends: tuple[float, float] | None = None  # what the axis calls t = 0 and t = length

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """The half-plane over the hatched region."""
        base = super().figure(theme)
        bands, line = self.bands, self.line
        low, high = base.layout.xaxis.range
        far = 10 * (high - low + base.layout.yaxis.range[1])
        middles = (line.positions[:-1] + line.positions[1:]) / 2
        borders = [-far, *middles.tolist(), far]
        hatched: list[dict[str, Any]] = []
        for k, left, right in zip(line.classes, borders[:-1], borders[1:], strict=True):
            # Far out in t nothing bends any more: steps are spent where circles are.
            inner = np.linspace(
                max(left, low - line.length), min(right, high + line.length), _STEPS
            )
            t = np.concatenate([[left], inner, [right]])
            if self.along_line:  # bands end on vertical lines, where the hatching must end too
                edges = line.length * (1 - np.array(bands.edges))
                edges = edges[(edges > left) & (edges < right)]
                t = np.sort(
                    np.concatenate([t, np.nextafter(edges, -np.inf), np.nextafter(edges, np.inf)])
                )
            below, above = crossed_beyond(bands, line, k, t, self.along_line)
            hatched.append(_hatch(t, np.zeros(len(t)), np.minimum(below, far), theme))
            hatched.append(_hatch(t, np.minimum(above, far), np.full(len(t), far), theme))
        figure = go.Figure([*hatched, *base.data], base.layout)
        for middle in middles.tolist():
            x = (middle, middle)
            figure.add_shape(stroke(x, (0, far), theme.muted, 1.2, "dot", layer="above"))
        if self.ends is not None:
            _call_positions(figure, self.ends, line.length)
        return figure


def _call_positions(figure: go.Figure, ends: tuple[float, float], length: float) -> None:
    """Label t by positions that a visitor chose, the smaller ones on the left."""
    start, end = ends
    ticks = np.arange(np.ceil(min(ends) / 5) * 5, max(ends) + 1e-9, 5.0)
    at = (ticks - start) * length / (end - start)
    figure.update_xaxes(
        tickvals=at,
        ticktext=[f"{tick:g}".replace("-", "−") for tick in ticks],
        title_text="position",
    )
    if start > end:
        figure.update_xaxes(range=list(figure.layout.xaxis.range)[::-1])


def turns_table(turns: Sequence[Turn], classes: Sequence[str]) -> pd.DataFrame:
    """One row a turn, in words: its w and θ, and the classes on either side of it."""
    names = class_names(classes)

    def apart(c: int, between: tuple[float, float]) -> str:
        low, high = (f"{end:.3g}" for end in between)
        return f"{names[c]}, {low if low == high else f'{low} to {high}'} away"

    rows = [
        (
            f"{turn.w:.3f}",
            f"{turn.angle:.2f}°",
            apart(turn.right, turn.from_right),
            apart(turn.left, turn.from_left),
            "–" if turn.taken is None else format(names[turn.taken]),
        )
        for turn in turns
    ]
    return pd.DataFrame(rows, columns=["w", "θ", "below", "above", "taken from"])


def _hatch(t: np.ndarray, bottom: np.ndarray, top: np.ndarray, theme: Theme) -> dict[str, Any]:
    return scatter(
        np.concatenate([t, t[::-1]]),
        np.concatenate([bottom, top[::-1]]),
        "lines",
        fill="toself",
        line={"width": 0},
        fillcolor=with_opacity(theme.text, 0.10),
        fillpattern={"shape": "/", "fillmode": "overlay", "size": 8, "solidity": 0.18}
        | {"fgcolor": with_opacity(theme.text, 0.5), "bgcolor": with_opacity(theme.text, 0.06)},
        **SILENT,
    )
