"""Methods by shots and by class, and how often two of them answer alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.evaluation.method_runs import MethodRuns
from slp_core.figures.compare_draws import FIXED, marker, rows_axis
from slp_core.figures.display import Display
from slp_core.figures.style.text import shortened, wrapped
from slp_core.figures.style.theme import (
    LIGHT,
    Theme,
    base_layout,
    blend,
    class_style,
    with_opacity,
)

_LEGEND_ROW = 20  # pixels, where long names stand below each other
_LEGEND = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"}


@dataclass(frozen=True, eq=False)
class ShotsDisplay(Display):
    """Mean accuracy by shots, a line a method, with a band of ± one standard deviation.

    Attributes
    ----------
    runs : mapping of str to sequence of MethodRuns
        One for each number of shots.
    styles : mapping of str to int
        Of each method, a number for ``class_style``.
    """

    name = "accuracy by shots"
    runs: Mapping[str, Sequence[MethodRuns]]
    styles: Mapping[str, int]

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """Lines over their bands."""
        every = self._shots
        place = {shots: position for position, shots in enumerate(every)}
        bands, lines = [], []
        for name, series in self.runs.items():
            style = class_style(self.styles[name], theme)
            x = np.array([place[run.shots] for run in series], dtype=np.float32)
            mean = np.array([100 * run.accuracy.mean() for run in series])
            std = np.array([100 * run.accuracy.std() for run in series])
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
                        [[r.shots for r in series], std, [len(r.draws) for r in series]]
                    ),
                    "name": shortened(name, 48),
                    "legendgroup": name,
                    "line": {"color": style.color, "width": 2},
                    "marker": marker(style),
                    "hovertemplate": f"{shortened(name, 48)}, %{{customdata[0]}} shots: "
                    "%{y:.1f} % ± %{customdata[1]:.1f} over %{customdata[2]} draws<extra></extra>",
                }
            )
        layout = base_layout(
            theme,
            height=310 + _LEGEND_ROW * len(self.runs),
            margin={"l": 8, "r": 12, "t": 30, "b": 8},
            legend=_LEGEND,
            xaxis={"title": {"text": "shots a class"}, "tickmode": "array"}
            | {"tickvals": np.arange(len(every)), "ticktext": np.array([str(s) for s in every])}
            | FIXED,
            yaxis={"title": {"text": "% of query points right"}, "nticks": 6} | FIXED,
        )
        return go.Figure([*bands, *lines], layout)

    def table(self) -> pd.DataFrame:
        """Columns ``method``, ``shots``, ``draws``, ``mean`` and ``std`` of accuracy, 0 to 1."""
        rows = [
            (name, run.shots, len(run.draws), run.accuracy.mean(), run.accuracy.std())
            for name, series in self.runs.items()
            for run in series
        ]
        return pd.DataFrame(rows, columns=["method", "shots", "draws", "mean", "std"])

    def sentence(self) -> str:
        """What is to be seen."""
        shots = ", ".join(map(str, self._shots))
        return f"Accuracy of {len(self.runs)} methods with {shots} shots"

    @property
    def _shots(self) -> list[int]:
        return sorted({run.shots for series in self.runs.values() for run in series})


@dataclass(frozen=True, eq=False)
class ClassF1Display(Display):
    """Each class's F1, mean over the draws with ± one standard deviation, a mark a method.

    Attributes
    ----------
    f1 : mapping of str to (n, K) array
        One row a draw.
    classes : sequence of str
    styles : mapping of str to int
        Of each method, a number for ``class_style``.
    """

    name = "F1 by class"
    f1: Mapping[str, np.ndarray]
    classes: Sequence[str]
    styles: Mapping[str, int]

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """Marks with strokes, in a row a class."""
        f1, classes = self.f1, self.classes
        mean = {name: values.mean(axis=0) for name, values in f1.items()}
        std = {name: values.std(axis=0) for name, values in f1.items()}
        top = max(float((mean[name] + std[name]).max()) for name in f1)
        shift = np.linspace(-0.3, 0.3, len(f1)) if len(f1) > 1 else np.zeros(1)
        rows = np.arange(len(classes))
        texts = np.array([shortened(name, 40) for name in classes], dtype=object)
        traces = [
            {
                "type": "scatter",
                "mode": "markers",
                "x": mean[name].astype(np.float32),
                "y": (rows + offset).astype(np.float32),
                "error_x": {"type": "data", "array": std[name], "width": 0, "thickness": 1.2},
                "customdata": std[name],
                "text": texts,
                "name": shortened(name, 48),
                "marker": marker(class_style(self.styles[name], theme)),
                "hovertemplate": f"%{{text}}, {shortened(name, 40)}: F1 %{{x:.2f}} ± "
                "%{customdata:.2f}<extra></extra>",
            }
            for offset, name in zip(shift, f1, strict=True)
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
            | FIXED,
            yaxis=rows_axis([shortened(name) for name in classes], theme),
        )
        return go.Figure(traces, layout)

    def table(self) -> pd.DataFrame:
        """Columns ``class``, ``method``, and ``mean`` and ``std`` of F1 over ``draws`` draws."""
        rows = [
            (name, method, values[:, k].mean(), values[:, k].std(), len(values))
            for k, name in enumerate(self.classes)
            for method, values in self.f1.items()
        ]
        return pd.DataFrame(rows, columns=["class", "method", "mean", "std", "draws"])

    def sentence(self) -> str:
        """What is to be seen."""
        return f"F1 of {len(self.classes)} classes by {len(self.f1)} methods"


@dataclass(frozen=True, eq=False)
class AgreementDisplay(Display):
    """Share of points on which each pair of methods answers the same.

    Attributes
    ----------
    same : (M, M) array
    methods : sequence of str
    """

    name = "agreement"
    same: np.ndarray
    methods: Sequence[str]

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """A heatmap without its diagonal."""
        same, n = self.same, len(self.methods)
        labels = np.array([wrapped(name, 20) for name in self.methods], dtype=object)
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
        ticks = FIXED | {"tickmode": "array", "tickvals": np.arange(n), "ticktext": labels}
        ticks |= {"tickfont": {"color": theme.text, "size": 12}, "showgrid": False}
        layout = base_layout(
            theme,
            height=150 + 48 * n,
            margin={"l": 8, "r": 8, "t": 8, "b": 8},
            xaxis=ticks | {"tickangle": 0 if n <= 2 else -45},
            yaxis=ticks | {"autorange": "reversed"},
        )
        return go.Figure(heatmap, layout)

    def table(self) -> pd.DataFrame:
        """One row a pair of methods: ``method``, ``other`` and ``alike``, 0 to 1."""
        rows = [
            (self.methods[i], self.methods[j], self.same[i, j])
            for i, j in combinations(range(len(self.methods)), 2)
        ]
        return pd.DataFrame(rows, columns=["method", "other", "alike"])

    def sentence(self) -> str:
        """What is to be seen."""
        return f"Share of query points that pairs of {len(self.methods)} methods answer alike"
