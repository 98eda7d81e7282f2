"""Accuracy, one mark a draw."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.evaluation.draws import Spread
from slp_core.figures.theme import LIGHT, Theme, base_layout, with_opacity


def draws_figure(
    spread: Spread, current: int | None = None, chance: float | None = None, theme: Theme = LIGHT
) -> go.Figure:
    """Accuracy on the query set against the number of the draw, with mean and ± one deviation.

    Parameters
    ----------
    spread : Spread
    current : int, optional
        The draw to mark.
    chance : float, optional
        The accuracy of guessing, from 0 to 1; a dashed line.
    theme : Theme
    """
    draws = np.array(spread.draws)
    percent = 100 * spread.accuracy
    here = draws == current
    figure = go.Figure(
        go.Scatter(
            x=draws,
            y=percent.astype(np.float32),
            mode="markers",
            marker={
                "color": [theme.right if h else theme.muted for h in here],
                "symbol": ["diamond" if h else "circle" for h in here],
                "size": [13 if h else 9 for h in here],
                "line": {"width": 0},
            },
            hovertemplate="draw %{x}: %{y:.1f} %<extra></extra>",
            showlegend=False,
        )
    )
    mean, std = 100 * spread.mean, 100 * spread.std
    figure.add_hrect(
        mean - std, mean + std, fillcolor=with_opacity(theme.muted, 0.15), line_width=0
    )
    figure.add_hline(mean, line={"color": theme.text, "width": 1.5})
    if chance is not None:
        figure.add_hline(
            100 * chance,
            line={"color": theme.muted, "width": 1, "dash": "dash"},
            annotation={"text": "guessing", "font": {"color": theme.muted, "size": 12}},
            annotation_position="bottom right",
        )
    low = min([percent.min(), mean - std, *([] if chance is None else [100 * chance])])
    high = max(percent.max(), mean + std)
    pad = max(2.0, 0.12 * (high - low))
    figure.update_layout(
        base_layout(
            theme,
            height=260,
            margin={"l": 8, "r": 8, "t": 8, "b": 8},
            xaxis={
                "title": {"text": "draw"},
                "dtick": 1,
                "fixedrange": True,
                "zeroline": False,
                "automargin": True,
            },
            yaxis={
                "title": {"text": "% right"},
                "range": [low - pad, high + pad],
                "fixedrange": True,
                "zeroline": False,
                "nticks": 5,
                "automargin": True,
            },
        )
    )
    return figure


def draws_table(spread: Spread) -> pd.DataFrame:
    """Columns ``draw`` and ``accuracy`` (0 to 1)."""
    return pd.DataFrame({"draw": spread.draws, "accuracy": spread.accuracy})
