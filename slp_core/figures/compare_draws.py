"""Methods over support sets: one method, all runs, and the difference of two."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.evaluation.comparison import SAME, PairedDifference
from slp_core.evaluation.method_runs import MethodRuns
from slp_core.evaluation.text import draws_text, means_text, paired_text
from slp_core.figures.compare_methods import shifts
from slp_core.figures.display import Display
from slp_core.figures.style.parts import (
    band,
    marker,
    named_ticks,
    note,
    percent_range,
    row_axis,
    scatter,
    stroke,
)
from slp_core.figures.style.text import shortened, wrapped
from slp_core.figures.style.theme import LIGHT, Theme, chart, class_style, with_opacity
from slp_core.glossary import term
from slp_core.sentences import MethodTitle, count, listed, percent


@dataclass(frozen=True, eq=False)
class DrawsDisplay(Display):
    """Accuracy by support set, with the mean and ± 1 SD."""

    name = "support sets"
    scope = "draws"
    accuracy: pd.Series  # by draw, from 0 to 1
    method: str = "the method"
    chance: float | None = None

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        values = 100 * self.accuracy
        mean, std = values.mean(), values.std(ddof=0)
        low, high = np.clip([mean - std, mean + std], 0, 100)
        shapes = [
            band((0, 1), (low, high), with_opacity(theme.muted, 0.15), xref="paper"),
            stroke((0, 1), (mean, mean), theme.text, 1.5, xref="paper"),
        ]
        notes, ends = [], [values.min(), values.max(), low, high]
        if self.chance is not None:
            y = 100 * self.chance
            ends.append(y)
            shapes.append(stroke((0, 1), (y, y), theme.muted, 1, "dash", xref="paper"))
            corner: dict[str, Any] = {"xref": "paper", "xanchor": "right", "yanchor": "top"}
            notes.append(note("chance", 1, y, theme.muted, **corner))
        marks = scatter(
            values.index.to_numpy(),
            values.to_numpy(),
            "markers",
            marker={"color": theme.correct, "symbol": "circle", "size": 10, "line": {"width": 0}},
            hovertemplate="support set %{x}: %{y:.1f}%<extra></extra>",
        )
        reach = percent_range(ends, 0.12, 2)
        return chart(
            theme,
            marks,
            height=250,
            xaxis={"title": "support set", "dtick": 1},
            yaxis={"title": "accuracy (%)", "nticks": 5, "range": reach},
            **{"shapes": shapes, "annotations": notes, "showlegend": False},
        )

    def table(self) -> pd.DataFrame:
        return self.accuracy.rename_axis("support set").reset_index(name="accuracy")

    def sentence(self) -> str:
        accuracy, sets = self.accuracy, self.accuracy.index.nunique()
        if accuracy.isna().any():
            return "There are no query examples to evaluate on."
        runs = "" if len(accuracy) == sets else f"{count(len(accuracy), 'run')} on "
        return (
            f"{MethodTitle(self.method)}: mean accuracy {percent(accuracy.mean(), 1)} over "
            f"{runs}{count(sets, 'support set')}, {term('SD')} {accuracy.std(ddof=0):.1%}, from "
            f"{percent(accuracy.min(), 1)} to {percent(accuracy.max(), 1)}."
        )


_ROW, _LEAST = 62, 430  # pixels: a row, and the whole figure
_SPREAD = 0.26  # of a row: support sets are drawn apart


@dataclass(frozen=True, eq=False)
class RunsDisplay(Display):
    """Accuracy of every run, a row for each method; a thin line joins the same support set."""

    name = "runs"
    scope = "shots"
    runs: Mapping[str, MethodRuns]
    styles: Mapping[str, int]

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        dots = self.table()
        dots["row"], names = pd.factorize(dots["method"])
        draws, places = np.unique(dots["support set"], return_inverse=True)
        dots["x"] = 100 * dots["accuracy"]
        dots["y"] = dots["row"] + shifts(len(draws), _SPREAD)[places]
        shapes, marks, labels, reaches = [], [], [], []
        for row, name in enumerate(names):
            of, style = dots[dots["row"] == row], class_style(self.styles[name], theme)
            mean, std = of["x"].mean(), of["x"].std(ddof=0)
            spread = f" ± {std:.1f}" if len(of) > 1 else ""
            labels.append(f"{wrapped(name, 24)}<br><b>{mean:.1f}%</b>{spread}")
            tall, ends = (row - 0.38, row + 0.38), np.clip([mean - std, mean + std], 0, 100)
            if spread:
                shapes.append(band(ends, tall, with_opacity(style.color, 0.16)))
            shapes.append(stroke((mean, mean), tall, theme.text, 2))
            outline = {"width": 1, "color": theme.background}
            marks.append(
                scatter(
                    of["x"],
                    of["y"],
                    "markers",
                    customdata=of["support set"].to_numpy(),
                    name=shortened(name, 40),
                    marker=marker(style, 9, line=outline),
                    hovertemplate=f"{shortened(name, 40)}, support set %{{customdata}}: %{{x:.1f}}%"
                    "<extra></extra>",
                )
            )
            reaches += [*of["x"], *ends]
        x = {"nticks": 7, "range": percent_range(reaches)}
        return chart(
            theme,
            [_threads(dots, theme), *marks],
            height=max(_LEAST, 70 + _ROW * len(names)),
            xaxis={"title": "accuracy (%)", **x},
            yaxis=row_axis(labels, theme, 13),
            **{"shapes": shapes, "showlegend": False, "margin": {"r": 12}},
        )

    def table(self) -> pd.DataFrame:
        shots = {name: runs.shots for name, runs in self.runs.items()}
        rows = [
            {"method": name, "shots": shots[name], "support set": draw, **run.scores._asdict()}
            for name in self._best_first
            for draw, run in self.runs[name].by_draw.items()
        ]
        return pd.DataFrame(rows)

    def sentence(self) -> str:
        means = {name: self.runs[name].accuracy.mean() for name in self._best_first}
        each = listed([f"{MethodTitle(name):inside} {mean:.1%}" for name, mean in means.items()])
        return f"Mean accuracy over {draws_text(list(self.runs.values()))}: {each}."

    def caption(self) -> str:
        runs = list(self.runs.values())
        return f"One dot per support set. {means_text(runs)} Lines join the same support set."

    @property
    def _best_first(self) -> list[str]:
        """The methods, unfinished ones last."""
        runs = self.runs
        return sorted(runs, key=lambda name: (runs[name].missing > 0, -runs[name].accuracy.mean()))


@dataclass(frozen=True, eq=False)
class PairedDisplay(Display):
    """Accuracy of A minus that of B on each support set, with the mean and its interval."""

    name = "paired differences"
    scope = "shots"
    difference: PairedDifference

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        difference = self.difference
        points = 100 * difference.difference
        shapes = [_vertical(0.0, theme.muted, 1, "dash")]
        ends = [100 * end for end in difference.ends or ()]
        if ends:
            shapes.append(band(ends, (0, 1), with_opacity(theme.muted, 0.2), yref="paper"))
        shapes.append(_vertical(100 * difference.mean, theme.text, 2, "solid"))
        rows = np.arange(len(points))
        marks = [
            scatter(
                points[here],
                rows[here],
                "markers",
                customdata=np.array(difference.draws)[here],
                marker={"color": color, "symbol": symbol, "size": 11},
                hovertemplate="support set %{customdata}: %{x:+.1f} points<extra></extra>",
            )
            for here, color, symbol in (
                (points > 100 * SAME, theme.correct, "circle"),
                (points < -100 * SAME, theme.wrong, "diamond"),
                (np.abs(points) <= 100 * SAME, theme.muted, "circle-open"),
            )
        ]
        reach = 1.15 * max(1.0, float(np.abs(points).max()), *map(abs, ends))
        above: dict[str, Any] = {"xref": "paper", "yref": "paper", "yanchor": "bottom"}
        sides = [
            note("◀ B better", 0, 1.0, theme.muted, xanchor="left", **above),
            note("A better ▶", 1, 1.0, theme.muted, xanchor="right", **above),
        ]
        y = {"title": "support set", "range": [rows[-1] + 0.7, -0.7]}
        return chart(
            theme,
            marks,
            height=110 + 20 * len(difference.draws),
            margin={"r": 12, "t": 30},
            xaxis={"title": "difference A − B (percentage points)", "range": [-reach, reach]},
            yaxis=named_ticks(list(map(str, difference.draws)), **y),
            **{"shapes": shapes, "annotations": sides, "showlegend": False},
        )

    def table(self) -> pd.DataFrame:
        difference = self.difference
        columns = {"support set": difference.draws, "A": difference.a, "B": difference.b}
        return pd.DataFrame(columns | {"difference": difference.difference})

    def sentence(self) -> str:
        return paired_text(self.difference)


def _threads(dots: pd.DataFrame, theme: Theme) -> dict[str, Any]:
    """One thin line per support set, through the methods that have it."""
    gaps = pd.DataFrame({"support set": dots["support set"].unique(), "row": len(dots)})
    line = pd.concat([dots, gaps]).sort_values(["support set", "row"])
    faint = {"color": with_opacity(theme.muted, 0.3), "width": 1}
    return scatter(line["x"], line["y"], "lines", line=faint, hoverinfo="skip")


def _vertical(x: float, color: str, width: float, dash: str) -> dict[str, Any]:
    return stroke((x, x), (0, 1), color, width, dash, yref="paper", layer="above")
