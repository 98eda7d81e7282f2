"""One vote taken apart: soft label ÷ distance at either prototype, adding up to the influence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.figures.style.text import shortened
from slp_core.figures.style.theme import LIGHT, Theme, base_layout, blend, class_style

_MOST_CLASSES = 8  # bars that can be read at a glance
_ROW = 40  # px
_SIDES = ("left", "right")
_ROOM = 0.42  # of the picture's width, for a label of the form "0.61 ÷ 0.62"


def votes_figure(
    soft_labels: np.ndarray,
    distances: np.ndarray,
    classes: Sequence[str],
    *,
    true: int | None = None,
    theme: Theme = LIGHT,
) -> go.Figure:
    """A bar a class: the left prototype's part and upon it the right one's, with their sum.

    Parameters
    ----------
    soft_labels : (2, K) array
        Left and right: shares, or logits of any sign; −∞ for a class that cannot be answered.
    distances : (2,) array
        What they are divided by, from the left and from the right prototype.
    classes : sequence of str
    true : int, optional
        A class to show in any case.
    theme : Theme
    """
    parts = soft_labels / np.asarray(distances)[:, None]
    shown = _shown(parts.sum(axis=0), true)
    low = float(np.minimum(np.minimum(parts[:, shown], 0).sum(axis=0), 0).min())
    high = float(np.maximum(np.maximum(parts[:, shown], 0).sum(axis=0), 1e-12).max())
    rows = np.arange(len(shown))
    colors = [class_style(k, theme).color for k in shown]
    traces: list[dict[str, Any]] = []
    for side, name in enumerate(_SIDES):
        x = parts[side, shown]
        room = np.abs(x) > _ROOM * (high - low)
        sums = [
            f"{soft_labels[side, k]:.2f} ÷ {distances[side]:.2f}" if wide else ""
            for k, wide in zip(shown, room, strict=True)
        ]
        fill = colors if side == 0 else [blend(c, theme.background, 0.42) for c in colors]
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "x": x,
                "y": rows,
                "width": 0.56,
                "marker": {"color": fill, "line": {"width": 1, "color": theme.background}},
                "text": np.array(sums, dtype=object),
                "textposition": "inside",
                "insidetextanchor": "middle",
                "constraintext": "none",
                "textangle": 0,
                "textfont": {"size": 11.5, "color": theme.background if side == 0 else theme.text},
                "hovertext": np.array(
                    [
                        f"{name} prototype: {soft_labels[side, k]:.3f} ÷ {distances[side]:.3f} = "
                        f"<b>{parts[side, k]:.3f}</b>"
                        for k in shown
                    ],
                    dtype=object,
                ),
                "hoverinfo": "text",
            }
        )
    totals = parts[:, shown].sum(axis=0)
    best = int(totals.argmax())
    notes = [
        {
            "x": max(float(np.maximum(parts[:, k], 0).sum()), 0.0),
            "y": row,
            "xanchor": "left",
            "xshift": 5,
            "showarrow": False,
            "text": f"<b>{total:.3f}</b>" if row == best else f"{total:.3f}",
            "font": {"size": 13, "color": theme.text if row == best else theme.muted},
        }
        for row, (k, total) in enumerate(zip(shown, totals, strict=True))
    ]
    if low < 0:  # parts of both signs do not end where their sum is
        traces.append(_sum_marks(totals, rows, theme))
    names = [
        f"{class_style(k, theme).character} {'<b>' if k == true else ''}"
        f"{shortened(classes[k], 18)}{'</b>' if k == true else ''}"
        for k in shown
    ]
    return go.Figure(
        traces,
        base_layout(
            theme,
            height=_ROW * len(shown) + 58,
            barmode="relative",
            margin={"l": 8, "r": 8, "t": 6, "b": 8},
            annotations=notes,
            showlegend=False,
            dragmode=False,
            xaxis={"title": {"text": "influence: soft label ÷ distance", "standoff": 6}}
            | {"range": [1.08 * low, high + 0.28 * (high - low)], "nticks": 5, "fixedrange": True}
            | {"zeroline": low < 0, "zerolinecolor": theme.muted, "automargin": True},
            yaxis={"tickvals": rows, "ticktext": np.array(names, dtype=object)}
            | {"tickfont": {"color": theme.text, "size": 13}, "range": [len(shown) - 0.5, -0.5]}
            | {"automargin": True, "fixedrange": True, "showgrid": False, "zeroline": False},
        ),
    )


def votes_table(
    soft_labels: np.ndarray, distances: np.ndarray, classes: Sequence[str]
) -> pd.DataFrame:
    """One row a class: both soft labels, both distances, both parts and the influence."""
    parts = soft_labels / np.asarray(distances)[:, None]
    table = pd.DataFrame({"class": list(classes)})
    for side, name in enumerate(_SIDES):
        table[f"{name} soft label"] = soft_labels[side]
        table[f"{name} distance"] = float(distances[side])
        table[f"{name} part"] = parts[side]
    table["influence"] = parts.sum(axis=0)
    return table.sort_values("influence", ascending=False, ignore_index=True)


def _shown(total: np.ndarray, true: int | None) -> list[int]:
    """Classes from the most influence down, without those that have none, but with the true one."""
    order = np.argsort(-total, kind="stable")
    order = order[np.isfinite(total[order]) & (total[order] != 0)]
    shown = [int(k) for k in order[:_MOST_CLASSES]]
    if true is not None and true not in shown and np.isfinite(total[true]):
        shown = [*shown[: _MOST_CLASSES - 1], true]
    return shown


def _sum_marks(totals: np.ndarray, rows: np.ndarray, theme: Theme) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": totals,
        "y": rows,
        "marker": {
            "symbol": "diamond",
            "size": 10,
            "color": theme.text,
            "line": {"width": 1.5, "color": theme.background},
        },
        "hovertemplate": "sum: <b>%{x:.3f}</b><extra></extra>",
    }
