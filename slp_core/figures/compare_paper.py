"""Our accuracies against published ones, or against another of our methods, by setting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from slp_core.evaluation.paper import PAPER_DRAWS, encoder_title, method_title, registered
from slp_core.evaluation.report import plus_minus
from slp_core.evaluation.text import outcomes_text
from slp_core.figures.display import Display
from slp_core.figures.style.parts import (
    hovered,
    legend_key,
    marker,
    percent_range,
    scatter,
    stroke,
)
from slp_core.figures.style.text import shortened
from slp_core.figures.style.theme import LIGHT, Theme, chart, class_style
from slp_core.sentences import count

_SIZES = (7, 9.5, 12)  # of marks, from the fewest shots to the most


@dataclass(frozen=True, eq=False)
class AgainstPaperDisplay(Display):
    """Each setting as a marker: above the diagonal our accuracy is higher."""

    name = "against the paper"
    scope = ""
    comparison: pd.DataFrame
    against: str = "the paper's"

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        comparison, methods = self.comparison, self.comparison["method"].unique()
        tasks = sorted(set(comparison["task"]))
        shapes = {task: class_style(number, theme) for number, task in enumerate(tasks)}
        every = sorted(set(comparison["shots"]))
        sizes = {n: _SIZES[min(i, len(_SIZES) - 1)] for i, n in enumerate(every)}
        names = {name: encoder_title(name) for name in comparison["encoder"].unique()}
        encoders = {name: shortened(title, 100) for name, title in names.items()}
        traces = []
        for method in methods:
            rows = comparison[comparison["method"] == method]
            title = shortened(method_title(method), 40)
            color = class_style(registered(method)[0], theme).color
            hover = [
                _hover(row, title, encoders[row.encoder], self.against) for row in rows.itertuples()
            ]
            of_task = [shapes[task] for task in rows["task"]]
            grown = [
                shape.scale * sizes[n] for shape, n in zip(of_task, rows["shots"], strict=True)
            ]
            look = {"color": color, "symbol": [s.symbol for s in of_task], "size": grown}
            marks = scatter(
                rows["paper_mean"],
                rows["accuracy_mean"],
                "markers",
                marker=look | {"line": {"width": 1, "color": theme.background}},
                **hovered(hover),
                showlegend=False,
            )
            traces.append(marks)
            if len(methods) > 1:  # one method needs no entry; a group would stack those of tasks
                circle = {"color": color, "symbol": "circle", "size": 10}
                traces.append(legend_key(title, circle, legendgroup=method))
                marks["legendgroup"] = method
        traces += [
            legend_key(task, marker(shape, 9) | {"color": theme.muted})
            for task, shape in shapes.items()
        ]
        ends = percent_range(comparison[["paper_mean", "accuracy_mean"]].to_numpy(), 0, 3)
        return chart(
            theme,
            traces,
            height=450 + 13 * (len(methods) + len(tasks)),
            xaxis={"title": f"accuracy (%), {self.against}", "range": ends},
            yaxis={"title": "accuracy (%), ours", "range": ends},
            shapes=[stroke(ends, ends, theme.muted, 1, "dash")],
            legend={"y": -0.17, "yanchor": "top"},
        )

    def table(self) -> pd.DataFrame:
        columns = ["task", "shots", "encoder", "method", "n", "accuracy_mean", "accuracy_std"]
        return self.comparison[[*columns, "system", "paper_mean", "paper_std", "outcome"]]

    def sentence(self) -> str:
        counts = self.comparison["outcome"].value_counts()
        outcomes = outcomes_text(*(int(counts.get(each, 0)) for each in ("win", "loss", "tie")))
        settings = count(len(self.comparison[["task", "shots"]].drop_duplicates()), "setting")
        return (
            f"Our accuracy against {self.against} in {settings}, a larger marker for more shots; "
            f"above the diagonal ours is higher: {outcomes}."
        )


def _hover(row: Any, title: str, encoder: str, against: str) -> str:
    ours = plus_minus(row.accuracy_mean, row.accuracy_std, row.n)
    paper = plus_minus(row.paper_mean, row.paper_std, PAPER_DRAWS)
    whose = "" if against.startswith(row.system) else "the paper's "
    return (
        f"<b>LEOPARD {row.task}</b>, {count(row.shots, 'shot')}<br>{title}: {ours} over "
        f"{count(row.n, 'run')}<br>on {encoder}<br>{whose}{row.system}: {paper}"
    )
