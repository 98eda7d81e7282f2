"""Methods by shots and by class, and how often two of them make the same prediction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.evaluation.comparison import coincident
from slp_core.evaluation.method_runs import MethodRuns
from slp_core.evaluation.text import means_text
from slp_core.figures.display import Display
from slp_core.figures.style.parts import (
    heatmap,
    marker,
    named_ticks,
    percent_range,
    row_axis,
    scatter,
    stroke,
)
from slp_core.figures.style.text import labels_of, shortened, wrapped
from slp_core.figures.style.theme import LIGHT, Theme, chart, class_style
from slp_core.sentences import MethodTitle, count, listed, percent

_LEGEND_ROW = 20  # pixels, where long names stand below each other
_FEW = 6  # methods in a square, whose cells then have room for larger letters
_APART = 0.12  # methods by shots, to either side


@dataclass(frozen=True, eq=False)
class ShotsDisplay(Display):
    """Mean accuracy by shots ± SD, a curve for each method."""

    name = "accuracy by shots"
    scope = "data"
    runs: Mapping[str, Sequence[MethodRuns]]
    styles: Mapping[str, int]

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        every = self._shots
        lines, reaches, same = [], [], coincident(self.runs)
        of_method = self.table().groupby("method", sort=False)
        for shift, (method, found) in zip(shifts(len(self.runs), _APART), of_method, strict=True):
            name = str(method)
            style = class_style(self.styles[name], theme)
            x = np.searchsorted(every, found["shots"]).astype(np.float32) + shift
            mean, std = (100 * found[what].to_numpy() for what in ("mean", "std"))
            low, high = np.clip([mean - std, mean + std], 0, 100)
            reaches += [*low, *high]
            about = [
                (
                    count(shots, "shot"),
                    f"{f' ± {sd:.1f}' if n > 1 else ''}, {count(n, 'support set')}",
                )
                for shots, n, sd in zip(found["shots"], found["support sets"], std, strict=True)
            ]
            lines.append(
                scatter(
                    x,
                    mean,
                    "lines+markers",
                    customdata=np.array(about, dtype=object),
                    name=shortened(name, 48),
                    error_y=_strokes(mean, low, high),
                    line={"color": style.color, "width": 2}
                    | {"dash": "dash" if name in same else "solid"},
                    marker=marker(style, 9),
                    hovertemplate=f"{shortened(name, 48)}, %{{customdata[0]}}: "
                    "%{y:.1f}%%{customdata[1]}<extra></extra>",
                )
            )
        x = {"title": "shots per class", "range": [-0.4, len(every) - 0.6]}
        y = {"nticks": 6, "range": percent_range(reaches)}
        return chart(
            theme,
            lines,
            height=310 + _LEGEND_ROW * len(self.runs),
            margin={"r": 12, "t": 30},
            xaxis=named_ticks(list(map(str, every)), **x),
            yaxis={"title": "accuracy (%)", **y},
        )

    def table(self) -> pd.DataFrame:
        rows = [
            (name, run.shots, len(run.draws), run.accuracy.mean(), run.accuracy.std())
            for name, series in self.runs.items()
            for run in series
        ]
        return pd.DataFrame(rows, columns=["method", "shots", "support sets", "mean", "std"])

    def sentence(self) -> str:
        n = count(len(self.runs), "method")
        return f"Mean accuracy of {n}; shots per class: {listed(self._shots)}."

    def caption(self) -> str:
        text = means_text([run for series in self.runs.values() for run in series])
        groups: dict[str, list[str]] = {}
        for name, other in coincident(self.runs).items():
            groups.setdefault(other, []).append(f"{MethodTitle(name):inside}")
        same = [
            f"{listed(names)} {'coincides' if len(names) == 1 else 'coincide'} with "
            f"{MethodTitle(other):inside}"
            for other, names in groups.items()
        ]
        return f"{text} Dashed: {listed(same)}." if same else text

    @property
    def _shots(self) -> list[int]:
        return sorted({run.shots for series in self.runs.values() for run in series})


@dataclass(frozen=True, eq=False)
class ClassF1Display(Display):
    """Each class's F1, mean ± SD over the support sets, a marker for each method."""

    name = "F1 by class"
    scope = "shots"
    f1: Mapping[str, np.ndarray]  # (n, K)
    classes: Sequence[str]
    styles: Mapping[str, int]

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        f1, table = self.f1, self.table()
        classes = table["class"].unique().tolist()
        top = float((table["mean"] + table["std"]).clip(0, 1).max())
        texts = np.array(labels_of(classes, 40), dtype=object)
        traces = []
        of_method = table.groupby("method", sort=False)
        for offset, (method, found) in zip(shifts(len(f1), 0.3), of_method, strict=True):
            name = str(method)
            mean, std = found["mean"].to_numpy(), found["std"].to_numpy()
            spread = [f" ± {x:.2f}" if len(f1[name]) > 1 else "" for x in std]
            traces.append(
                scatter(
                    mean,
                    np.arange(len(classes)) + offset,
                    "markers",
                    error_x=_strokes(mean, *np.clip([mean - std, mean + std], 0, 1)),
                    customdata=np.array(spread, dtype=object),
                    text=texts,
                    name=shortened(name, 48),
                    marker=marker(class_style(self.styles[name], theme), 9),
                    hovertemplate=f"%{{text}}, {shortened(name, 40)}: F1 %{{x:.2f}}"
                    "%{customdata}<extra></extra>",
                )
            )
        between = [
            stroke((0, 1), (row + 0.5, row + 0.5), theme.grid, 1, xref="paper")
            for row in range(len(classes) - 1)
        ]
        return chart(
            theme,
            traces,
            height=90 + _LEGEND_ROW * len(f1) + max(26, 10 * len(f1)) * len(classes),
            margin={"r": 12, "t": 30},
            xaxis={"title": "F1", "nticks": 6, "range": [-0.03, top + 0.03]},
            yaxis=row_axis(labels_of(classes), theme, 13),
            shapes=between,
        )

    def table(self) -> pd.DataFrame:
        """Of classes with query examples, over the draws on which they have some."""
        tested = np.isfinite(np.concatenate([*self.f1.values()])).any(axis=0)
        parts = []
        for method, f1 in self.f1.items():
            known = pd.DataFrame(f1[:, tested], columns=np.array(self.classes)[tested])
            found = {"mean": known.mean(), "std": known.std(ddof=0)}
            parts.append(pd.DataFrame({"method": method, **found, "support sets": len(f1)}))
        each = pd.concat([part.rename_axis("class").reset_index() for part in parts])
        return each.sort_index(kind="stable", ignore_index=True)

    def sentence(self) -> str:
        table = self.table()
        classes = count(table["class"].nunique(), "class", "classes")
        methods, mean = count(len(self.f1), "method"), table["mean"]
        return f"Mean F1 of {classes} by {methods}: {mean.min():.2f} to {mean.max():.2f}."


@dataclass(frozen=True, eq=False)
class AgreementDisplay(Display):
    """Share of query examples with the same prediction, for each pair of methods."""

    name = "agreement"
    scope = "predictions"
    same: np.ndarray  # (M, M)
    methods: Sequence[str]

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        same, n = self.same, len(self.methods)
        labels = [wrapped(name, 20) for name in self.methods]
        text = [[percent(same[i, j]) if i != j else "" for j in range(n)] for i in range(n)]
        hover = [
            [f"{labels[i]}<br>and {labels[j]}<br>{same[i, j]:.1%} the same" for j in range(n)]
            for i in range(n)
        ]
        shares = np.where(np.eye(n, dtype=bool), np.nan, same)
        # A size of Plotly's own choice would count the markup that colours a cell's text.
        size = 13 if n <= _FEW else 10
        cells = heatmap(shares, text, hover, theme.correct, theme, textfont={"size": size})
        font = {"color": theme.text, "size": 12}
        ticks = named_ticks(labels, tickfont=font, showgrid=False, ticks="outside")
        across, down = {"tickangle": 0 if n <= 2 else -45}, {"autorange": "reversed"}
        axes = {"xaxis": ticks | across, "yaxis": ticks | down}
        return chart(theme, cells, height=150 + 48 * n, **axes)

    def table(self) -> pd.DataFrame:
        rows = [
            (self.methods[i], self.methods[j], self.same[i, j])
            for i, j in combinations(range(len(self.methods)), 2)
        ]
        return pd.DataFrame(rows, columns=["method", "other", "same_prediction"])

    def sentence(self) -> str:
        shares = self.same[~np.eye(len(self.methods), dtype=bool)]
        low, high = percent(shares.min()), percent(shares.max())
        return (
            f"Any two of {len(self.methods)} methods make the same prediction on "
            f"{low if low == high else f'{low} to {high}'} of the query examples."
        )


def shifts(n: int, to: float) -> np.ndarray:
    """(n,) offsets that keep equal methods apart."""
    return np.linspace(-to, to, n) if n > 1 else np.zeros(1)


def _strokes(mean: np.ndarray, low: np.ndarray, high: np.ndarray) -> dict[str, Any]:
    """Error bars to both ends."""
    ends = {"array": high - mean, "arrayminus": mean - low, "symmetric": False}
    return {"type": "data", "width": 0, "thickness": 1.2, **ends}
