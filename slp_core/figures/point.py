"""One answer taken apart: which prototype gave each class how much."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.explain import PointReading
from slp_core.figures.style.text import shortened
from slp_core.figures.style.theme import LIGHT, Theme, base_layout, class_style, with_opacity

_MOST_CLASSES = 8  # bars that can be read at a glance


def point_figure(reading: PointReading, theme: Theme = LIGHT) -> go.Figure:
    """Bars of each class's influence; for an SLP method stacked by prototype.

    Without lines, bars of probability. The strongest classes are drawn, and the true one always.
    """
    shown = _shown(reading)[::-1]
    names = [shortened(reading.classes[c], 22) for c in shown]
    colors = [class_style(c, theme).color for c in shown]
    traces = []
    if _additive(reading):
        assert reading.parts is not None
        for side, (title, opacity) in enumerate(
            (("left prototype", 0.95), ("right prototype", 0.55))
        ):
            traces.append(
                go.Bar(
                    x=reading.parts[side, shown].astype(np.float32),
                    y=names,
                    orientation="h",
                    name=title,
                    marker={
                        "color": [with_opacity(color, opacity) for color in colors],
                        "line": {"width": 0},
                    },
                    hovertemplate=f"%{{y}}: %{{x:.3f}} from the {title}<extra></extra>",
                )
            )
        what = "influence: soft label ÷ distance"
    else:
        traces.append(
            go.Bar(
                x=reading.probability[shown].astype(np.float32),
                y=names,
                orientation="h",
                marker={"color": colors, "line": {"width": 0}},
                hovertemplate="%{y}: %{x:.1%}<extra></extra>",
            )
        )
        what = "probability"
    return go.Figure(
        traces,
        base_layout(
            theme,
            barmode="stack",
            height=70 + 26 * len(shown),
            margin={"l": 8, "r": 8, "t": 4, "b": 36},
            bargap=0.35,
            showlegend=False,
            xaxis={
                "title": {"text": what},
                "fixedrange": True,
                "zeroline": False,
                "nticks": 5,
                "automargin": True,
            },
            yaxis={"fixedrange": True, "automargin": True, "tickfont": {"color": theme.text}},
        ),
    )


def point_table(reading: PointReading) -> pd.DataFrame:
    """Per class: probability, distance from its centroid, and the two prototypes' parts."""
    table = pd.DataFrame(
        {
            "class": reading.classes,
            "probability": reading.probability,
            "centroid distance": reading.centroid_distance,
        }
    )
    if reading.parts is not None:
        table["from left"], table["from right"] = reading.parts
        table["sum"] = reading.parts.sum(axis=0)
    return table.sort_values("probability", ascending=False, ignore_index=True)


def _additive(reading: PointReading) -> bool:
    """Whether the parts can be stacked: logits, which may be negative, cannot."""
    return reading.parts is not None and bool((reading.parts >= 0).all())


def _shown(reading: PointReading) -> np.ndarray:
    order = np.argsort(-reading.probability, kind="stable")
    if _additive(reading):  # a class that is not on the line has no influence there
        order = order[reading.probability[order] > 0]
    shown = order[:_MOST_CLASSES]
    if reading.true is not None and reading.true not in shown:
        shown = np.append(shown[: _MOST_CLASSES - 1], reading.true)
    return shown
