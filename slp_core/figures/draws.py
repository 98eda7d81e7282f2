"""Accuracy, one dot per support set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.evaluation.draws import Spread
from slp_core.figures.display import Display
from slp_core.figures.style.parts import band, note, percent_range, scatter, small_layout, stroke
from slp_core.figures.style.theme import LIGHT, Theme, with_opacity
from slp_core.glossary import term
from slp_core.sentences import MethodTitle, count, percent


@dataclass(frozen=True, eq=False)
class DrawsDisplay(Display):
    """Accuracy by support set, with the mean and ± 1 SD."""

    name = "draws"
    scope = "draws"
    spread: Spread
    method: str = "the method"
    chance: float | None = None

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """A dot per support set, over a band of ± 1 SD."""
        values = 100 * self.spread.accuracy
        mean, std = 100 * self.spread.mean, 100 * self.spread.std
        low, high = np.clip([mean - std, mean + std], 0, 100)
        shapes = [
            band((0, 1), (low, high), with_opacity(theme.muted, 0.15), xref="paper"),
            stroke((0, 1), (mean, mean), theme.text, 1.5, xref="paper"),
        ]
        notes, ends = [], [values.min(), values.max(), low, high]
        if self.chance is not None:
            y = 100 * self.chance
            ends.append(y)
            shapes.append(stroke((0, 1), (y, y), theme.muted, 1, "dash", xref="paper"))
            corner: dict[str, Any] = {"xref": "paper", "xanchor": "right", "yanchor": "top"}
            notes.append(note("chance", 1, y, theme.muted, **corner))
        pad = max(2.0, 0.12 * (max(ends) - min(ends)))
        layout = small_layout(
            theme,
            "support set",
            "accuracy (%)",
            250,
            8,
            {"dtick": 1},
            {"nticks": 5, "range": percent_range(min(ends), max(ends), pad)},
            **{"shapes": shapes, "annotations": notes, "showlegend": False},
        )
        marks = scatter(
            np.array(self.spread.draws),
            values,
            "markers",
            marker={"color": theme.right, "symbol": "circle", "size": 10, "line": {"width": 0}},
            hovertemplate="support set %{x}: %{y:.1f}%<extra></extra>",
        )
        return go.Figure(marks, layout)

    def table(self) -> pd.DataFrame:
        """Columns ``draw`` and ``accuracy`` (0 to 1)."""
        return pd.DataFrame({"draw": self.spread.draws, "accuracy": self.spread.accuracy})

    def sentence(self) -> str:
        """Mean, SD and range."""
        accuracy, sets = self.spread.accuracy, len(set(self.spread.draws))
        if not np.isfinite(accuracy).all():
            return "There are no query examples to evaluate on."
        runs = "" if len(accuracy) == sets else f"{count(len(accuracy), 'run')} on "
        return (
            f"{MethodTitle(self.method)}: mean accuracy {percent(float(accuracy.mean()), 1)} over "
            f"{runs}{count(sets, 'support set')}, {term('SD')} {percent(self.spread.std, 1)}, from "
            f"{percent(float(accuracy.min()), 1)} to {percent(float(accuracy.max()), 1)}."
        )
