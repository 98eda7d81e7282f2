"""How the soft label of a prototype varies over support sets: one dot per set and class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.explain.soft_label_draws import SoftLabelDraws
from slp_core.explain.soft_label_text import draws_caption
from slp_core.figures.display import Display
from slp_core.figures.style.parts import band, marker, rows_axis, scatter, small_layout, stroke
from slp_core.figures.style.text import labels_of
from slp_core.figures.style.theme import LIGHT, Theme, class_style, with_opacity

_SHOWN = 0.005  # a class that never has this much is left out
_ROW = 44  # px


@dataclass(frozen=True, eq=False)
class SoftLabelDrawsDisplay(Display):
    """The soft label of the prototype at one class, class by class, one dot per draw."""

    name = "soft labels over draws"
    scope = "draws"
    draws: SoftLabelDraws
    at: int
    current: int | None = None

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """One row per class that has weight on a draw."""
        draws = self.draws
        known = np.flatnonzero(~np.isnan(draws.labels[:, self.at]).any(axis=1))
        labels = draws.labels[known, self.at]  # (draws, K)
        numbers = np.array(draws.draws)[known]
        shown = _shown(labels)
        traces, shapes = [], []
        shake = np.linspace(-0.24, 0.24, len(known)) if len(known) > 1 else np.zeros(len(known))
        for row, k in enumerate(shown):
            style = class_style(k, theme)
            ring = np.where(numbers == self.current, 2.4, 0.0) if self.current is not None else 0.0
            traces.append(
                scatter(
                    labels[:, k],
                    row + shake,
                    "markers",
                    customdata=numbers,
                    marker=marker(style, 9, opacity=0.9, line={"color": theme.text, "width": ring}),
                    hovertemplate=f"<b>{labels_of(draws.classes, 40)[k]}</b> %{{x:.3f}} "
                    "in support set %{customdata}<extra></extra>",
                )
            )
            mean, std = float(labels[:, k].mean()), float(labels[:, k].std())
            about, tall = (max(mean - std, 0), min(mean + std, 1)), (row - 0.38, row + 0.38)
            shapes.append(band(about, tall, with_opacity(style.color, 0.16)))
            shapes.append(stroke((mean, mean), tall, style.color, 2.5))
        names = [
            f"{class_style(k, theme).character} {labels_of(draws.classes, 16)[k]} " for k in shown
        ]
        title = {"title": {"text": "weight in the soft label", "standoff": 6}}
        layout = small_layout(
            theme,
            None,
            None,
            64 + _ROW * max(len(shown), 1),
            8,
            {"range": [-0.02, 1.02], "nticks": 6, **title},
            rows_axis(names, theme, tickfont={"color": theme.text}),
            **{"shapes": shapes, "showlegend": False, "margin": {"r": 12}},
        )
        return go.Figure(traces, layout)

    def table(self) -> pd.DataFrame:
        """One row per draw and prototype: ``draw``, ``prototype at``, then one column per class."""
        draws = self.draws
        row, at = np.nonzero(~np.isnan(draws.labels).any(axis=2))
        names = [draws.classes[k] for k in at]
        heads = pd.DataFrame({"draw": np.array(draws.draws)[row], "prototype at": names})
        values = pd.DataFrame(draws.labels[row, at], columns=list(draws.classes))
        return pd.concat([heads, values], axis=1)

    def sentence(self) -> str:
        """How many dots there are, and which is ringed."""
        return draws_caption(self.draws, self.at, self.current)


def _shown(labels: np.ndarray) -> list[int]:
    """Classes that have weight on a draw, the largest mean first."""
    order = np.argsort(-labels.mean(axis=0), kind="stable")
    return [int(k) for k in order if labels[:, k].max() >= _SHOWN]
