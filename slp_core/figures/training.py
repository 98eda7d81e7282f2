"""Curves of training runs, several at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.figures.display import Display
from slp_core.figures.style.theme import LIGHT, Theme, base_layout
from slp_core.methods.training import Curves

_DASHES = ("solid", "dash", "dot", "dashdot")


def curves_table(curves: Curves) -> pd.DataFrame:
    """Columns ``epoch``, ``loss``, ``support`` and ``query`` (accuracies, 0 to 1)."""
    return pd.DataFrame(
        {
            "epoch": curves.epoch,
            "loss": curves.loss,
            "support": curves.support,
            "query": curves.query,
        }
    )


@dataclass(frozen=True, eq=False)
class RunsDisplay(Display):
    """Query accuracy of several runs over their epochs.

    Attributes
    ----------
    runs : mapping of str to Curves
    """

    name = "two runs"
    runs: Mapping[str, Curves]

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """A curve a run."""
        colors = (theme.right, theme.wrong, theme.text, theme.muted)
        traces = [
            {
                "type": "scatter",
                "mode": "lines",
                "x": curves.epoch.astype(np.float32),
                "y": (100 * curves.query).astype(np.float32),
                "name": name,
                "line": {
                    "color": colors[i % len(colors)],
                    "width": 2.4,
                    "dash": _DASHES[i % len(_DASHES)],
                },
                "hovertemplate": f"{name}, epoch %{{x}}: %{{y:.1f}} %<extra></extra>",
            }
            for i, (name, curves) in enumerate(self.runs.items())
        ]
        axis = {"zeroline": False, "automargin": True, "fixedrange": True}
        return go.Figure(
            traces,
            base_layout(
                theme,
                height=280,
                margin={"l": 8, "r": 8, "t": 30, "b": 8},
                legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
                xaxis={"title": {"text": "epoch"}, **axis},
                yaxis={"title": {"text": "% of query points right"}, "nticks": 6, **axis},
            ),
        )

    def table(self) -> pd.DataFrame:
        """The curves of all runs below each other, with a column ``run``."""
        return pd.concat([curves_table(c).assign(run=name) for name, c in self.runs.items()])

    def sentence(self) -> str:
        """What they come to in the end."""
        return " against ".join(f"{curves.query[-1]:.0%}" for curves in self.runs.values())
