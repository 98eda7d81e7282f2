"""Methods by shots and by class, and how often two of them answer alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.evaluation.comparison import means_facts
from slp_core.evaluation.method_runs import MethodRuns
from slp_core.evaluation.wording import Count
from slp_core.facts import Facts, Listed, fact
from slp_core.figures.display import Display
from slp_core.figures.style.figure import figure_of
from slp_core.figures.style.parts import (
    SILENT,
    heatmap,
    marker,
    named_ticks,
    rows_axis,
    scatter,
    small_layout,
    stroke,
)
from slp_core.figures.style.text import labels_of, shortened, wrapped
from slp_core.figures.style.theme import LIGHT, Theme, class_style, with_opacity

_LEGEND_ROW = 20  # pixels, where long names stand below each other


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
    scope = "data"
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
                scatter(
                    np.concatenate([x, x[::-1]]),
                    np.concatenate([mean + std, (mean - std)[::-1]]),
                    "lines",
                    fill="toself",
                    fillcolor=with_opacity(style.color, 0.11),
                    line={"width": 0, "color": with_opacity(style.color, 0)},
                    legendgroup=name,
                    **SILENT,
                )
            )
            told = [_of_draws(run) for run in series]
            lines.append(
                scatter(
                    x,
                    mean,
                    "lines+markers",
                    customdata=np.array(told, dtype=object),
                    name=shortened(name, 48),
                    legendgroup=name,
                    line={"color": style.color, "width": 2},
                    marker=marker(style, 9),
                    hovertemplate=f"{shortened(name, 48)}, %{{customdata[0]}}: "
                    "%{y:.1f}%%{customdata[1]}<extra></extra>",
                )
            )
        layout = small_layout(
            theme,
            "shots a class",
            "% of query points right",
            310 + _LEGEND_ROW * len(self.runs),
            xaxis=named_ticks(list(map(str, every))),
            yaxis={"nticks": 6},
            margin={"r": 12},
        )
        return figure_of([*bands, *lines], layout)

    def table(self) -> pd.DataFrame:
        """Columns ``method``, ``shots``, ``draws``, ``mean`` and ``std`` of accuracy, 0 to 1."""
        rows = [
            (name, run.shots, len(run.draws), run.accuracy.mean(), run.accuracy.std())
            for name, series in self.runs.items()
            for run in series
        ]
        return pd.DataFrame(rows, columns=["method", "shots", "draws", "mean", "std"])

    def facts(self) -> Facts:
        """What is to be seen."""
        methods, shots = Count(len(self.runs), "method"), Listed(self._shots)
        template = "Accuracy of {methods}, shots a class: {shots}"
        return (fact("compare.by_shots", template, methods=methods, shots=shots),)

    def caption_facts(self) -> Facts:
        """What the means are of."""
        runs = [run for series in self.runs.values() for run in series]
        return means_facts(runs, "the band to either side")

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
    scope = "shots"
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
        texts = np.array(labels_of(classes, 40), dtype=object)
        traces = [
            scatter(
                mean[name],
                rows + offset,
                "markers",
                error_x={"type": "data", "array": std[name], "width": 0, "thickness": 1.2},
                customdata=np.array(
                    [f" ± {x:.2f}" if len(f1[name]) > 1 else "" for x in std[name]], dtype=object
                ),
                text=texts,
                name=shortened(name, 48),
                marker=marker(class_style(self.styles[name], theme), 9),
                hovertemplate=f"%{{text}}, {shortened(name, 40)}: F1 %{{x:.2f}}"
                "%{customdata}<extra></extra>",
            )
            for offset, name in zip(shift, f1, strict=True)
        ]
        between = [
            stroke((0, 1), (row + 0.5, row + 0.5), theme.grid, 1, xref="paper")
            for row in range(len(classes) - 1)
        ]
        layout = small_layout(
            theme,
            "F1",
            None,
            90 + _LEGEND_ROW * len(f1) + max(26, 10 * len(f1)) * len(classes),
            xaxis={"nticks": 6, "range": [-0.03, min(top, 1.0) + 0.03]},
            yaxis=rows_axis(labels_of(classes), theme),
            shapes=between,
            margin={"r": 12},
        )
        return figure_of(traces, layout)

    def table(self) -> pd.DataFrame:
        """Columns ``class``, ``method``, and ``mean`` and ``std`` of F1 over ``draws`` draws."""
        rows = [
            (name, method, values[:, k].mean(), values[:, k].std(), len(values))
            for k, name in enumerate(self.classes)
            for method, values in self.f1.items()
        ]
        return pd.DataFrame(rows, columns=["class", "method", "mean", "std", "draws"])

    def facts(self) -> Facts:
        """What is to be seen."""
        classes = Count(len(self.classes), "class", "classes")
        methods = Count(len(self.f1), "method")
        template = "{measure} of {classes} by {methods}"
        told = {"measure": "F1", "classes": classes, "methods": methods}
        return (fact("compare.by_class", template, **told),)


@dataclass(frozen=True, eq=False)
class AgreementDisplay(Display):
    """Share of points on which each pair of methods answers the same.

    Attributes
    ----------
    same : (M, M) array
    methods : sequence of str
    """

    name = "agreement"
    scope = "answers"
    same: np.ndarray
    methods: Sequence[str]

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """A heatmap without its diagonal."""
        same, n = self.same, len(self.methods)
        labels = [wrapped(name, 20) for name in self.methods]
        text = [[f"{same[i, j]:.0%}" if i != j else "" for j in range(n)] for i in range(n)]
        hover = [
            [f"{labels[i]}<br>and {labels[j]}<br>{same[i, j]:.1%} alike" for j in range(n)]
            for i in range(n)
        ]
        shares = np.where(np.eye(n, dtype=bool), np.nan, same)
        cells = heatmap(shares, text, hover, theme.right, theme)
        font = {"color": theme.text, "size": 12}
        ticks = named_ticks(labels, tickfont=font, showgrid=False, ticks="outside")
        across, down = {"tickangle": 0 if n <= 2 else -45}, {"autorange": "reversed"}
        layout = small_layout(theme, None, None, 150 + 48 * n, 8, ticks | across, ticks | down)
        return figure_of(cells, layout)

    def table(self) -> pd.DataFrame:
        """One row a pair of methods: ``method``, ``other`` and ``alike``, 0 to 1."""
        rows = [
            (self.methods[i], self.methods[j], self.same[i, j])
            for i, j in combinations(range(len(self.methods)), 2)
        ]
        return pd.DataFrame(rows, columns=["method", "other", "alike"])

    def facts(self) -> Facts:
        """What is to be seen."""
        template = "Share of query points that pairs of {methods} answer alike"
        return (fact("compare.pairs", template, methods=Count(len(self.methods), "method")),)


def _of_draws(run: MethodRuns) -> tuple[str, str]:
    """What a mean is of, to be pointed at: its shots, and its spread and draws."""
    n = len(run.draws)
    spread = f" ± {100 * run.accuracy.std():.1f} over {n} draws" if n > 1 else ", one draw"
    return f"{Count(run.shots, 'shot')}", spread
