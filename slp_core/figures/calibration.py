"""Calibration in pictures: reliability, accuracy by coverage, entropies inside and outside."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.diagnostics import Calibration, OutOfDistribution
from slp_core.figures.style.theme import LIGHT, Theme, base_layout, blend, with_opacity


def reliability_figure(found: Calibration, theme: Theme = LIGHT) -> go.Figure:
    """Accuracy in each bin of confidence; on the diagonal a method is as right as it is sure."""
    middle = (found.edges[:-1] + found.edges[1:]) / 2
    bars = {
        "type": "bar",
        "x": middle.astype(np.float32),
        "y": found.accuracy.astype(np.float32),
        "width": np.diff(found.edges) * 0.92,
        "marker": {"color": blend(theme.right, theme.background, 0.75), "line": {"width": 0}},
        "customdata": np.column_stack([found.count, found.confidence]).astype(np.float32),
        "hovertemplate": "%{customdata[0]} points, %{customdata[1]:.0%} sure, %{y:.0%} right"
        "<extra></extra>",
    }
    sure = {
        "type": "scatter",
        "mode": "markers",
        "x": middle.astype(np.float32),
        "y": found.confidence.astype(np.float32),
        "marker": {"symbol": "line-ew-open", "size": 16}
        | {"color": theme.wrong, "line": {"width": 2.5, "color": theme.wrong}},
        "hoverinfo": "skip",
    }
    diagonal = {"type": "line", "x0": 0, "y0": 0, "x1": 1, "y1": 1} | {
        "line": {"color": theme.muted, "width": 1, "dash": "dash"}
    }
    layout = _layout(theme, "confidence", "right", [0, 1], [0, 1.02])
    return go.Figure([bars, sure], layout | {"shapes": [diagonal]})


def reliability_table(found: Calibration) -> pd.DataFrame:
    """One row a bin: ``from``, ``to``, ``points``, ``confidence``, ``accuracy``."""
    return pd.DataFrame(
        {
            "from": found.edges[:-1],
            "to": found.edges[1:],
            "points": found.count,
            "confidence": found.confidence,
            "accuracy": found.accuracy,
        }
    )


def selective_figure(found: Calibration, theme: Theme = LIGHT) -> go.Figure:
    """Accuracy among the surest answers, by how many of them are kept."""
    trace = {
        "type": "scatter",
        "mode": "lines",
        "x": found.coverage.astype(np.float32),
        "y": found.selective.astype(np.float32),
        "line": {"color": theme.right, "width": 2.5},
        "hovertemplate": "the surest %{x:.0%}: %{y:.0%} right<extra></extra>",
    }
    low = float(np.min(found.selective[len(found.selective) // 20 :], initial=1.0))
    return go.Figure(
        trace, _layout(theme, "coverage: answers kept, the surest first", "right", [0, 1.01])
        | {"yaxis_range": [max(0.0, low - 0.08), 1.02]},
    )  # fmt: skip


def selective_table(found: Calibration) -> pd.DataFrame:
    """Columns ``coverage`` and ``accuracy``."""
    return pd.DataFrame({"coverage": found.coverage, "accuracy": found.selective})


def entropy_figure(
    found: OutOfDistribution, names: tuple[str, str], theme: Theme = LIGHT
) -> go.Figure:
    """Entropies of the answers here and elsewhere, as shares of either set."""
    top = float(max(found.inside.max(initial=0.0), found.outside.max(initial=0.0), 1e-9))
    traces = [
        {
            "type": "histogram",
            "x": values.astype(np.float32),
            "histnorm": "probability",
            "xbins": {"start": 0, "end": top * 1.001, "size": top / 24},
            "name": name,
            "marker": {
                "color": with_opacity(color, 0.55),
                "pattern": {"shape": shape, "fgcolor": color, "solidity": 0.2},
            },
            "hovertemplate": f"{name}: %{{y:.0%}} at %{{x}} nats<extra></extra>",
        }
        for values, name, color, shape in (
            (found.inside, names[0], theme.right, ""),
            (found.outside, names[1], theme.wrong, "/"),
        )
    ]
    layout = _layout(theme, "H(F), nats", "share of points", [0, top * 1.02])
    return go.Figure(traces, layout | {"barmode": "overlay", "showlegend": True})


def entropy_table(found: OutOfDistribution, names: tuple[str, str]) -> pd.DataFrame:
    """Columns ``from`` and ``entropy``."""
    return pd.DataFrame(
        {
            "from": np.repeat(names, [len(found.inside), len(found.outside)]),
            "entropy": np.concatenate([found.inside, found.outside]),
        }
    )


def _layout(
    theme: Theme, x: str, y: str, x_range: list[float], y_range: list[float] | None = None
) -> dict[str, Any]:
    axis = {"fixedrange": True, "zeroline": False, "automargin": True}
    return base_layout(
        theme,
        height=290,
        margin={"l": 8, "r": 8, "t": 30, "b": 8},
        showlegend=False,
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        xaxis={"title": {"text": x}, "range": x_range, **axis},
        yaxis={"title": {"text": y}, "range": y_range, "tickformat": ".0%", **axis},
    )
