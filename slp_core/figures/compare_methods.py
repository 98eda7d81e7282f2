"""Methods by shots and by class, and how often two of them answer alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.evaluation.comparison import means_facts
from slp_core.evaluation.method_runs import MethodRuns
from slp_core.evaluation.wording import Count, method_titles
from slp_core.facts import Facts, Listed, MethodTitle, Part, class_names, fact
from slp_core.figures.compare_extremes import extremes_fact, mean_accuracy_facts
from slp_core.figures.display import Display
from slp_core.figures.style.parts import (
    SILENT,
    heatmap,
    marker,
    named_ticks,
    percent_range,
    rows_axis,
    scatter,
    small_layout,
    stroke,
)
from slp_core.figures.style.text import labels_of, shortened, wrapped
from slp_core.figures.style.theme import LIGHT, Theme, class_style, with_opacity

_LEGEND_ROW = 20  # pixels, where long names stand below each other
_FEW = 6  # methods in a square, whose cells then have room for larger letters
_APART, _APART_ALONE = 0.05, 0.15  # methods by shots, to either side: of many shots, of one


@dataclass(frozen=True, eq=False)
class ShotsDisplay(Display):
    """Mean accuracy by shots, a line a method, with a band of ± one standard deviation."""

    name = "accuracy by shots"
    scope = "data"
    runs: Mapping[str, Sequence[MethodRuns]]
    styles: Mapping[str, int]

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """Lines over their bands."""
        every = self._shots
        place = {shots: position for position, shots in enumerate(every)}
        bands, lines, reaches = [], [], []
        apart = shifts(len(self.runs), _APART if len(every) > 1 else _APART_ALONE)
        for shift, (name, series) in zip(apart, self.runs.items(), strict=True):
            style = class_style(self.styles[name], theme)
            x = np.array([place[run.shots] for run in series], dtype=np.float32) + shift
            mean = np.array([100 * run.accuracy.mean() for run in series])
            std = np.array([100 * run.accuracy.std() for run in series])
            low, high = np.clip([mean - std, mean + std], 0, 100)
            reaches += [low, high]
            strokes = {}
            if len(series) > 1:
                bands.append(_band(x, low, high, style.color, legendgroup=name))
            else:
                strokes["error_y"] = _strokes(mean, low, high)
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
                    **strokes,
                )
            )
        reach = np.concatenate(reaches)
        pad = max(1.0, 0.05 * float(np.ptp(reach)))
        layout = small_layout(
            theme,
            "shots a class",
            "% of query points right",
            310 + _LEGEND_ROW * len(self.runs),
            xaxis=named_ticks(list(map(str, every)), range=[-0.4, len(every) - 0.6]),
            yaxis={"nticks": 6, "range": percent_range(reach.min(), reach.max(), pad)},
            margin={"r": 12},
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

    def facts(self) -> Facts:
        """What is to be seen."""
        methods, shots = Count(len(self.runs), "method"), Listed(self._shots)
        template = "Accuracy of {methods}, shots a class: {shots}."
        shown = fact("compare.by_shots", template, methods=methods, shots=shots)
        ends = dict.fromkeys((self._shots[0], self._shots[-1]))
        return shown, *(each for n in ends for each in self._extremes(n))

    def caption_facts(self) -> Facts:
        """What the means are of."""
        runs = [run for series in self.runs.values() for run in series]
        alone = {len(series) == 1 for series in self.runs.values()}
        strokes, bands = "the stroke to either side", "the band to either side"
        if len(alone) == 2:
            return means_facts(runs, f"{bands}, or the stroke of a single mark,")
        return means_facts(runs, strokes if alone == {True} else bands)

    def _extremes(self, shots: int) -> Facts:
        """Which methods are right most and least often with so many shots."""
        at = [(n, run) for n, series in self.runs.items() for run in series if run.shots == shots]
        return mean_accuracy_facts(at, "At {shots}", shots=Count(shots, "shot"))

    @property
    def _shots(self) -> list[int]:
        return sorted({run.shots for series in self.runs.values() for run in series})


@dataclass(frozen=True, eq=False)
class ClassF1Display(Display):
    """Each class's F1, mean over the draws with ± one standard deviation, a mark a method."""

    name = "F1 by class"
    scope = "shots"
    f1: Mapping[str, np.ndarray]  # (n, K)
    classes: Sequence[str]
    styles: Mapping[str, int]

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """Marks with strokes, in a row a class."""
        f1, classes = self.f1, self.classes
        mean = {name: values.mean(axis=0) for name, values in f1.items()}
        std = {name: values.std(axis=0) for name, values in f1.items()}
        ends = {
            name: np.clip([mean[name] - std[name], mean[name] + std[name]], 0, 1) for name in f1
        }
        top = max(float(high.max()) for _, high in ends.values())
        rows = np.arange(len(classes))
        texts = np.array(labels_of(classes, 40), dtype=object)
        traces = [
            scatter(
                mean[name],
                rows + offset,
                "markers",
                error_x=_strokes(mean[name], *ends[name]),
                customdata=np.array(
                    [f" ± {x:.2f}" if len(f1[name]) > 1 else "" for x in std[name]], dtype=object
                ),
                text=texts,
                name=shortened(name, 48),
                marker=marker(class_style(self.styles[name], theme), 9),
                hovertemplate=f"%{{text}}, {shortened(name, 40)}: F1 %{{x:.2f}}"
                "%{customdata}<extra></extra>",
            )
            for offset, name in zip(shifts(len(f1), 0.3), f1, strict=True)
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
            xaxis={"nticks": 6, "range": [-0.03, top + 0.03]},
            yaxis=rows_axis(labels_of(classes), theme),
            shapes=between,
            margin={"r": 12},
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

    def facts(self) -> Facts:
        """What is to be seen."""
        classes = Count(len(self.classes), "class", "classes")
        methods = Count(len(self.f1), "method")
        template = "{measure} of {classes} by {methods}."
        told = {"measure": "F1", "classes": classes, "methods": methods}
        marks, values = [], []
        for method, f1 in self.f1.items():
            for name, mean in zip(class_names(self.classes), f1.mean(axis=0), strict=True):
                on = {"method": MethodTitle(method), "name": name}
                marks.append(fact("compare.class_mark", "{method:inside} on {name}", **on))
                values.append(float(mean))
        what = "Mean {measure}" if any(len(f1) > 1 for f1 in self.f1.values()) else "{measure}"
        return (
            fact("compare.by_class", template, **told),
            extremes_fact(what, marks, values, ".2f", measure=told["measure"]),
        )


@dataclass(frozen=True, eq=False)
class AgreementDisplay(Display):
    """Share of points on which each pair of methods answers the same."""

    name = "agreement"
    scope = "answers"
    same: np.ndarray  # (M, M)
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
        # A size of Plotly's own choice would count the markup that colours a cell's text.
        size = 13 if n <= _FEW else 10
        cells = heatmap(shares, text, hover, theme.right, theme, textfont={"size": size})
        font = {"color": theme.text, "size": 12}
        ticks = named_ticks(labels, tickfont=font, showgrid=False, ticks="outside")
        across, down = {"tickangle": 0 if n <= 2 else -45}, {"autorange": "reversed"}
        layout = small_layout(theme, None, None, 150 + 48 * n, 8, ticks | across, ticks | down)
        return go.Figure(cells, layout)

    def table(self) -> pd.DataFrame:
        """One row a pair of methods: ``method``, ``other`` and ``alike``, 0 to 1."""
        rows = [
            (self.methods[i], self.methods[j], self.same[i, j])
            for i, j in combinations(range(len(self.methods)), 2)
        ]
        return pd.DataFrame(rows, columns=["method", "other", "alike"])

    def facts(self) -> Facts:
        """What is to be seen."""
        template = "Share of query points that pairs of {methods} answer alike."
        shown = fact("compare.pairs", template, methods=Count(len(self.methods), "method"))
        pairs = list(combinations(range(len(self.methods)), 2))
        if not pairs:
            return (shown,)
        names = method_titles(self.methods)
        marks = [
            fact("compare.pair_mark", "{a:inside} with {b:inside}", a=names[i], b=names[j])
            for i, j in pairs
        ]
        shares = [Part(self.same[pair]) for pair in pairs]
        return shown, extremes_fact("The share", marks, shares, ".0%")


def shifts(n: int, to: float) -> np.ndarray:
    """(n,) places beside a whole number, so that methods that are level are all seen."""
    return np.linspace(-to, to, n) if n > 1 else np.zeros(1)


def _band(
    x: np.ndarray, low: np.ndarray, high: np.ndarray, color: str, **trace: Any
) -> dict[str, Any]:
    """A filled outline from the one line to the other, as Plotly has it."""
    y = np.concatenate([high, low[::-1]])
    line = {"width": 0, "color": with_opacity(color, 0)}
    fill = {"fill": "toself", "fillcolor": with_opacity(color, 0.11), "line": line}
    return scatter(np.concatenate([x, x[::-1]]), y, "lines", **fill, **SILENT, **trace)


def _strokes(mean: np.ndarray, low: np.ndarray, high: np.ndarray) -> dict[str, Any]:
    """From marks to both ends, as Plotly's error bars."""
    ends = {"array": high - mean, "arrayminus": mean - low, "symmetric": False}
    return {"type": "data", "width": 0, "thickness": 1.2, **ends}


def _of_draws(run: MethodRuns) -> tuple[str, str]:
    """What a mean is of, to be pointed at: its shots, and its spread and draws."""
    n = len(run.draws)
    spread = f" ± {100 * run.accuracy.std():.1f} over {n} draws" if n > 1 else ", one draw"
    return f"{Count(run.shots, 'shot')}", spread
