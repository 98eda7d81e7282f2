"""The inner loop of meta-training: a slider over its steps that works in the browser alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.figures.display import Display
from slp_core.figures.encoder_change import arrow_shafts
from slp_core.figures.style.parts import (
    BARE,
    FIXED,
    SILENT,
    marker,
    play_buttons,
    scatter,
    slider,
    small_layout,
)
from slp_core.figures.style.text import labels_of, wrapped
from slp_core.figures.style.theme import LIGHT, Theme, class_style, with_opacity
from slp_core.meta.episode_steps import EpisodeSteps
from slp_core.meta.text import step_text

_FRAME_MS = 900
_MAP, _LOSS = [0.0, 0.68], [0.78, 1.0]


@dataclass(frozen=True, eq=False)
class EpisodeDisplay(Display):
    """Support examples and prototypes before the first step and after each, and the loss."""

    name = "episode"
    scope = "data"
    steps: EpisodeSteps
    indices: tuple[int, int]
    texts: Sequence[str]

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """A frame a step; the last is shown first."""
        frames, last = _Frames(self, theme), self.steps.n_steps
        moving = frames.moving(last)
        figure = go.Figure([*moving, frames.loss()], frames.layout(last))
        figure.frames = [
            go.Frame(data=frames.moving(i), traces=list(range(len(moving))), name=str(i))
            for i in range(last + 1)
        ]
        return figure

    def table(self) -> pd.DataFrame:
        """A row a step, as ``EpisodeSteps.table``."""
        return self.steps.table()

    def sentence(self) -> str:
        """What each step did."""
        return " ".join(step_text(self.steps, step) for step in range(self.steps.n_steps))


class _Frames:
    def __init__(self, shown: EpisodeDisplay, theme: Theme) -> None:
        self.steps, self.indices, self.texts = shown.steps, shown.indices, shown.texts
        self.theme = theme
        self.axes = self.steps.plane()
        self.points = self.steps.vectors @ self.axes

    def moving(self, frame: int) -> list[dict[str, Any]]:
        """The traces that a step changes."""
        # Before the first step, the marks are those that it is going to use.
        step, after = max(frame - 1, 0), frame > 0
        now, before = self.points[frame], self.points[max(frame - 1, 0)]
        ends = self.steps.prototypes(step, after) @ self.axes
        line = {"line": {"color": self.theme.text, "width": 2}, "name": "the line"}
        traces = [scatter(ends[:, 0], ends[:, 1], "lines", **line, hoverinfo="skip")]
        for k in (0, 1):
            color = with_opacity(class_style(self.indices[k], self.theme).color, 0.65)
            of_class = self.steps.labels == k
            traces.append(arrow_shafts(before[of_class], now[of_class], color, 1.6, 8, 4))
            for rows, open_mark, what in (
                (self.steps.for_means[step, k], True, "support"),
                (self.steps.for_loss[step, k], False, "query"),
            ):
                traces.append(self._marks(now[rows], rows, k, open_mark, what))
            traces.append(self._prototype(ends[k], k))
        traces.append(self._cursor(frame))
        return traces

    def loss(self) -> dict[str, Any]:
        """The loss before each step."""
        return scatter(
            np.arange(1, self.steps.n_steps + 1),
            self.steps.losses,
            "lines+markers",
            **{"xaxis": "x2", "yaxis": "y2", "showlegend": False, "marker": {"size": 7}},
            line={"color": self.theme.wrong, "width": 2.2},
            hovertemplate="step %{x}: loss %{y:.3f}<extra></extra>",
        )

    def layout(self, shown: int) -> dict[str, Any]:
        """Axes, key, slider and button."""
        every = self.points.reshape(-1, 2)
        low, high = every.min(axis=0), every.max(axis=0)
        pad = 0.06 * (high - low).max()
        top = 1.12 * float(self.steps.losses.max())
        fixed = FIXED | {"automargin": False}
        names = [str(i) for i in range(self.steps.n_steps + 1)]
        loss = {"domain": [0.35, 1], "anchor": "x2", "range": [0, max(top, 1e-3)], "nticks": 5}
        return small_layout(
            self.theme,
            None,
            None,
            540,
            8,
            BARE | {"domain": _MAP, "range": [low[0] - pad, high[0] + pad]},
            BARE | {"range": [low[1] - pad, high[1] + pad], "scaleanchor": "x"},
            xaxis2={"domain": _LOSS, "anchor": "y2", "title": {"text": "step"}, "dtick": 1} | fixed,
            yaxis2={**loss, "title": {"text": "loss"}, **fixed},
            hovermode="closest",
            sliders=[slider(names, shown, "after step ", self.theme, pad={"t": 12, "l": 110})],
            updatemenus=[play_buttons(self.theme, 22, _FRAME_MS)],
        )

    def _marks(
        self, points: np.ndarray, rows: np.ndarray, k: int, open_mark: bool, what: str
    ) -> dict[str, Any]:
        style, name = class_style(self.indices[k], self.theme), labels_of(self.steps.classes, 40)[k]
        hover = [f"<b>{name}</b>: {what}<br>{wrapped(self.texts[i])}" for i in rows]
        look = marker(style, 10, line={"width": 0.5, "color": self.theme.background})
        if open_mark:
            outline = {"width": 2, "color": style.color}
            look |= {"symbol": f"{style.symbol}-open", "line": outline}
        return scatter(
            points[:, 0],
            points[:, 1],
            "markers",
            name=f"{labels_of(self.steps.classes)[k]}, {what}",
            **{"hovertext": np.array(hover, dtype=object), "hoverinfo": "text", "marker": look},
        )

    def _prototype(self, at: np.ndarray, k: int) -> dict[str, Any]:
        style = class_style(self.indices[k], self.theme)
        return scatter(
            at[[0]],
            at[[1]],
            "markers",
            name=f"prototype of {labels_of(self.steps.classes, 24)[k]}",
            **{"hoverinfo": "name", "showlegend": False},
            marker=marker(style, 20, line={"width": 2.5, "color": self.theme.text}),
        )

    def _cursor(self, frame: int) -> dict[str, Any]:
        loss = float(self.steps.losses[frame - 1]) if frame else None
        ring = {"symbol": "circle-open", "size": 18, "color": self.theme.text, "line": {"width": 2}}
        axes = {"xaxis": "x2", "yaxis": "y2"}
        return scatter([frame or None], [loss], "markers", marker=ring, **axes, **SILENT)
