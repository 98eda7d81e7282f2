"""Curves of training runs, several at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from slp_core.figures.display import Display
from slp_core.figures.style.parts import distinct_line, scatter, small_layout
from slp_core.figures.style.theme import LIGHT, Theme
from slp_core.figures.training_text import ends_text
from slp_core.methods.training import Curves


def curves_table(curves: Curves) -> pd.DataFrame:
    """Columns ``epoch``, ``loss``, ``support`` and ``query`` (accuracies, 0 to 1)."""
    columns = ("epoch", "loss", "support", "query")
    return pd.DataFrame({name: getattr(curves, name) for name in columns})


@dataclass(frozen=True, eq=False)
class RunsDisplay(Display):
    """Accuracy of several runs over their epochs."""

    name = "two runs"
    scope = ""
    runs: Mapping[str, Curves]
    same_examples: bool = True

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """A curve a run."""
        traces = [
            scatter(
                curves.epoch,
                100 * curves.query,
                "lines",
                name=name,
                line=distinct_line(i, theme),
                hovertemplate=f"{name}, epoch %{{x}}: %{{y:.1f}}%<extra></extra>",
            )
            for i, (name, curves) in enumerate(self.runs.items())
        ]
        y = "accuracy (%)"
        return go.Figure(traces, small_layout(theme, "epoch", y, 280, yaxis={"nticks": 6}))

    def table(self) -> pd.DataFrame:
        """The curves of all runs below each other, with a column ``run``."""
        return pd.concat([curves_table(c).assign(run=name) for name, c in self.runs.items()])

    def sentence(self) -> str:
        """What they come to in the end."""
        ends = {name: float(curves.query[-1]) for name, curves in self.runs.items()}
        return ends_text(ends, self.same_examples)
