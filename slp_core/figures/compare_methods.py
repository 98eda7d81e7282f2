"""Methods by shots and by class, and how often two of them answer alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.evaluation.method_runs import MethodRuns
from slp_core.figures.style.text import shortened, wrapped
from slp_core.figures.style.theme import LIGHT, ClassStyle, Theme, base_layout, blend, with_opacity

_FIXED = {"zeroline": False, "automargin": True, "fixedrange": True}
_LEGEND_ROW = 20  # pixels, where long names stand below each other
_LEGEND = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"}


def shots_figure(
    runs: Mapping[str, Sequence[MethodRuns]], styles: Mapping[str, ClassStyle], theme: Theme = LIGHT
) -> go.Figure:
    """Mean accuracy by shots, a line a method, with a band of ± one standard deviation.

    Parameters
    ----------
    runs : mapping of str to sequence of MethodRuns
        One for each number of shots.
    styles : mapping of str to ClassStyle
    theme : Theme
    """
    every = sorted({found.shots for series in runs.values() for found in series})
    place = {shots: position for position, shots in enumerate(every)}
    bands, lines = [], []
    for name, series in runs.items():
        style = styles[name]
        x = np.array([place[found.shots] for found in series], dtype=np.float32)
        mean = np.array([100 * found.accuracy.mean() for found in series])
        std = np.array([100 * found.accuracy.std() for found in series])
        bands.append(
            {
                "type": "scatter",
                "mode": "lines",
                "x": np.concatenate([x, x[::-1]]),
                "y": np.concatenate([mean + std, (mean - std)[::-1]]).astype(np.float32),
                "fill": "toself",
                "fillcolor": with_opacity(style.color, 0.11),
                "line": {"width": 0, "color": with_opacity(style.color, 0)},
                "hoverinfo": "skip",
                "showlegend": False,
                "legendgroup": name,
            }
        )
        lines.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "x": x,
                "y": mean.astype(np.float32),
                "customdata": np.column_stack(
                    [[f.shots for f in series], std, [len(f.draws) for f in series]]
                ),
                "name": shortened(name, 48),
                "legendgroup": name,
                "line": {"color": style.color, "width": 2},
                "marker": {"symbol": style.symbol, "size": 9 * style.scale, "color": style.color},
                "hovertemplate": f"{shortened(name, 48)}, %{{customdata[0]}} shots: %{{y:.1f}} % "
                "± %{customdata[1]:.1f} over %{customdata[2]} draws<extra></extra>",
            }
        )
    layout = base_layout(
        theme,
        height=310 + _LEGEND_ROW * len(runs),
        margin={"l": 8, "r": 12, "t": 30, "b": 8},
        legend=_LEGEND,
        xaxis={"title": {"text": "shots a class"}, "tickmode": "array"}
        | {"tickvals": np.arange(len(every)), "ticktext": np.array([str(s) for s in every])}
        | _FIXED,
        yaxis={"title": {"text": "% of query points right"}, "nticks": 6} | _FIXED,
    )
    return go.Figure([*bands, *lines], layout)


def shots_table(runs: Mapping[str, Sequence[MethodRuns]]) -> pd.DataFrame:
    """Columns ``method``, ``shots``, ``draws``, and ``mean`` and ``std`` of accuracy, 0 to 1."""
    return pd.DataFrame(
        [
            {
                "method": name,
                "shots": found.shots,
                "draws": len(found.draws),
                "mean": found.accuracy.mean(),
                "std": found.accuracy.std(),
            }
            for name, series in runs.items()
            for found in series
        ]
    )


def class_f1_figure(
    f1: Mapping[str, np.ndarray],
    classes: Sequence[str],
    styles: Mapping[str, ClassStyle],
    theme: Theme = LIGHT,
) -> go.Figure:
    """Each class's F1, mean over the draws with ± one standard deviation, a mark a method.

    Parameters
    ----------
    f1 : mapping of str to (n, K) array
        One row a draw.
    classes : sequence of str
    styles : mapping of str to ClassStyle
    theme : Theme
    """
    top = max(float((values.mean(axis=0) + values.std(axis=0)).max()) for values in f1.values())
    shift = np.linspace(-0.3, 0.3, len(f1)) if len(f1) > 1 else np.zeros(1)
    rows = np.arange(len(classes))
    traces = [
        {
            "type": "scatter",
            "mode": "markers",
            "x": values.mean(axis=0).astype(np.float32),
            "y": (rows + offset).astype(np.float32),
            "error_x": {"type": "data", "array": values.std(axis=0), "width": 0, "thickness": 1.2},
            "customdata": np.column_stack([values.std(axis=0)]),
            "text": np.array([shortened(name, 40) for name in classes], dtype=object),
            "name": shortened(name, 48),
            "marker": {"color": styles[name].color, "symbol": styles[name].symbol}
            | {"size": 9 * styles[name].scale},
            "hovertemplate": f"%{{text}}, {shortened(name, 40)}: F1 %{{x:.2f}} ± "
            "%{customdata[0]:.2f}<extra></extra>",
        }
        for offset, (name, values) in zip(shift, f1.items(), strict=True)
    ]
    between = [
        {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": row + 0.5, "y1": row + 0.5}
        | {"line": {"color": theme.grid, "width": 1}, "layer": "below"}
        for row in range(len(classes) - 1)
    ]
    layout = base_layout(
        theme,
        height=90 + _LEGEND_ROW * len(f1) + max(26, 10 * len(f1)) * len(classes),
        margin={"l": 8, "r": 12, "t": 30, "b": 8},
        legend=_LEGEND,
        shapes=between,
        xaxis={"title": {"text": "F1"}, "nticks": 6, "range": [-0.03, min(top, 1.0) + 0.03]}
        | _FIXED,
        yaxis={
            "range": [len(classes) - 0.5, -0.5],
            "tickmode": "array",
            "tickvals": rows,
            "ticktext": np.array([shortened(name) for name in classes], dtype=object),
            "tickfont": {"color": theme.text, "size": 13},
            "showgrid": False,
            **_FIXED,
        },
    )
    return go.Figure(traces, layout)


def class_f1_table(f1: Mapping[str, np.ndarray], classes: Sequence[str]) -> pd.DataFrame:
    """Columns ``class``, ``method``, and ``mean`` and ``std`` of F1 over ``draws`` draws."""
    return pd.DataFrame(
        [
            {
                "class": name,
                "method": method,
                "mean": values[:, k].mean(),
                "std": values[:, k].std(),
                "draws": len(values),
            }
            for k, name in enumerate(classes)
            for method, values in f1.items()
        ]
    )


def agreement_figure(same: np.ndarray, names: Sequence[str], theme: Theme = LIGHT) -> go.Figure:
    """Share of points on which each pair of methods answers the same.

    Parameters
    ----------
    same : (M, M) array
    names : sequence of str
    theme : Theme
    """
    n = len(names)
    labels = np.array([wrapped(name, 20) for name in names], dtype=object)
    text = [[f"{same[i, j]:.0%}" if i != j else "" for j in range(n)] for i in range(n)]
    hover = [
        [f"{labels[i]}<br>and {labels[j]}<br>{same[i, j]:.1%} alike" for j in range(n)]
        for i in range(n)
    ]
    heatmap: dict[str, Any] = {
        "type": "heatmap",
        "z": np.where(np.eye(n, dtype=bool), np.nan, same).astype(np.float32),
        "zmin": 0.0,
        "zmax": 1.0,
        "colorscale": [[0.0, blend(theme.right, theme.background, 0.05)], [1.0, theme.right]],
        "showscale": False,
        "text": np.array(text, dtype=object),
        "texttemplate": "%{text}",
        "hovertext": np.array(hover, dtype=object),
        "hoverinfo": "text",
        "hoverongaps": False,
        "xgap": 2,
        "ygap": 2,
    }
    ticks = {"tickmode": "array", "tickvals": np.arange(n), "ticktext": labels, "showgrid": False}
    ticks |= {"tickfont": {"color": theme.text, "size": 12}, **_FIXED}
    layout = base_layout(
        theme,
        height=150 + 48 * n,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        xaxis=ticks | {"tickangle": 0 if n <= 2 else -45},
        yaxis=ticks | {"autorange": "reversed"},
    )
    return go.Figure(heatmap, layout)


def agreement_table(same: np.ndarray, names: Sequence[str]) -> pd.DataFrame:
    """One row a pair of methods: ``method``, ``other`` and ``alike``, 0 to 1."""
    pairs = [(i, j) for i in range(len(names)) for j in range(i + 1, len(names))]
    return pd.DataFrame(
        [{"method": names[i], "other": names[j], "alike": same[i, j]} for i, j in pairs]
    )
