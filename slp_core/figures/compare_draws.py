"""Methods over draws: every run as a mark, and two of them in pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.evaluation.comparison import PairedDifference, number_of_draws, shared_draws
from slp_core.evaluation.method_runs import MethodRuns
from slp_core.figures.display import Display
from slp_core.figures.style.text import shortened, wrapped
from slp_core.figures.style.theme import (
    LIGHT,
    ClassStyle,
    Theme,
    base_layout,
    class_style,
    with_opacity,
)

_ROW = 62  # pixels
_SPREAD = 0.26  # of a row, to either side: the draws of one method stand apart
FIXED: dict[str, Any] = {"zeroline": False, "automargin": True, "fixedrange": True}


@dataclass(frozen=True, eq=False)
class RunsDisplay(Display):
    """Accuracy of every run, a row a method; a faint line joins what one draw gave each.

    Behind a row's marks stand its mean and ± one standard deviation (ddof = 0). Where some methods
    have fewer draws than others, these are of the draws that all have, and other draws are faint.

    Attributes
    ----------
    runs : mapping of str to MethodRuns
        From the top row down.
    styles : mapping of str to int
        Of each method, a number for ``class_style``.
    """

    name = "runs"
    runs: Mapping[str, MethodRuns]
    styles: Mapping[str, int]

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """Marks in rows, joined by draw."""
        runs = self.runs
        draws = sorted({draw for run in runs.values() for draw in run.draws})
        shift = dict(zip(draws, _shifts(len(draws)), strict=True))
        shared = shared_draws(runs) or draws
        shapes, marks, labels, reaches = [], [], [], []
        for row, (name, run) in enumerate(runs.items()):
            percent, style = 100 * run.accuracy, class_style(self.styles[name], theme)
            counts = np.isin(run.draws, list(shared))
            mean, std = percent[counts].mean(), percent[counts].std()
            labels.append(f"{wrapped(name, 24)}<br><b>{mean:.1f}%</b> ± {std:.1f}")
            shapes += _mean_and_band(row, mean, std, style, theme)
            marks.append(
                {
                    "type": "scatter",
                    "mode": "markers",
                    "x": percent.astype(np.float32),
                    "y": np.array([row + shift[draw] for draw in run.draws], dtype=np.float32),
                    "customdata": np.array(run.draws),
                    "name": shortened(name, 40),
                    "marker": marker(style)
                    | {"line": {"width": 1, "color": theme.background}}
                    | {"opacity": np.where(counts, 1.0, 0.3).astype(np.float32)},
                    "hovertemplate": f"{shortened(name, 40)}, draw %{{customdata}}: %{{x:.1f}} %"
                    "<extra></extra>",
                }
            )
            reaches.append([*percent, mean - std, mean + std])
        reach = np.concatenate(reaches)
        pad = max(1.0, 0.05 * float(np.ptp(reach)))
        layout = base_layout(
            theme,
            height=70 + _ROW * len(runs),
            margin={"l": 8, "r": 12, "t": 8, "b": 8},
            shapes=shapes,
            showlegend=False,
            xaxis={"title": {"text": "% of query points right"}, "nticks": 7, **FIXED}
            | {"range": [float(reach.min()) - pad, float(reach.max()) + pad]},
            yaxis=rows_axis(labels, theme),
        )
        return go.Figure([_threads(runs, draws, shift, theme), *marks], layout)

    def table(self) -> pd.DataFrame:
        """One row a run: ``method``, ``shots``, ``draw`` and what it was judged by."""
        rows = [
            {"method": name, "shots": run.shots, "draw": draw, **scores._asdict()}
            for name, run in self.runs.items()
            for draw, scores in zip(run.draws, run.scores, strict=True)
        ]
        return pd.DataFrame(rows)

    def sentence(self) -> str:
        """What is to be seen."""
        n = number_of_draws(self.runs.values())
        return f"Accuracy of {len(self.runs)} methods on each of {n} draws"


@dataclass(frozen=True, eq=False)
class PairedDisplay(Display):
    """What A is above B on each draw, with the mean and its interval.

    Attributes
    ----------
    difference : PairedDifference
    """

    name = "paired differences"
    difference: PairedDifference

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """A mark a draw, by who is ahead, over the band of the interval."""
        difference = self.difference
        low, high = difference.low, difference.high
        points = 100 * difference.difference
        shapes: list[dict[str, Any]] = [_upright(0.0, theme.muted, 1, "dash")]
        if low is not None and high is not None:
            shapes.append(
                {"type": "rect", "yref": "paper", "y0": 0, "y1": 1, "layer": "below"}
                | {"x0": 100 * low, "x1": 100 * high, "line": {"width": 0}}
                | {"fillcolor": with_opacity(theme.muted, 0.2)}
            )
        shapes.append(_upright(100 * difference.mean, theme.text, 2, "solid"))
        rows = np.arange(len(points))
        marks = [
            {
                "type": "scatter",
                "mode": "markers",
                "x": points[here].astype(np.float32),
                "y": rows[here],
                "customdata": np.array(difference.draws)[here],
                "marker": {"color": color, "symbol": symbol, "size": 11},
                "hovertemplate": "draw %{customdata}: %{x:+.1f} points<extra></extra>",
            }
            for here, color, symbol in (
                (points >= 0, theme.right, "circle"),
                (points < 0, theme.wrong, "diamond"),
            )
        ]
        ends = [abs(100 * end) for end in (low, high) if end is not None]
        reach = 1.15 * max(1.0, float(np.abs(points).max()), *ends)
        layout = base_layout(
            theme,
            height=110 + 20 * len(difference.draws),
            margin={"l": 8, "r": 12, "t": 30, "b": 8},
            shapes=shapes,
            showlegend=False,
            annotations=[
                _side("◀ B ahead", 0, "left", theme),
                _side("A ahead ▶", 1, "right", theme),
            ],
            xaxis={"title": {"text": "points between them"}, "range": [-reach, reach]} | FIXED,
            yaxis={"title": {"text": "draw"}, "range": [rows[-1] + 0.7, -0.7], "tickmode": "array"}
            | {"tickvals": rows, "ticktext": np.array(difference.draws, dtype=str)}
            | FIXED,
        )
        return go.Figure(marks, layout)

    def table(self) -> pd.DataFrame:
        """Columns ``draw`` and ``difference``, of accuracies from 0 to 1."""
        difference = self.difference
        return pd.DataFrame({"draw": difference.draws, "difference": difference.difference})

    def sentence(self) -> str:
        """What is to be seen."""
        return self.difference.sentence()


def rows_axis(labels: Sequence[str], theme: Theme) -> dict[str, Any]:
    """An axis of named rows, from the top down."""
    return {
        "range": [len(labels) - 0.5, -0.5],
        "tickmode": "array",
        "tickvals": np.arange(len(labels)),
        "ticktext": np.array(labels, dtype=object),
        "tickfont": {"color": theme.text, "size": 13},
        "showgrid": False,
        **FIXED,
    }


def marker(style: ClassStyle) -> dict[str, Any]:
    """A method's mark."""
    return {"color": style.color, "symbol": style.symbol, "size": 9 * style.scale}


def _threads(
    runs: Mapping[str, MethodRuns], draws: list[int], shift: Mapping[int, float], theme: Theme
) -> dict[str, Any]:
    """One faint line a draw, down through the rows; a method without that draw is left out."""
    x, y = [], []
    for draw in draws:
        for row, run in enumerate(runs.values()):
            if draw in run.draws:
                x.append(100 * run.accuracy[run.draws.index(draw)])
                y.append(row + shift[draw])
        x.append(np.nan)
        y.append(np.nan)
    return {
        "type": "scatter",
        "mode": "lines",
        "x": np.array(x, dtype=np.float32),
        "y": np.array(y, dtype=np.float32),
        "line": {"color": with_opacity(theme.muted, 0.3), "width": 1},
        "hoverinfo": "skip",
    }


def _mean_and_band(
    row: int, mean: float, std: float, style: ClassStyle, theme: Theme
) -> list[dict[str, Any]]:
    tall = {"y0": row - 0.38, "y1": row + 0.38, "layer": "below"}
    band = {"type": "rect", "x0": mean - std, "x1": mean + std, **tall}
    tick = {"type": "line", "x0": mean, "x1": mean, **tall}
    return [
        band | {"fillcolor": with_opacity(style.color, 0.16), "line": {"width": 0}},
        tick | {"line": {"color": theme.text, "width": 2}},
    ]


def _shifts(n: int) -> list[float]:
    return [0.0] if n == 1 else np.linspace(-_SPREAD, _SPREAD, n).tolist()


def _upright(x: float, color: str, width: float, dash: str) -> dict[str, Any]:
    return {"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": x, "x1": x} | {
        "line": {"color": color, "width": width, "dash": dash}
    }


def _side(text: str, x: float, anchor: str, theme: Theme) -> dict[str, Any]:
    place = {"xref": "paper", "yref": "paper", "x": x, "y": 1.0, "yanchor": "bottom"}
    return {"text": text, "xanchor": anchor, "showarrow": False, **place} | {
        "font": {"color": theme.muted, "size": 12}
    }
