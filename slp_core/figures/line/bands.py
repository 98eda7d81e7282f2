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
from slp_core.figures.line.points import OTHERS, W_TITLE
from slp_core.figures.line.strip_bands import band_names, band_rects, score_traces
from slp_core.figures.style.parts import (
    class_name,
    marker,
    row_axis,
    scatter,
    shake,
    spaced,
    thinned_text,
)
from slp_core.figures.style.text import labels_of
from slp_core.figures.style.theme import LIGHT, Theme, chart, class_style, with_opacity
from slp_core.sentences import count

_MOST_POINTS = 2_000
_ACROSS = 30  # letters over the picture between two columns, where names have least room


@dataclass(frozen=True, eq=False)
class BandsDisplay(Display):
    """A line's class scores as straight lines over w, and its examples below them."""

    name = "bands"
    soft_labels: np.ndarray  # (2, K)
    classes: Sequence[str]
    w: np.ndarray  # (p,)
    true: np.ndarray  # (p,)
    before: np.ndarray | None = None  # (2, K)
    ids: np.ndarray | None = None  # (p,)
    chosen: int | None = None

    @cached_property
    def bands(self) -> Bands:
        return winning_bands(*self.soft_labels)

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        soft_labels, before, classes = self.soft_labels, self.before, self.classes
        w, bands = self.w, self.bands
        traces: list[dict[str, Any]] = []
        if before is not None:
            changed = np.flatnonzero(np.abs(before - soft_labels).max(axis=0) > 1e-9).tolist()
            for k, name in enumerate(labels_of(classes, 40)):
                if k in changed:  # a straight line: soft label B at w = 0, A at w = 1
                    look = {"color": class_style(k, theme).color, "width": 1.6, "dash": "dot"}
                    hover = f"<b>{name}</b> before: %{{y:.3f}}<extra></extra>"
                    ends = before[::-1, k]
                    traces.append(
                        scatter([0.0, 1.0], ends, "lines", line=look, hovertemplate=hover)
                    )
        traces += score_traces(soft_labels, bands, classes, (0.0, 1.0), theme)
        rows = self._rows
        for c, at in rows.items():
            at = spaced(at, _MOST_POINTS)
            trace = _points(w[at], self._heights[at], c, classes, theme)
            if self.ids is not None:
                trace["customdata"] = self.ids[at].astype(np.int32)
            traces.append(trace)
        top = float(max(soft_labels.max(), 0.5)) * 1.16
        shapes = band_rects(bands, (0.0, 1.0), None, [[0, 1]], theme)
        below: dict[str, Any] = {}
        room, gap = (min(0.45, 0.10 + 0.05 * len(rows)), 0.04) if rows else (0.0, 0.0)
        if rows:
            names = [
                OTHERS if k is None else class_name(k, classes, theme, 14) for k in reversed(rows)
            ]
            axis = row_axis(names, theme, domain=[0, room])
            below["yaxis2"] = axis | {"range": [-0.7, len(rows) - 0.3]}
        x = {"range": [1.004, -0.004], "anchor": "y2" if rows else "y", "nticks": 6}
        y = {"range": [0, top], "domain": [room + gap, 1], "nticks": 4}
        return chart(
            theme,
            traces,
            height=360,
            margin={"r": 12},
            shapes=shapes,
            annotations=band_names(bands, classes, (0.0, 1.0), theme, _ACROSS),
            showlegend=False,
            xaxis={"title": {"text": W_TITLE, "standoff": 6}, "showgrid": False, **x},
            yaxis={"title": "score", "gridcolor": with_opacity(theme.muted, 0.2), **y},
            **below,
        )

    @property
    def ring(self) -> tuple[Spot, ...]:
        """Around the selected example, whether or not its mark is among those that are drawn."""
        if self.ids is None or self.chosen not in self.ids:
            return ()
        i = int(np.flatnonzero(self.ids == self.chosen)[0])
        return (Spot(float(self.w[i]), float(self._heights[i]), "x", "y2"),)

    @cached_property
    def _rows(self) -> dict[int | None, np.ndarray]:
        """Each row's examples, as places in ``w``: of every class that has a score, and others."""
        scored = np.flatnonzero(self.soft_labels.max(axis=0) > 0)
        rows: dict[int | None, np.ndarray] = {
            k: np.flatnonzero(self.true == k) for k in scored.tolist()
        }
        rows[None] = np.flatnonzero(~np.isin(self.true, scored))
        return {k: at for k, at in rows.items() if len(at)}

    @cached_property
    def _heights(self) -> np.ndarray:
        """(p,) the rows from the top down, and the examples shaken in theirs."""
        heights = np.empty(len(self.w))
        for row, at in enumerate(reversed(self._rows.values())):
            heights[at] = row + 0.5 * shake(len(at))
        return heights

    def table(self) -> pd.DataFrame:
        winners, edges = list(self.bands.classes), self.bands.edges
        left, right = self.soft_labels[:, winners]
        names = [self.classes[c] for c in winners]
        ends = {"from": edges[:-1], "to": edges[1:]}
        return pd.DataFrame({"class": names, **ends, "A": left, "B": right})

    def thinned_text(self) -> str:
        drawn = sum(min(len(at), _MOST_POINTS) for at in self._rows.values())
        return thinned_text(drawn, len(self.w))

    def sentence(self) -> str:
        text = f"{bands_text(self.bands, self.classes)} {count(len(self.w), 'query example')}"
        if not len(self.w):
            return f"{text}."
        return f"{text}: w from {weight(self.w.min())} to {weight(self.w.max())}."


def _points(
    w: np.ndarray, heights: np.ndarray, index: int | None, classes: Sequence[str], theme: Theme
) -> dict[str, Any]:
    """The examples of one class on their own row."""
    if index is None:
        name, look = OTHERS, {"color": theme.muted, "symbol": "circle-open", "size": 6}
    else:
        name, look = labels_of(classes, 40)[index], marker(class_style(index, theme), 6)
    return scatter(
        w,
        heights,
        "markers",
        yaxis="y2",
        marker=look | {"opacity": 0.7},
        hovertemplate=f"<b>{name}</b> at w = %{{x:.3f}}<extra></extra>",
    )
