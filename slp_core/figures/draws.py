"""Accuracy, one mark a draw."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.evaluation.draws import Spread
from slp_core.figures.display import Display
from slp_core.figures.style.theme import LIGHT, Theme, base_layout, with_opacity


@dataclass(frozen=True, eq=False)
class DrawsDisplay(Display):
    """Accuracy on the query set against the number of the draw, with mean and ± one deviation.

    Attributes
    ----------
    spread : Spread
    method : str
        What was fitted.
    chance : float, optional
        The accuracy of guessing, from 0 to 1; a dashed line.
    """

    name = "draws"
    spread: Spread
    method: str = "the method"
    chance: float | None = None

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """A mark a draw, over the band of one standard deviation."""
        percent = 100 * self.spread.accuracy
        mean, std = 100 * self.spread.mean, 100 * self.spread.std
        across = {"xref": "paper", "x0": 0, "x1": 1}
        shapes = [
            {"type": "rect", **across, "y0": mean - std, "y1": mean + std, "layer": "below"}
            | {"fillcolor": with_opacity(theme.muted, 0.15), "line": {"width": 0}},
            {"type": "line", **across, "y0": mean, "y1": mean, "layer": "below"}
            | {"line": {"color": theme.text, "width": 1.5}},
        ]
        notes = []
        ends = [percent.min(), percent.max(), mean - std, mean + std]
        if self.chance is not None:
            ends.append(100 * self.chance)
            shapes.append(
                {
                    "type": "line",
                    **across,
                    "y0": 100 * self.chance,
                    "y1": 100 * self.chance,
                    "layer": "below",
                }
                | {"line": {"color": theme.muted, "width": 1, "dash": "dash"}}
            )
            notes.append(
                {
                    "text": "guessing",
                    "xref": "paper",
                    "x": 1,
                    "xanchor": "right",
                    "y": 100 * self.chance,
                }
                | {"yanchor": "top", "showarrow": False, "font": {"color": theme.muted, "size": 12}}
            )
        pad = max(2.0, 0.12 * (max(ends) - min(ends)))
        fixed = {"fixedrange": True, "zeroline": False, "automargin": True}
        layout = base_layout(
            theme,
            height=250,
            margin={"l": 8, "r": 8, "t": 8, "b": 8},
            shapes=shapes,
            annotations=notes,
            showlegend=False,
            xaxis={"title": {"text": "draw"}, "dtick": 1, **fixed},
            yaxis={"title": {"text": "% right"}, "nticks": 5, **fixed}
            | {"range": [float(min(ends) - pad), float(max(ends) + pad)]},
        )
        marks = go.Scatter(
            x=np.array(self.spread.draws),
            y=percent.astype(np.float32),
            mode="markers",
            marker={"color": theme.right, "symbol": "circle", "size": 10, "line": {"width": 0}},
            hovertemplate="draw %{x}: %{y:.1f} %<extra></extra>",
        )
        return go.Figure(marks, layout)

    def table(self) -> pd.DataFrame:
        """Columns ``draw`` and ``accuracy`` (0 to 1)."""
        return pd.DataFrame({"draw": self.spread.draws, "accuracy": self.spread.accuracy})

    def sentence(self) -> str:
        """What is to be seen."""
        return f"Accuracy of {self.method} on each draw"
