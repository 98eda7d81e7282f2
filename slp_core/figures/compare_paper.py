"""Our accuracies against the paper's, setting by setting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.evaluation.paper import PAPER_DRAWS
from slp_core.evaluation.report import plus_minus
from slp_core.evaluation.stored import encoder_title
from slp_core.evaluation.wording import Count
from slp_core.facts import Fact, Facts, fact
from slp_core.figures.display import Display
from slp_core.figures.style.parts import (
    legend_key,
    marker,
    percent_range,
    scatter,
    small_layout,
    stroke,
)
from slp_core.figures.style.text import shortened
from slp_core.figures.style.theme import LIGHT, Theme, class_style

_SIZES = (7, 9.5, 12)  # of marks, from the fewest shots to the most


@dataclass(frozen=True, eq=False)
class AgainstPaperDisplay(Display):
    """Each setting as a mark, the paper's mean across and ours up: above the diagonal we lead."""

    name = "against the paper"
    scope = ""
    comparison: pd.DataFrame
    titles: Mapping[str, str]
    styles: Mapping[str, int]

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """Marks about the diagonal."""
        comparison, titles = self.comparison, self.titles
        tasks = sorted(set(comparison["task"]))
        shapes = {task: class_style(number, theme) for number, task in enumerate(tasks)}
        every = sorted(set(comparison["shots"]))
        sizes = {n: _SIZES[min(i, len(_SIZES) - 1)] for i, n in enumerate(every)}
        names = {name: encoder_title(name) for name in comparison["encoder"].unique()}
        encoders = {name: shortened(title, 100) for name, title in names.items()}
        traces = []
        for method in titles:
            rows = comparison[comparison["method"] == method]
            title = shortened(titles[method], 40)
            color = class_style(self.styles[method], theme).color
            hover = [_told(row, title, encoders[row.encoder]) for row in rows.itertuples()]
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
                hovertext=np.array(hover, dtype=object),
                hoverinfo="text",
                showlegend=False,
                legendgroup=method,
            )
            traces.append(marks)
            if len(titles) > 1:  # one method needs no key: whatever is drawn is of it
                circle = {"color": color, "symbol": "circle", "size": 10}
                traces.append(legend_key(title, circle, legendgroup=method))
        traces += [
            legend_key(task, marker(shape, 9) | {"color": theme.muted})
            for task, shape in shapes.items()
        ]
        values = comparison[["paper_mean", "accuracy_mean"]].to_numpy()
        ends = percent_range(values.min(), values.max(), 3.0)
        layout = small_layout(
            theme,
            "the paper's accuracy, %",
            "ours, %",
            450 + 13 * (len(titles) + len(tasks)),
            8,
            {"range": ends},
            {"range": ends},
            shapes=[stroke(ends, ends, theme.muted, 1, "dash")],
            legend={"orientation": "h", "x": 0, "y": -0.17, "yanchor": "top"},
        )
        return go.Figure(traces, layout)

    def table(self) -> pd.DataFrame:
        """One row a setting and method: ours, the paper's (both in percent) and the outcome."""
        columns = ["task", "shots", "encoder", "method", "n", "accuracy_mean", "accuracy_std"]
        return self.comparison[[*columns, "system", "paper_mean", "paper_std", "outcome"]]

    def facts(self) -> Facts:
        """What is to be seen."""
        rows = self.comparison
        told = {
            "settings": Count(len(rows[["task", "shots"]].drop_duplicates()), "setting"),
            "methods": Count(len(rows["method"].unique()), "method"),
            "systems": Count(len(rows["system"].unique()), "system"),
        }
        template = (
            "Accuracy of {methods} of ours against {systems} of the paper's in {settings}: above "
            "the diagonal ours is ahead, and larger marks are of more shots."
        )
        return (fact("paper.shown", template, **told), self._outcomes())

    def _outcomes(self) -> Fact:
        """How often ours is ahead, both to the paper's last digit."""
        counts = self.comparison["outcome"].value_counts()
        words = {"win": "ahead", "loss": "behind", "tie": "level"}
        found = {word: int(counts[each]) for each, word in words.items() if each in counts}
        n = len(self.comparison)
        if len(found) == 1:
            where = "everywhere" if n > 1 else "there"
            template = f"Rounded to {{digit}} points ours is {next(iter(found))} {where}."
        else:
            parts = [f"{word} in {{{word}:,}}" for word in found]
            template = "Rounded to {digit} points, of {n:,} means ours is " + ", ".join(parts) + "."
        return fact("paper.outcomes", template, n=n, digit=0.1, **found)


def _told(row: Any, title: str, encoder: str) -> str:
    """A setting, to be pointed at."""
    ours = plus_minus(row.accuracy_mean, row.accuracy_std, row.n)
    paper = plus_minus(row.paper_mean, row.paper_std, PAPER_DRAWS)
    return (
        f"<b>{row.task}</b>, {Count(row.shots, 'shot')}<br>{title}: {ours} over "
        f"{Count(row.n, 'run')}<br>on {encoder}<br>paper's {row.system}: {paper}"
    )
