"""Loss curves of the lines that MetaSLP tunes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.evaluation.meta_testing import MetaTest
from slp_core.evaluation.text import tuning_loss_text
from slp_core.figures.display import Display
from slp_core.figures.style.parts import distinct_line, scatter, small_layout
from slp_core.figures.style.theme import LIGHT, Theme


@dataclass(frozen=True, eq=False)
class TuningDisplay(Display):
    """Cross-entropy on the support set before each step, a curve for each line."""

    name = "tuning"
    scope = "data"
    result: MetaTest

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """A marker for each step."""
        curves = zip(self.result.lines, self.result.losses, strict=True)
        traces = [
            scatter(
                np.arange(len(losses), dtype=np.uint8),
                losses,
                "lines+markers",
                name=name,
                line=distinct_line(i, theme),
                marker={"symbol": i, "size": 7},
                hovertemplate=f"{name}, step %{{x}}: %{{y:.3f}}<extra></extra>",
            )
            for i, (name, losses) in enumerate(curves)
        ]
        axes: dict[str, Any] = {"xaxis": {"dtick": 1}, "yaxis": {"rangemode": "tozero"}}
        layout = small_layout(theme, "step", "loss (nats)", 280, **axes, showlegend=True)
        return go.Figure(traces, layout)

    def table(self) -> pd.DataFrame:
        """Columns ``line``, ``step`` and ``loss``."""
        rows = [
            (name, step, loss)
            for name, losses in zip(self.result.lines, self.result.losses, strict=True)
            for step, loss in enumerate(losses)
        ]
        return pd.DataFrame(rows, columns=["line", "step", "loss"])

    def sentence(self) -> str:
        """What is drawn, and on how many lines the loss fell."""
        return tuning_loss_text(self.result)
