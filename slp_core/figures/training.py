"""Curves of training runs, and sentences about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.figures.display import Display
from slp_core.figures.style.parts import distinct_line, scatter
from slp_core.figures.style.theme import LIGHT, Theme, chart
from slp_core.sentences import ClassName, MethodTitle, count, listed

if TYPE_CHECKING:
    from slp_core.figures.player import Stage
    from slp_core.methods.training import TrainingRun


@dataclass(frozen=True, eq=False)
class RunsDisplay(Display):
    """Accuracy of several runs over their epochs."""

    name = "two runs"
    scope = ""
    runs: Mapping[str, pd.DataFrame]
    same_examples: bool = True

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        traces = [
            scatter(
                curves["epoch"],
                100 * curves["query"],
                "lines",
                name=name,
                line=distinct_line(i, theme),
                hovertemplate=f"{name}, epoch %{{x}}: %{{y:.1f}}%<extra></extra>",
            )
            for i, (name, curves) in enumerate(self.runs.items())
        ]
        axes = {"xaxis": {"title": "epoch"}, "yaxis": {"title": "accuracy (%)", "nticks": 6}}
        return chart(theme, traces, height=280, margin={"t": 30}, **axes)

    def table(self) -> pd.DataFrame:
        return pd.concat([curves.assign(run=name) for name, curves in self.runs.items()])

    def sentence(self) -> str:
        ends = {name: float(curves["query"].iloc[-1]) for name, curves in self.runs.items()}
        return ends_text(ends, self.same_examples)


@dataclass(frozen=True, eq=False)
class CurvesDisplay(Display):
    """The curves of one run: accuracies above with other methods', what is minimised below."""

    name = "curves"
    scope = ""
    curves: pd.DataFrame  # a step, support, query, and others
    references: Mapping[str, float]

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        step, *measured = self.curves.columns
        at = self.curves[step]
        above = {name: 100 * self.curves[name] for name in ("query", "support")}
        above |= {name: pd.Series(100 * a, at.index) for name, a in self.references.items()}
        below = {name: self.curves[name] for name in measured if name not in above}
        traces = [
            scatter(at, values, "lines", name=name, line=distinct_line(i, theme), yaxis=axis)
            for i, (name, values, axis) in enumerate(
                [(*each, "y") for each in above.items()] + [(*each, "y2") for each in below.items()]
            )
        ]
        return chart(
            theme,
            traces,
            height=420,
            margin={"t": 30},
            xaxis={"title": step, "anchor": "y2"},
            yaxis={"title": "accuracy (%)", "domain": [0.42, 1]},
            yaxis2={"title": ", ".join(below), "domain": [0, 0.32]},
        )

    def table(self) -> pd.DataFrame:
        return self.curves

    def sentence(self) -> str:
        return ends_text({name: self.curves[name].iloc[-1] for name in ("query", "support")})


def run_text(how: str, run: TrainingRun, references: Mapping[str, float]) -> str:
    """The accuracies of a run; ``how`` says the method and its start."""
    first, last, epochs = run.curves.iloc[0], run.curves.iloc[-1], count(run.epochs, "epoch")
    if np.isnan(last["query"]):
        return f"{how}: loss {last['loss']:.3f} after {epochs}; there is no query example."
    others = ", ".join(f"{MethodTitle(title):inside} {a:.1%}" for title, a in references.items())
    return (
        f"{how}: accuracy {first['query']:.1%} after the first epoch, {last['query']:.1%} "
        f"after {epochs} ({others})."
    )


def took_text(run: TrainingRun) -> str:
    return f"{count(run.epochs, 'epoch')} in {run.seconds:.2f} s."


def drawn_text(stage: Stage) -> str:
    """That the landscape leaves out points, or that lines have no bars, if so."""
    texts = [
        f"Shown: {len(drawn):,} of {len(points):,} {what} examples, evenly spaced."
        for what, drawn, points in (
            ("query", stage.drawn_rows, stage.points),
            ("support", stage.drawn_support, stage.support),
        )
        if len(drawn) < len(points)
    ]
    drawn, n = len(stage.drawn_lines), len(stage.lines)
    if drawn < n:
        texts.append(f"Bars: the {drawn:,} lines with the most classes, of {n:,}.")
    return " ".join(texts)


def spread_offer_text(draws: int, seeds: int) -> str:
    return f"{count(draws, 'support set')} × {count(seeds, 'seed')}"


def ends_text(runs: Mapping[str, float], same_examples: bool = True) -> str:
    ends = [f"{ClassName(name)} {a:.1%}" for name, a in runs.items() if a == a]
    if not ends:
        return "There is no query example."
    own = "" if same_examples else "; each on its own query set"
    return f"Final accuracy: {listed(ends)}{own}."
