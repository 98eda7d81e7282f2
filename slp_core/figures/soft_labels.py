"""Soft labels: those of two methods side by side, and how one varies over support sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.explain.soft_label_draws import SoftLabelDraws
from slp_core.explain.soft_label_pairs import SoftLabelPairs
from slp_core.explain.soft_label_text import draws_caption, pairs_text
from slp_core.explain.soft_labels import SIDES, Prototype
from slp_core.figures.display import Display
from slp_core.figures.style.parts import (
    band,
    class_name,
    labelled_bars,
    marker,
    row_axis,
    scatter,
    stroke,
)
from slp_core.figures.style.text import labels_of, shortened
from slp_core.figures.style.theme import (
    LIGHT,
    Theme,
    chart,
    class_style,
    ink_on,
    with_opacity,
)

_BAR = 26  # px
_MARKED = 0.06  # weight of which the segment has room for the class's shape


class _Row(NamedTuple):
    """One soft label: the first method's prototype there, what it is of, (K,) weights and SD."""

    at: Prototype
    what: str
    weights: np.ndarray
    std: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class SoftLabelPairsDisplay(Display):
    """One stacked bar per prototype and method: its weights by class; and those at a point x."""

    name = "soft labels"
    pairs: SoftLabelPairs
    at_x: tuple[Mapping[int, np.ndarray], Mapping[int, np.ndarray]] = ({}, {})
    """Of either method, the soft labels that depend on x there, by the class of the end."""

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        classes = self.pairs.first.classes
        rows = [row for row in self._rows() if not np.isnan(row.weights).any()]
        weights = np.array([row.weights for row in rows]).reshape(len(rows), len(classes))
        traces = []
        for k, name in enumerate(labels_of(classes, 40)):
            style, of_class = class_style(k, theme), weights[:, k]
            text = [style.character if weight >= _MARKED else "" for weight in of_class]
            traces.append(
                labelled_bars(of_class, np.arange(len(rows)), style.color, text, theme)
                | {"textfont": {"color": ink_on(style.color)}}
                | {"hovertemplate": f"<b>{name}</b> %{{x:.3f}}<extra></extra>"}
            )
        names = [
            f"{row.at.line + 1}{SIDES[row.at.side]} {class_name(row.at.at, classes, theme, 14)} "
            f"· {shortened(row.what, 26)} "
            for row in rows
        ]
        return chart(
            theme,
            traces,
            height=64 + _BAR * max(len(rows), 1),
            xaxis={"range": [0, 1], "nticks": 6, "title": {"text": "weight", "standoff": 6}},
            yaxis=row_axis(names, theme),
            **{"barmode": "stack", "bargap": 0.25, "margin": {"r": 12}, "showlegend": False},
        )

    def table(self) -> pd.DataFrame:
        classes = self.pairs.first.classes
        rows = [
            (
                *(row.at.line + 1, SIDES[row.at.side], classes[row.at.at], row.what, classes[c]),
                *(row.weights[c], np.nan if row.std is None else row.std[c]),
            )
            for row in self._rows()
            for c in np.argsort(-row.weights, kind="stable")
            if row.weights[c] > 0 or c in row.at.order
        ]
        columns = ["line", "prototype", "at", "soft label", "class", "weight", "SD"]
        return pd.DataFrame(rows, columns=columns)

    def distances(self) -> pd.DataFrame:
        """One row per matched prototype."""
        found, names = self.pairs.divergence, np.array(self.pairs.first.classes, dtype=object)
        lines = np.where(found["same_line"], "same", "differ")
        named = found.assign(at=names[found["at"]], same_line=lines)
        titles = {"jsd": "JSD (nats)", "total_variation": "total variation", "same_line": "lines"}
        return named.rename(columns=titles)

    def sentence(self) -> str:
        return pairs_text(self.pairs)

    def _rows(self) -> list[_Row]:
        """The first method's prototypes in their order, each with its counterpart."""
        first, second = self.pairs.first, self.pairs.second
        rows = []
        for at in first.prototypes:
            both = ((at, first), (second.at_class.get(at.at), second))
            shown = both[:1] if second is first else both
            for (one, labels), here in zip(shown, self.at_x, strict=False):
                if one is not None:
                    spread = None if labels.constant else one.std
                    rows.append(_Row(at, labels.method, one.mean, spread))
                if one is not None and one.at in here:
                    rows.append(_Row(at, f"{labels.method} at x", here[one.at]))
        return rows


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
        draws, known = self.draws, self.draws.labels.xs(self.at, level="at")
        labels, numbers = known.to_numpy(), known.index.to_numpy()
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
        names = [f"{class_name(k, draws.classes, theme, 16)} " for k in shown]
        title = {"title": {"text": "weight in the soft label", "standoff": 6}}
        return chart(
            theme,
            traces,
            height=64 + _ROW * max(len(shown), 1),
            xaxis={"range": [-0.02, 1.02], "nticks": 6, **title},
            yaxis=row_axis(names, theme),
            **{"shapes": shapes, "showlegend": False, "margin": {"r": 12}},
        )

    def table(self) -> pd.DataFrame:
        classes, labels = list(self.draws.classes), self.draws.labels
        heads = pd.DataFrame(list(labels.index), columns=["support set", "prototype at"])
        heads["prototype at"] = [classes[k] for k in heads["prototype at"]]
        values = pd.DataFrame(labels.to_numpy(), columns=classes)
        return pd.concat([heads, values], axis=1)

    def sentence(self) -> str:
        return draws_caption(self.draws, self.at, self.current)


def _shown(labels: np.ndarray) -> list[int]:
    """Classes that have weight on a draw, the largest mean first."""
    order = np.argsort(-labels.mean(axis=0), kind="stable")
    return [int(k) for k in order if labels[:, k].max() >= _SHOWN]
