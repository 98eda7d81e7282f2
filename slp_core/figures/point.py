"""One prediction, step by step: soft label or logit ÷ distance, summed to class scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.explain.point import PointReading
from slp_core.explain.text import point_text
from slp_core.figures.display import Display
from slp_core.figures.style.parts import (
    class_name,
    hovered,
    labelled_bars,
    note,
    row_axis,
    scatter,
)
from slp_core.figures.style.text import labels_of
from slp_core.figures.style.theme import LIGHT, Theme, blend, chart, class_style
from slp_core.sentences import number

_MOST_CLASSES = 8  # bars that can be read at a glance
_ROW = 40  # px
_SIDES = ("A", "B")
_LARGE = 1e5  # a class score that has no room for all of its digits
_ROOM = 0.42  # of the picture's width, for a label of the form "0.61 ÷ 0.62"


@dataclass(frozen=True, eq=False)
class PointDisplay(Display):
    """A bar a class: prototype A's part, prototype B's part and their sum."""

    name = "point"
    reading: PointReading
    row: int | None = None

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """Stacked bars; parts of both signs do not end at their sum, which then has a mark."""
        reading, total = self.reading, _total(self.reading)
        by_prototype = reading.line is not None
        parts = reading.parts if by_prototype else reading.probability[None]
        shown = _shown(reading)
        rows = np.arange(len(shown))
        low = float(np.minimum(np.minimum(parts[:, shown], 0).sum(axis=0), 0).min())
        high = float(np.maximum(np.maximum(parts[:, shown], 0).sum(axis=0), 1e-12).max())
        colors = [class_style(k, theme).color for k in shown]
        traces: list[dict[str, Any]] = []
        for side, part in enumerate(parts[:, shown]):
            text, hover = _quotients(reading, side, shown)
            wide = np.abs(part) > _ROOM * (high - low)
            fill = colors if side == 0 else [blend(c, theme.background, 0.42) for c in colors]
            words = [quotient if room else "" for quotient, room in zip(text, wide, strict=True)]
            traces.append(
                labelled_bars(part, rows, fill, words, theme, width=0.56)
                | {"textfont": {"size": 11.5, "color": theme.text if side else theme.background}}
                | hovered(hover)
            )
        best = shown[int(total[shown].argmax())]
        notes = []
        for row, k in enumerate(shown):
            result, color = _result(reading, k), theme.muted
            if k == best:
                result, color = f"<b>{result}</b>", theme.text
            end = float(np.maximum(parts[:, k], 0).sum())
            place = {"xanchor": "left", "xshift": 5, "align": "left"}
            notes.append(note(result, end, row, color, 13, **place))
        if low < 0:
            edge = {"width": 1.5, "color": theme.background}
            mark = {"symbol": "diamond", "size": 10, "color": theme.text, "line": edge}
            hint = "sum: <b>%{x:.3f}</b><extra></extra>"
            edges = rows + 0.28  # of the bars, where no quotient stands
            traces.append(scatter(total[shown], edges, "markers", marker=mark, hovertemplate=hint))
        names = [class_name(k, reading.classes, theme, 18, bold=k == reading.true) for k in shown]
        what = f"class score: {_labels(reading)} ÷ distance" if by_prototype else "probability"
        room = 0.5 if reading.local else 0.28
        return chart(
            theme,
            traces,
            height=_ROW * len(shown) + 58,
            barmode="relative",
            margin={"t": 6},
            annotations=notes,
            showlegend=False,
            dragmode=False,
            xaxis={
                "title": {"text": what, "standoff": 6},
                "range": [1.08 * low, high + room * (high - low)],
                **{"nticks": 5, "zeroline": low < 0, "zerolinecolor": theme.muted},
            },
            yaxis=row_axis(names, theme, 13),
        )

    def table(self) -> pd.DataFrame:
        reading = self.reading
        columns = {"class": reading.classes, "probability": reading.probability}
        table = pd.DataFrame(columns | {"centroid distance": reading.centroid_distance})
        if reading.line is not None:
            for side, name in enumerate(_SIDES):
                table[f"{name} {_labels(reading)}"] = reading.soft_labels[side]
                table[f"{name} distance"] = float(reading.distances[side])
                table[f"{name} part"] = reading.parts[side]
            table["class score"] = reading.influence
        table["row"] = "typed" if self.row is None else self.row
        if reading.true is not None:
            table["true"] = reading.classes[reading.true]
        table["predicted"] = reading.classes[reading.predicted]
        if reading.line is not None:
            table["line"], table["w"] = reading.line + 1, reading.w
        order = np.argsort(-_total(reading), kind="stable")
        return table.iloc[order].reset_index(drop=True)

    def sentence(self) -> str:
        return point_text(self.reading)

    def key_text(self) -> str:
        """What the bars are; nothing for a method without lines."""
        if self.reading.line is None:
            return ""
        below = self.reading.parts[:, _shown(self.reading)].min() < 0
        return f"Dark: prototype A; light: B{'; diamond: their sum' if below else ''}."


def _labels(reading: PointReading) -> str:
    """Soft labels or logits, before the division by distances."""
    return "logit" if reading.local else "soft label"


def _total(reading: PointReading) -> np.ndarray:
    """(K,) class scores, whose argmax is the prediction."""
    return reading.probability if reading.line is None else reading.influence


def _shown(reading: PointReading) -> list[int]:
    """Classes from the highest score down, with the true one; on a line, those with any score."""
    total = _total(reading)
    order = np.argsort(-total, kind="stable")
    if reading.line is not None:
        some = (total[order] != 0) | reading.local  # a logit of 0 is as good as any
        order = order[np.isfinite(total[order]) & some]
    shown = [int(k) for k in order[:_MOST_CLASSES]]
    true = reading.true
    if true is not None and true not in shown and np.isfinite(total[true]):
        shown = [*shown[: _MOST_CLASSES - 1], true]
    return shown


def _quotients(reading: PointReading, side: int, shown: list[int]) -> tuple[list[str], list[str]]:
    """The texts in one prototype's bars where there is room, and their tooltips."""
    if reading.line is None:
        hover = [
            f"{labels_of(reading.classes, 40)[k]}: {reading.probability[k]:.1%}" for k in shown
        ]
        return [""] * len(shown), hover
    labels, by = reading.soft_labels[side], reading.distances[side]
    text = [f"{number(labels[k])} ÷ {by:.2f}" for k in shown]
    hover = [
        f"prototype {_SIDES[side]}: {number(labels[k], 3)} ÷ {by:.3f} = "
        f"<b>{_figure(labels[k] / by)}</b>"
        for k in shown
    ]
    return text, hover


def _result(reading: PointReading, k: int) -> str:
    """The class score; of logits also the probability, which is not their share; or that alone."""
    share = reading.probability[k]
    probability = "&lt;1%" if 0 < share < 0.005 else f"{share:.0%}"  # only 0 reads as 0%
    if reading.line is None:
        return probability
    return _figure(reading.influence[k]) + (f"<br>{probability}" if reading.local else "")


def _figure(score: float) -> str:
    """On a prototype it is as large as the least distance is small."""
    return number(score, 3) if abs(score) < _LARGE else f"{score:.3g}"
