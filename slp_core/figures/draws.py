"""Accuracy, one mark a draw."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.evaluation.draws import Spread
from slp_core.figures.style.theme import LIGHT, Theme, base_layout, with_opacity


def draws_figure(spread: Spread, chance: float | None = None, theme: Theme = LIGHT) -> go.Figure:
    """Accuracy on the query set against the number of the draw, with mean and ± one deviation.

    Parameters
    ----------
    spread : Spread
    chance : float, optional
        The accuracy of guessing, from 0 to 1; a dashed line.
    theme : Theme
    """
    percent = 100 * spread.accuracy
    mean, std = 100 * spread.mean, 100 * spread.std
    across = {"xref": "paper", "x0": 0, "x1": 1}
    shapes = [
        {"type": "rect", **across, "y0": mean - std, "y1": mean + std, "layer": "below"}
        | {"fillcolor": with_opacity(theme.muted, 0.15), "line": {"width": 0}},
        {"type": "line", **across, "y0": mean, "y1": mean, "layer": "below"}
        | {"line": {"color": theme.text, "width": 1.5}},
    ]
    notes = []
    ends = [percent.min(), percent.max(), mean - std, mean + std]
    if chance is not None:
        ends.append(100 * chance)
        shapes.append(
            {"type": "line", **across, "y0": 100 * chance, "y1": 100 * chance, "layer": "below"}
            | {"line": {"color": theme.muted, "width": 1, "dash": "dash"}}
        )
        notes.append(
            {"text": "guessing", "xref": "paper", "x": 1, "xanchor": "right", "y": 100 * chance}
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
        x=np.array(spread.draws),
        y=percent.astype(np.float32),
        mode="markers",
        marker={"color": theme.right, "symbol": "circle", "size": 10, "line": {"width": 0}},
        hovertemplate="draw %{x}: %{y:.1f} %<extra></extra>",
    )
    return go.Figure(marks, layout)


def draws_table(spread: Spread) -> pd.DataFrame:
    """Columns ``draw`` and ``accuracy`` (0 to 1)."""
    return pd.DataFrame({"draw": spread.draws, "accuracy": spread.accuracy})
