"""Loss curves of the lines that MetaSLP tunes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.evaluation.meta_testing import MetaTest
from slp_core.figures.style.theme import LIGHT, Theme, base_layout

_DASHES = ("solid", "dash", "dot", "dashdot", "longdash")


def tuning_figure(result: MetaTest, theme: Theme = LIGHT) -> go.Figure:
    """Cross-entropy on the support set before each step, a curve a line."""
    colors = (theme.right, theme.wrong, theme.text, theme.muted)
    traces = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "x": np.arange(len(losses), dtype=np.uint8),
            "y": np.asarray(losses, dtype=np.float32),
            "name": name,
            "line": {
                "color": colors[i % len(colors)],
                "width": 2.4,
                "dash": _DASHES[i % len(_DASHES)],
            },
            "marker": {"symbol": i, "size": 7},
            "hovertemplate": f"{name}, step %{{x}}: %{{y:.3f}}<extra></extra>",
        }
        for i, (name, losses) in enumerate(zip(result.lines, result.losses, strict=True))
    ]
    axis = {"zeroline": False, "automargin": True, "fixedrange": True}
    return go.Figure(
        traces,
        base_layout(
            theme,
            height=280,
            margin={"l": 8, "r": 8, "t": 30, "b": 8},
            legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
            showlegend=True,
            xaxis={"title": {"text": "steps taken"}, "dtick": 1, **axis},
            yaxis={"title": {"text": "loss (nats)"}, "rangemode": "tozero", **axis},
        ),
    )


def tuning_table(result: MetaTest) -> pd.DataFrame:
    """Columns ``line``, ``step`` and ``loss``."""
    return pd.DataFrame(
        [
            (name, step, loss)
            for name, losses in zip(result.lines, result.losses, strict=True)
            for step, loss in enumerate(losses)
        ],
        columns=["line", "step", "loss"],
    )
