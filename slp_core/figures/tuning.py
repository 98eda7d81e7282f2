"""Loss curves of the lines that MetaSLP tunes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.evaluation.meta_testing import MetaTest
from slp_core.figures.display import Display
from slp_core.figures.style.parts import scatter, small_layout
from slp_core.figures.style.theme import LIGHT, Theme

_DASHES = ("solid", "dash", "dot", "dashdot", "longdash")


@dataclass(frozen=True, eq=False)
class TuningDisplay(Display):
    """Cross-entropy on the support set before each step, a curve a line.

    Attributes
    ----------
    result : MetaTest
    """

    name = "tuning"
    result: MetaTest

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """A mark a step."""
        colors = (theme.right, theme.wrong, theme.text, theme.muted)
        traces = [
            scatter(
                np.arange(len(losses), dtype=np.uint8),
                losses,
                "lines+markers",
                name=name,
                line={"color": colors[i % len(colors)], "width": 2.4}
                | {"dash": _DASHES[i % len(_DASHES)]},
                marker={"symbol": i, "size": 7},
                hovertemplate=f"{name}, step %{{x}}: %{{y:.3f}}<extra></extra>",
            )
            for i, (name, losses) in enumerate(
                zip(self.result.lines, self.result.losses, strict=True)
            )
        ]
        layout = small_layout(
            theme,
            "steps taken",
            "loss (nats)",
            280,
            xaxis={"dtick": 1},
            yaxis={"rangemode": "tozero"},
            showlegend=True,
        )
        return go.Figure(traces, layout)

    def table(self) -> pd.DataFrame:
        """Columns ``line``, ``step`` and ``loss``."""
        return pd.DataFrame(
            [
                (name, step, loss)
                for name, losses in zip(self.result.lines, self.result.losses, strict=True)
                for step, loss in enumerate(losses)
            ],
            columns=["line", "step", "loss"],
        )

    def sentence(self) -> str:
        """What is drawn."""
        return "Loss of each line before each step"
