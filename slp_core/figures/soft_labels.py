"""Soft labels prototype by prototype, as bars."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.figures.style.text import shortened
from slp_core.figures.style.theme import LIGHT, Theme, base_layout, class_style
from slp_core.lines import Line

_READABLE = 0.12  # a share below this has no room for its class's name


def soft_labels_figure(
    soft_labels: np.ndarray,
    lines: Sequence[Line],
    classes: Sequence[str],
    theme: Theme = LIGHT,
    height: int | None = None,
) -> go.Figure:
    """One bar a prototype, cut into class shares; the two of a line stand together.

    Parameters
    ----------
    soft_labels : (L, 2, K) array
        Left and right of every line; rows sum to 1.
    lines : sequence of Line
    classes : sequence of str
        In class order.
    theme : Theme
    height : int, optional
        Pixels; by default in proportion to the number of lines.
    """
    n_lines = len(lines)
    # Bars from the top down, with half a bar's room between lines.
    rows = np.array([[2.6 * n, 2.6 * n + 1] for n in range(n_lines)], dtype=np.float32).ravel()
    labels = np.asarray(soft_labels).reshape(2 * n_lines, -1)
    ends = [
        f"{side} · {shortened(classes[which])} "
        for line in lines
        for side, which in (("left", line.left), ("right", line.right))
    ]
    traces = []
    for index, (name, share) in enumerate(zip(classes, labels.T, strict=True)):
        if not share.any():
            continue
        style, name = class_style(index, theme), shortened(name, 24)
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "x": share.astype(np.float32),
                "y": rows,
                "name": name,
                "marker": {
                    "color": style.color,
                    "line": {"color": theme.background, "width": 1.5},
                },
                "text": np.array(
                    [f"{style.character} {name} {s:.2f}" if s >= _READABLE else "" for s in share],
                    dtype=object,
                ),
                "textposition": "inside",
                "insidetextanchor": "middle",
                "textangle": 0,
                "constraintext": "inside",
                "hovertext": np.array([f"<b>{name}</b> {s:.3f}" for s in share], dtype=object),
                "hoverinfo": "text",
            }
        )
    captions = [
        {
            "x": 0,
            "xref": "paper",
            "xanchor": "left",
            "y": 2.6 * number - 0.52,
            "yanchor": "bottom",
            "text": f"line {number + 1}",
            "showarrow": False,
            "font": {"size": 12, "color": theme.muted},
        }
        for number in range(n_lines)
    ]
    return go.Figure(
        data=traces,
        layout=base_layout(
            theme,
            height=height or 60 + 84 * n_lines,
            margin={"l": 8, "r": 8, "t": 8, "b": 8},
            barmode="stack",
            bargap=0.12,
            showlegend=False,
            annotations=captions,
            xaxis={
                "range": [0, 1],
                "tickformat": ".0%",
                "showgrid": False,
                "zeroline": False,
                "fixedrange": True,
                "automargin": True,
            },
            yaxis={
                "range": [2.6 * n_lines - 0.9, -1.0],
                "tickmode": "array",
                "tickvals": rows,
                "ticktext": np.array(ends, dtype=object),
                "tickfont": {"color": theme.text, "size": 13},
                "showgrid": False,
                "zeroline": False,
                "fixedrange": True,
                "automargin": True,
            },
        ),
    )


def soft_labels_table(
    soft_labels: np.ndarray, lines: Sequence[Line], classes: Sequence[str]
) -> pd.DataFrame:
    """One row a prototype: ``line`` (from 1), ``side``, ``at`` (its class), a column a class."""
    heads = [
        {"line": number, "side": side, "at": classes[which]}
        for number, line in enumerate(lines, start=1)
        for side, which in (("left", line.left), ("right", line.right))
    ]
    values = np.asarray(soft_labels).reshape(len(heads), -1)
    return pd.concat([pd.DataFrame(heads), pd.DataFrame(values, columns=list(classes))], axis=1)
