"""Accuracy, one mark a draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.evaluation.draws import Spread
from slp_core.facts import Facts, fact
from slp_core.figures.display import Display
from slp_core.figures.style.parts import band, note, percent_range, scatter, small_layout, stroke
from slp_core.figures.style.theme import LIGHT, Theme, with_opacity


@dataclass(frozen=True, eq=False)
class DrawsDisplay(Display):
    """Accuracy on the query set against the number of the draw, with mean and ± one deviation."""

    name = "draws"
    scope = "draws"
    spread: Spread
    method: str = "the method"
    chance: float | None = None

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """A mark a draw, over the band of one standard deviation."""
        percent = 100 * self.spread.accuracy
        mean, std = 100 * self.spread.mean, 100 * self.spread.std
        low, high = np.clip([mean - std, mean + std], 0, 100)
        shapes = [
            band((0, 1), (low, high), with_opacity(theme.muted, 0.15), xref="paper"),
            stroke((0, 1), (mean, mean), theme.text, 1.5, xref="paper"),
        ]
        notes, ends = [], [percent.min(), percent.max(), low, high]
        if self.chance is not None:
            y = 100 * self.chance
            ends.append(y)
            shapes.append(stroke((0, 1), (y, y), theme.muted, 1, "dash", xref="paper"))
            corner: dict[str, Any] = {"xref": "paper", "xanchor": "right", "yanchor": "top"}
            notes.append(note("guessing", 1, y, theme.muted, **corner))
        pad = max(2.0, 0.12 * (max(ends) - min(ends)))
        layout = small_layout(
            theme,
            "draw",
            "% right",
            250,
            8,
            {"dtick": 1},
            {"nticks": 5, "range": percent_range(min(ends), max(ends), pad)},
            **{"shapes": shapes, "annotations": notes, "showlegend": False},
        )
        marks = scatter(
            np.array(self.spread.draws),
            percent,
            "markers",
            marker={"color": theme.right, "symbol": "circle", "size": 10, "line": {"width": 0}},
            hovertemplate="draw %{x}: %{y:.1f}%<extra></extra>",
        )
        return go.Figure(marks, layout)

    def table(self) -> pd.DataFrame:
        """Columns ``draw`` and ``accuracy`` (0 to 1)."""
        return pd.DataFrame({"draw": self.spread.draws, "accuracy": self.spread.accuracy})

    def facts(self) -> Facts:
        """Mean, spread and range."""
        accuracy = self.spread.accuracy
        n, draws = len(accuracy), len(set(self.spread.draws))
        if not np.isfinite(accuracy).all():
            template = "There is no query point to be right about."
            return (fact("draws.nothing_asked", template),)
        values = {"method": self.method, "n": n, "draws": draws, "mean": float(accuracy.mean())}
        if n == 1:
            template = "{method} is right for {mean:.1%} of the query points on the one draw."
            return (fact("draws.one", template, **values),)
        over = "{draws:,} draws" if n == draws else "{n:,} fits on {draws:,} draws"
        if draws == 1:
            over = over.replace("{draws:,} draws", "one draw")
        if accuracy.min() == accuracy.max():
            template = "{method} is right for {mean:.1%} of the query points each time, over "
            return (fact("draws.alike", template + over + ".", **values),)
        template = (
            "{method} is right for {mean:.1%} of the query points in the mean over " + over + ", "
            "from {low:.1%} to {high:.1%}. The band is one standard deviation of these figures "
            "({std:.1%}, with their number as the divisor) to either side."
        )
        told = fact(
            "draws.spread",
            template,
            std=self.spread.std,
            low=float(accuracy.min()),
            high=float(accuracy.max()),
            **values,
        )
        return (told,)
