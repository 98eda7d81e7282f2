"""Class scores over w, the intervals in which each wins, and where the examples are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.explain.bands import Bands, weight, winning_bands
from slp_core.explain.text import bands_text
from slp_core.figures.display import Display, Spot
from slp_core.figures.line.points import (
    class_rows,
    drawn,
    in_rows,
    key_layout,
    key_traces,
    point_traces,
)
from slp_core.figures.line.strip_bands import band_names, band_rects, score_traces
from slp_core.figures.style.parts import scatter, thinned_text
from slp_core.figures.style.text import labels_of
from slp_core.figures.style.theme import LIGHT, Theme, chart, class_style, with_opacity
from slp_core.sentences import count

_KEY = 28  # px above the chart, for the key
_ACROSS = 30  # letters over the picture between two columns, where names have least room


@dataclass(frozen=True, eq=False)
class BandsDisplay(Display):
    """A line's class scores as straight lines over w, and its examples below them."""

    name = "bands"
    soft_labels: np.ndarray  # (2, K)
    classes: Sequence[str]
    points: pd.DataFrame  # the examples: row, true, predicted, w and shown
    texts: Sequence[str] = ()  # of every row of the dataset
    before: np.ndarray | None = None  # (2, K)
    chosen: int | None = None

    @cached_property
    def bands(self) -> Bands:
        return winning_bands(*self.soft_labels)

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        soft_labels, before, classes, bands = (
            self.soft_labels,
            self.before,
            self.classes,
            self.bands,
        )
        traces: list[dict[str, Any]] = []
        if before is not None:
            changed = np.flatnonzero(np.abs(before - soft_labels).max(axis=0) > 1e-9)
            for k in changed.tolist():  # a straight line: soft label B at w = 0, A at w = 1
                look = {"color": class_style(k, theme).color, "width": 1.6, "dash": "dot"}
                name = labels_of(classes, 40)[k]
                hover = {"hovertemplate": f"<b>{name}</b> before: %{{y:.3f}}<extra></extra>"}
                ends = before[::-1, k]
                traces.append(
                    scatter([0.0, 1.0], ends, "lines", line=look, showlegend=False, **hover)
                )
        traces += score_traces(soft_labels, bands, classes, (0.0, 1.0), theme)
        rows, points = self._in_rows
        traces += point_traces(points, "w", "height", classes, self.texts, theme, 6, yaxis="y2")
        below: dict[str, Any] = {}
        room, gap = (min(0.45, 0.10 + 0.05 * len(rows)), 0.04) if rows else (0.0, 0.0)
        if rows:
            traces += key_traces(theme)
            axis = {"domain": [0, room], "range": [len(rows) - 0.3, -0.7]}
            below["yaxis2"] = class_rows(rows, classes, theme, 14, **axis)
        x = {"range": [1.004, -0.004], "anchor": "y2" if rows else "y", "nticks": 6}
        top = float(max(soft_labels.max(), 0.5)) * 1.16
        y = {"range": [0, top], "domain": [room + gap, 1], "nticks": 4}
        return chart(
            theme,
            traces,
            height=360,
            margin={"r": 12, "t": _KEY},
            shapes=band_rects(bands, (0.0, 1.0), None, [[0, 1]], theme),
            annotations=band_names(bands, classes, (0.0, 1.0), theme, _ACROSS),
            legend=key_layout(theme, 1.01),
            xaxis={
                "title": {"text": "weight w of prototype A", "standoff": 6},
                "showgrid": False,
                **x,
            },
            yaxis={"title": "score", "gridcolor": with_opacity(theme.muted, 0.2), **y},
            **below,
        )

    @property
    def ring(self) -> tuple[Spot, ...]:
        """Around the selected example, whether or not its mark is among those that are drawn."""
        _, points = self._in_rows
        at = points[points["row"] == self.chosen]
        return tuple(
            Spot(w, height, "x", "y2") for w, height in zip(at["w"], at["height"], strict=True)
        )

    @cached_property
    def _in_rows(self) -> tuple[list[int], pd.DataFrame]:
        scored = np.flatnonzero(self.soft_labels.max(axis=0) > 0).tolist()
        rows, points = in_rows(self.points, scored)
        return rows, points.assign(height=points["place"] + 0.5 * points["shaken"])

    def table(self) -> pd.DataFrame:
        winners, edges = list(self.bands.classes), self.bands.edges
        left, right = self.soft_labels[:, winners]
        names = [self.classes[c] for c in winners]
        ends = {"from": edges[:-1], "to": edges[1:]}
        return pd.DataFrame({"class": names, **ends, "A": left, "B": right})

    def thinned_text(self) -> str:
        return thinned_text(len(drawn(self.points)), len(self.points))

    def sentence(self) -> str:
        w = self.points["w"]
        text = f"{bands_text(self.bands, self.classes)} {count(len(w), 'query example')}"
        return f"{text}: w from {weight(w.min())} to {weight(w.max())}." if len(w) else f"{text}."
