"""Calibration: reliability, accuracy by coverage, entropies in and out of distribution."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.diagnostics.calibration import Calibration, OutOfDistribution
from slp_core.diagnostics.text import calibration_text, out_of_distribution_text
from slp_core.figures.display import Display
from slp_core.figures.style.parts import bars, percent_range, scatter, stroke
from slp_core.figures.style.theme import LIGHT, Theme, blend, chart, with_opacity

_SIZE = {"height": 290, "margin": {"t": 30, "r": 16}}
_FEW = 30  # steps of a curve that a line alone may not show
_BINS = 40  # at most


@dataclass(frozen=True, eq=False)
class _CalibrationDisplay(Display):
    """Base of those that show whether confidence can be trusted."""

    calibration: Calibration

    def sentence(self) -> str:
        return calibration_text(self.calibration)


@dataclass(frozen=True, eq=False)
class ReliabilityDisplay(_CalibrationDisplay):
    """Accuracy in each bin of confidence; on the diagonal a method is well calibrated."""

    name = "reliability"

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        bins = self.calibration
        middle = (bins.edges[:-1] + bins.edges[1:]) / 2
        hover = (
            "%{customdata[0]} examples<br>mean confidence %{customdata[1]:.0%}<br>"
            "accuracy %{y:.0%}<extra></extra>"
        )
        accuracy = bars(
            middle,
            bins.accuracy,
            width=np.diff(bins.edges) * 0.92,
            marker={"color": blend(theme.correct, theme.background, 0.75), "line": {"width": 0}},
            customdata=np.column_stack([bins.count, bins.confidence]).astype(np.float32),
            hovertemplate=hover,
        )
        line = {"width": 2.5, "color": theme.wrong}
        mark = {"symbol": "line-ew-open", "size": 16, "color": theme.wrong, "line": line}
        sure = scatter(middle, bins.confidence, "markers", marker=mark, hoverinfo="skip")
        diagonal = stroke((0, 1), (0, 1), theme.muted, 1, "dash", layer="above")
        return chart(
            theme,
            [accuracy, sure],
            **_SIZE,
            xaxis={"title": "confidence", "range": [0, 1], "tickformat": ".0%"},
            yaxis={"title": "accuracy", "range": [0, 1.02], "tickformat": ".0%"},
            showlegend=False,
            shapes=[diagonal],
        )

    def table(self) -> pd.DataFrame:
        bins = self.calibration
        ends = {"from": bins.edges[:-1], "to": bins.edges[1:], "examples": bins.count}
        return pd.DataFrame({**ends, "confidence": bins.confidence, "accuracy": bins.accuracy})


@dataclass(frozen=True, eq=False)
class SelectiveDisplay(_CalibrationDisplay):
    """Accuracy of the most confident predictions, by how many of them are given."""

    name = "selective accuracy"

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        selective = self.calibration.selective
        trace = scatter(
            self.calibration.coverage,
            selective,
            "lines" if len(selective) > _FEW else "lines+markers",
            line={"color": theme.correct, "width": 2.5},
            hovertemplate="most confident %{x:.0%}: accuracy %{y:.0%}<extra></extra>",
        )
        low = 100 * float(np.min(selective[self.calibration.coverage > 0.05], initial=1.0))
        ends = np.array(percent_range([low, 100], 0, 8)) / 100
        x = {"title": "coverage, most confident first", "range": [0, 1.01], "tickformat": ".0%"}
        y = {"title": "accuracy", "range": ends.tolist(), "tickformat": ".0%"}
        return chart(theme, trace, **_SIZE, xaxis=x, yaxis=y, showlegend=False)

    def table(self) -> pd.DataFrame:
        found = self.calibration
        columns = {"confidence": found.least, "coverage": found.coverage}
        return pd.DataFrame({**columns, "accuracy": found.selective})


@dataclass(frozen=True, eq=False)
class EntropyDisplay(Display):
    """Entropies of predictions in and out of distribution, as shares of either set."""

    name = "entropies"
    entropies: OutOfDistribution
    names: tuple[str, str]

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        traces = [
            {
                "type": "histogram",
                "x": values.astype(np.float32),
                "histnorm": "probability",
                **{"bingroup": "both", "nbinsx": _BINS, "xbins": {"start": 0}},
                "name": name,
                "marker": {"color": with_opacity(color, 0.55)}
                | {"pattern": {"shape": shape, "fgcolor": color, "solidity": 0.2}},
                "hovertemplate": f"{name}: %{{y:.0%}} at %{{x}} nats<extra></extra>",
            }
            for values, name, color, shape in (
                (self.entropies.inside, self.names[0], theme.correct, ""),
                (self.entropies.outside, self.names[1], theme.wrong, "/"),
            )
        ]
        x = {"title": "entropy (nats)", "nticks": 6}
        y = {"title": "share of examples", "tickformat": ".0%"}
        look = _SIZE | {"barmode": "overlay", "showlegend": True}
        return chart(theme, traces, **look, xaxis=x, yaxis=y)

    def table(self) -> pd.DataFrame:
        inside, outside = self.entropies.inside, self.entropies.outside
        where = np.repeat(self.names, [len(inside), len(outside)])
        return pd.DataFrame({"from": where, "entropy": np.concatenate([inside, outside])})

    def sentence(self) -> str:
        return out_of_distribution_text(self.entropies, self.names[1])
