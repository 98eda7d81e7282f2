"""Class scores over w, the bands in which each wins, and where the points are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.explain.bands import Bands, Share, winning_bands
from slp_core.facts import Facts, fact
from slp_core.figures.display import Display
from slp_core.figures.line.points import OTHERS, W_TITLE
from slp_core.figures.style.parts import (
    band,
    class_marker,
    class_name,
    fixed_axis,
    note,
    row_axis,
    scatter,
    shake,
)
from slp_core.figures.style.text import shortened
from slp_core.figures.style.theme import LIGHT, Theme, base_layout, blend, class_style, with_opacity

_MOST_POINTS = 2_000
_NAME_NEEDS = 0.12  # of the width of w: a narrower band has no room for its class's name


@dataclass(frozen=True, eq=False)
class BandsDisplay(Display):
    """A line's class scores as straight lines over w, and its points under them.

    Attributes
    ----------
    soft_labels : (2, K) array
        Left and right; constant.
    classes : sequence of str
    w : (p,) array
        Of the points that ask the line.
    true : (p,) int array
        Their classes.
    before : (2, K) array, optional
        Soft labels to compare with, dotted.
    """

    name = "bands"
    soft_labels: np.ndarray
    classes: Sequence[str]
    w: np.ndarray
    true: np.ndarray
    before: np.ndarray | None = None

    @cached_property
    def bands(self) -> Bands:
        """Which class wins where."""
        return winning_bands(*self.soft_labels)

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """Scores over the bands in which they win, above a row of points a class."""
        soft_labels, before, classes = self.soft_labels, self.before, self.classes
        w, true, bands = self.w, self.true, self.bands
        shown = np.flatnonzero(soft_labels.max(axis=0) > 0).tolist()
        traces: list[dict[str, Any]] = []
        if before is not None:
            changed = np.flatnonzero(np.abs(before - soft_labels).max(axis=0) > 1e-9).tolist()
            traces += [_score(before, k, classes, theme, before=True) for k in changed]
        traces += [_score(soft_labels, k, classes, theme) for k in shown]
        # Points of classes that have no score here share the lowest row.
        rows: list[int | None] = [k for k in shown if (true == k).any()]
        rows += [None] if ~np.isin(true, shown).all() else []
        for row, k in enumerate(rows):
            here = true == k if k is not None else ~np.isin(true, shown)
            traces.append(_points(w[here], len(rows) - 1 - row, k, classes, theme))
        top = float(max(soft_labels.max(), 0.5)) * 1.16
        shapes, notes = [], []
        for k, low, high in zip(bands.classes, bands.edges[:-1], bands.edges[1:], strict=True):
            style = class_style(k, theme)
            fill = blend(style.color, theme.background, 0.17)
            shapes.append(band((low, high), (0, 1), fill, yref="paper"))
            if high - low >= _NAME_NEEDS:
                name = f"{style.character} <b>{shortened(classes[k], 16)}</b>"
                notes.append(note(name, (low + high) / 2, top, theme.text, 13, yanchor="top"))
        room = min(0.45, 0.10 + 0.05 * max(len(rows), 1))
        names = [OTHERS if k is None else class_name(k, classes, theme, 14) for k in reversed(rows)]
        return go.Figure(
            traces,
            base_layout(
                theme,
                height=400,
                margin={"l": 8, "r": 12, "t": 8, "b": 8},
                shapes=shapes,
                annotations=notes,
                showlegend=False,
                hovermode="closest",
                xaxis=fixed_axis(
                    W_TITLE, 6, range=[-0.004, 1.004], anchor="y2", showgrid=False, nticks=6
                ),
                yaxis=fixed_axis("score", range=[0, top], domain=[room + 0.04, 1], nticks=4)
                | {"gridcolor": with_opacity(theme.muted, 0.2)},
                yaxis2=row_axis(names, theme, domain=[0, room])
                | {"range": [-0.7, max(len(rows), 1) - 0.3]},
            ),
        )

    def table(self) -> pd.DataFrame:
        """One row a band: ``class``, ``from`` and ``to`` in w, from 0 to 1."""
        names, edges = [self.classes[c] for c in self.bands.classes], self.bands.edges
        return pd.DataFrame({"class": names, "from": edges[:-1], "to": edges[1:]})

    def facts(self) -> Facts:
        """Every band with its ends, and where on the line its points are."""
        n, told = len(self.w), self.bands.facts(self.classes)
        if not n:
            return (*told, fact("bands.nobody", "No query point asks this line."))
        low, high = Share(self.w.min()), Share(self.w.max())
        template = "The line's {n:,} query points have w from {low:.2f} to {high:.2f}."
        if n == 1:
            template = "The line's one query point has w = {low:.2f}."
        return (*told, fact("bands.points", template, n=n, low=low, high=high))


def _score(
    labels: np.ndarray, k: int, classes: Sequence[str], theme: Theme, before: bool = False
) -> dict[str, Any]:
    """One class's straight line: the right soft label at w = 0, the left one at w = 1."""
    what, width, dash = ("before", 1.6, "dot") if before else ("now", 3, "solid")
    return scatter(
        [0.0, 1.0],
        labels[::-1, k],
        "lines",
        line={"color": class_style(k, theme).color, "width": width, "dash": dash},
        hovertemplate=f"<b>{shortened(classes[k], 40)}</b> {what}: %{{y:.3f}}<extra></extra>",
    )


def _points(
    w: np.ndarray, row: int, index: int | None, classes: Sequence[str], theme: Theme
) -> dict[str, Any]:
    """The points of one class on their own row, shaken a little so that none hides another."""
    w = w[np.linspace(0, len(w) - 1, min(len(w), _MOST_POINTS)).round().astype(int)]
    if index is None:
        name, marker = OTHERS, {"color": theme.muted, "symbol": "circle-open", "size": 6}
    else:
        name, marker = shortened(classes[index], 40), class_marker(index, theme, 6)
    return scatter(
        w,
        row + 0.5 * shake(len(w)),
        "markers",
        yaxis="y2",
        marker=marker | {"opacity": 0.7},
        hovertemplate=f"<b>{name}</b> at w = %{{x:.3f}}<extra></extra>",
    )
