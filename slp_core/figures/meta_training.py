"""Meta-training: its runs, the inner loop step by step, and MetaSLP's tuning on a support set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.evaluation.meta_testing import MetaTest
from slp_core.figures.display import Display
from slp_core.figures.encoder_change import arrow_shafts
from slp_core.figures.style.parts import (
    BARE,
    SILENT,
    distinct_line,
    hovered,
    marker,
    scatter,
)
from slp_core.figures.style.text import labels_of, shortened, wrapped
from slp_core.figures.style.theme import LIGHT, Theme, chart, class_style, with_opacity
from slp_core.meta.episode_steps import EpisodeSteps
from slp_core.meta.text import step_text
from slp_core.sentences import EncoderName, percent
from slp_core.views.plane import two_axes

_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class MetaCurvesDisplay(Display):
    """Runs of meta-training: validation accuracy and loss over the outer steps."""

    name = "meta-training"
    scope = ""
    cards: Sequence[Mapping[str, Any]]  # each with a curve, which a mean of checkpoints has not

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        traces: list[dict[str, Any]] = []
        for i, (title, curve) in enumerate(self.table().groupby("encoder", sort=False)):
            style, name = class_style(i, theme), shortened(str(title), 48)
            for values, axis, unit in (
                (100 * curve["validation"], "", "accuracy (%)"),
                (curve["loss"], "2", "loss"),
            ):
                traces.append(
                    scatter(
                        curve["outer step"].astype(np.int32),
                        values,
                        "lines+markers",
                        **{"xaxis": f"x{axis}", "yaxis": f"y{axis}", "showlegend": not axis},
                        **{"name": name, "legendgroup": name},
                        line={"color": style.color, "width": 2},
                        marker={"symbol": style.symbol, "size": 7 * style.scale},
                        hovertemplate=f"{name}<br>outer step %{{x}}: %{{y:.4g}} {unit}"
                        "<extra></extra>",
                    )
                )
            ring = {"symbol": "circle-open", "size": 19, "line": {"width": 2}, "color": theme.text}
            kept, look = curve[curve["kept"]], {"marker": ring, "legendgroup": name}
            traces.append(
                scatter(kept["outer step"], 100 * kept["validation"], "markers", **look, **SILENT)
            )
        return chart(
            theme,
            traces,
            height=360,
            xaxis={"title": "outer step", "domain": [0, 0.56]},
            yaxis={"title": "validation accuracy (%)", "nticks": 6},
            xaxis2={"title": "outer step", "domain": [0.66, 1], "anchor": "y2"},
            yaxis2={"title": "loss", "nticks": 6, "anchor": "x2"},
        )

    def table(self) -> pd.DataFrame:
        runs = []
        for card in self.cards:
            run = pd.DataFrame(card["curve"]).astype({"loss": float})
            best = card.get("best_step", run["step"][run["validation"].argmax()])
            runs.append(run.assign(encoder=card["title"], kept=run["step"] == best))
        table = pd.concat(runs, ignore_index=True).rename(columns={"step": "outer step"})
        return table[["encoder", "outer step", "validation", "loss", "kept"]]

    @property
    def best(self) -> pd.DataFrame:
        """Of the runs with the highest validation accuracy the step that was kept."""
        table = self.table()
        kept = table[table["kept"]]
        return kept[kept["validation"] >= kept["validation"].max() - _ROUNDING]

    def sentence(self) -> str:
        cards = {card["title"]: card for card in self.cards}
        return " ".join(
            _run_text(cards[title], step, accuracy)
            for title, step, accuracy in self.best[["encoder", "outer step", "validation"]].values
        )


def _run_text(card: Mapping[str, Any], step: int, accuracy: float) -> str:
    text = (
        f"Highest validation accuracy: {EncoderName(card['title'])}, from "
        f"{percent(card['curve'][0]['validation'], 1)} to {percent(accuracy, 1)} after outer step "
        f"{step:,}."
    )
    if not card.get("interpolation"):
        return text
    return (
        f"{text} Its weights were then interpolated, {percent(card['interpolation']['share'])} of "
        f"the way from the base's: accuracy {percent(card['validation']['accuracy'], 1)}."
    )


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
        last = self.steps.n_steps
        moving = self._moving(last, theme)
        figure = chart(theme, [*moving, self._loss(theme)], **self._layout(theme))
        figure.frames = [
            go.Frame(data=self._moving(i, theme), traces=list(range(len(moving))), name=str(i))
            for i in range(last + 1)
        ]
        return figure

    def table(self) -> pd.DataFrame:
        return self.steps.table()

    def sentence(self) -> str:
        return " ".join(step_text(self.steps, step) for step in range(self.steps.n_steps))

    @cached_property
    def _axes(self) -> np.ndarray:
        """(d, 2): through the final class means, and along most of what is left."""
        steps = self.steps
        first, second = (steps.vectors[-1][steps.labels == k].mean(axis=0) for k in (0, 1))
        every = np.concatenate(steps.vectors).astype(np.float64)
        return two_axes([second - first], every - every.mean(axis=0)).T

    @cached_property
    def _points(self) -> np.ndarray:
        return self.steps.vectors @ self._axes

    def _moving(self, frame: int, theme: Theme) -> list[dict[str, Any]]:
        """The traces that a step changes."""
        # Before the first step, the marks are those that it is going to use.
        step, after = max(frame - 1, 0), frame > 0
        now, before = self._points[frame], self._points[max(frame - 1, 0)]
        ends = self.steps.prototypes(step, after) @ self._axes
        line = {"line": {"color": theme.text, "width": 2}, "name": "the line"}
        traces = [scatter(ends[:, 0], ends[:, 1], "lines", **line, hoverinfo="skip")]
        for k in (0, 1):
            color = with_opacity(class_style(self.indices[k], theme).color, 0.65)
            of_class = self.steps.labels == k
            traces.append(arrow_shafts(before[of_class], now[of_class], color, 1.6, 8, 4))
            for rows, open_mark, what in (
                (self.steps.for_means[step, k], True, "support"),
                (self.steps.for_loss[step, k], False, "query"),
            ):
                traces.append(self._marks(now[rows], rows, k, open_mark, what, theme))
            edge = {"width": 2.5, "color": theme.text}
            look = marker(class_style(self.indices[k], theme), 20, line=edge)
            name = f"prototype of {labels_of(self.steps.classes, 24)[k]}"
            mark = {"marker": look, "name": name, "hoverinfo": "name", "showlegend": False}
            traces.append(scatter(ends[[k], 0], ends[[k], 1], "markers", **mark))
        loss = float(self.steps.losses[frame - 1]) if frame else None
        ring = {"symbol": "circle-open", "size": 18, "color": theme.text, "line": {"width": 2}}
        here = {"marker": ring, "xaxis": "x2", "yaxis": "y2", **SILENT}
        return [*traces, scatter([frame or None], [loss], "markers", **here)]

    def _loss(self, theme: Theme) -> dict[str, Any]:
        return scatter(
            np.arange(1, self.steps.n_steps + 1),
            self.steps.losses,
            "lines+markers",
            **{"xaxis": "x2", "yaxis": "y2", "showlegend": False, "marker": {"size": 7}},
            line={"color": theme.wrong, "width": 2.2},
            hovertemplate="step %{x}: loss %{y:.3f}<extra></extra>",
        )

    def _layout(self, theme: Theme) -> dict[str, Any]:
        every = self._points.reshape(-1, 2)
        low, high = every.min(axis=0), every.max(axis=0)
        pad = 0.06 * (high - low).max()
        top = 1.12 * float(self.steps.losses.max())
        step = {"title": "step", "dtick": 1, "automargin": False}
        loss = {"title": "loss", "nticks": 5, "automargin": False, "range": [0, max(top, 1e-3)]}
        return {
            "height": 540,
            "xaxis": BARE | {"domain": _MAP, "range": [low[0] - pad, high[0] + pad]},
            "yaxis": BARE | {"range": [low[1] - pad, high[1] + pad], "scaleanchor": "x"},
            "xaxis2": step | {"domain": _LOSS, "anchor": "y2"},
            "yaxis2": loss | {"domain": [0.35, 1], "anchor": "x2"},
            "sliders": [_slider(self.steps.n_steps, theme)],
            "updatemenus": [_buttons(theme)],
        }

    def _marks(
        self, points: np.ndarray, rows: np.ndarray, k: int, open_mark: bool, what: str, theme: Theme
    ) -> dict[str, Any]:
        style, name = class_style(self.indices[k], theme), labels_of(self.steps.classes, 40)[k]
        hover = [f"<b>{name}</b>: {what}<br>{wrapped(self.texts[i])}" for i in rows]
        look = marker(style, 10, line={"width": 0.5, "color": theme.background})
        if open_mark:
            outline = {"width": 2, "color": style.color}
            look |= {"symbol": f"{style.symbol}-open", "line": outline}
        return scatter(
            points[:, 0],
            points[:, 1],
            "markers",
            name=f"{labels_of(self.steps.classes)[k]}, {what}",
            marker=look,
            **hovered(hover),
        )


_STILL = {"transition": {"duration": 0}}


def _slider(last: int, theme: Theme) -> dict[str, Any]:
    """A slider over the frames, at the last one."""
    now = {"mode": "immediate", "frame": {"duration": 0, "redraw": True}, **_STILL}
    steps = [
        {"method": "animate", "label": str(i), "args": [[str(i)], now]} for i in range(last + 1)
    ]
    colors = {"bgcolor": theme.grid, "bordercolor": theme.muted, "activebgcolor": theme.muted}
    return {
        "active": last,
        "steps": steps,
        "currentvalue": {"prefix": "after step ", "font": {"color": theme.text}},
        **colors,
        "tickcolor": theme.muted,
        "font": {"color": theme.muted, "size": 11},
        "pad": {"t": 12, "l": 110},
    }


def _buttons(theme: Theme) -> dict[str, Any]:
    play = {"frame": {"duration": _FRAME_MS, "redraw": True}, "fromcurrent": True, **_STILL}
    still = {"mode": "immediate", "frame": {"duration": 0, "redraw": False}}
    place = {"direction": "left", "x": 0, "xanchor": "left", "y": 0, "yanchor": "top"}
    look = {"bgcolor": theme.background, "bordercolor": theme.muted, "showactive": False}
    return {
        "type": "buttons",
        **place,
        **look,
        "pad": {"t": 22, "l": 0},
        "font": {"color": theme.text, "size": 13},
        "buttons": [
            {"label": "▶", "method": "animate", "args": [None, play]},
            {"label": "❚❚", "method": "animate", "args": [[None], still]},
        ],
    }


@dataclass(frozen=True, eq=False)
class TuningDisplay(Display):
    """Cross-entropy on the support set before each step, a curve for each line."""

    name = "tuning"
    scope = "data"
    result: MetaTest

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        curves = zip(self.result.lines, self.result.losses, strict=True)
        traces = [
            scatter(
                np.arange(len(losses), dtype=np.uint8),
                losses,
                "lines+markers",
                name=name,
                line=distinct_line(i, theme),
                marker={"symbol": i, "size": 7},
                hovertemplate=f"{name}, step %{{x}}: %{{y:.3f}}<extra></extra>",
            )
            for i, (name, losses) in enumerate(curves)
        ]
        y = {"title": "loss (nats)", "rangemode": "tozero"}
        axes = {"xaxis": {"title": "step", "dtick": 1}, "yaxis": y}
        return chart(theme, traces, height=280, margin={"t": 30}, **axes, showlegend=True)

    def table(self) -> pd.DataFrame:
        rows = [
            (name, step, loss)
            for name, losses in zip(self.result.lines, self.result.losses, strict=True)
            for step, loss in enumerate(losses)
        ]
        return pd.DataFrame(rows, columns=["line", "step", "loss"])

    def sentence(self) -> str:
        return "Loss before each step."
