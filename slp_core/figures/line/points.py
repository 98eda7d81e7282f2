"""The examples assigned to one line, as the w strip and the half-plane show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from slp_core.explain import Predictions
from slp_core.explain.profile import LineProfile
from slp_core.figures.style.parts import (
    class_name,
    hovered,
    legend_key,
    marker,
    scatter,
    spaced,
)
from slp_core.figures.style.text import example_hover, labels_of
from slp_core.figures.style.theme import Theme, class_style

OTHERS = "other classes"
W_TITLE = "weight w of prototype A"
# Each is an element of the page, in up to five figures: all are drawn, of more than that so many.
_MOST_POINTS, _OF_MORE = 600, 300


@dataclass(frozen=True, eq=False)
class LinePoints:
    """p query examples of one line."""

    ids: np.ndarray  # (p,)
    true: np.ndarray  # (p,)
    predicted: np.ndarray  # (p,)
    w: np.ndarray  # (p,)
    t: np.ndarray  # (p,)
    r: np.ndarray  # (p,)
    along: np.ndarray  # (p,)
    predicted_along: np.ndarray  # (p,)
    shown: np.ndarray  # (p,)
    texts: Sequence[str] = ()

    @classmethod
    def of(
        cls,
        profile: LineProfile,
        ids: np.ndarray,
        predictions: Predictions,
        shown: np.ndarray,
        texts: Sequence[str],
    ) -> LinePoints:
        """The examples of a line, of a query set with these rows; ``texts`` are theirs."""
        at = profile.rows
        seen = (profile.w, profile.t, profile.r, profile.along, profile.predicted_along)
        return cls(
            ids[at], predictions.true[at], predictions.predicted[at], *seen, shown[at], texts
        )

    def __len__(self) -> int:
        return len(self.ids)

    def table(self, classes: Sequence[str]) -> pd.DataFrame:
        """One row an example; ``text`` where it has one."""
        names = np.asarray(classes, dtype=object)
        columns = {
            "row": self.ids,
            "true": names[self.true],
            "predicted": names[self.predicted],
            "w": self.w,
            "t": self.t,
            "r": self.r,
            "w after projection": self.along,
            "predicted after projection": names[self.predicted_along],
        }
        return pd.DataFrame(columns | ({"text": list(self.texts)} if len(self.texts) else {}))

    @property
    def drawn(self) -> np.ndarray:
        """(q,) indices of the points to draw: all, or evenly spaced ones of too many."""
        if len(self) <= _MOST_POINTS:
            return np.arange(len(self))
        lit, faint = np.flatnonzero(self.shown), np.flatnonzero(~self.shown)
        lit = spaced(lit, _OF_MORE - min(len(faint), _OF_MORE // 5))
        return np.sort(np.concatenate([lit, spaced(faint, _OF_MORE - len(lit))]))


def point_traces(
    points: LinePoints,
    x: np.ndarray,
    y: np.ndarray,
    classes: Sequence[str],
    theme: Theme,
    size: float = 7.0,
    **trace: Any,
) -> list[dict[str, Any]]:
    """Marks at (p,) places, by true class: filled if classified correctly, else hollow."""
    traces, correct = [], points.true == points.predicted
    kinds = pd.DataFrame({"true": points.true, "correct": correct, "lit": points.shown})
    # Sorted, so correct ones are on top: they are the rarer where it matters.
    for (_, fine, lit), found in kinds.iloc[points.drawn].groupby(list(kinds)):
        here = found.index.to_numpy()
        style = class_style(int(points.true[here[0]]), theme)
        look = marker(style, size, opacity=(0.75 if fine else 0.85) if lit else 0.13)
        look["line"] = {"width": 0 if fine else 1.5, "color": look["color"]}
        look["symbol"] += "" if fine else "-open"
        traces.append(
            scatter(x[here], y[here], "markers", marker=look, showlegend=False)
            | {"customdata": points.ids[here].astype(np.int32)}
            | hovered(_hover(points, here, classes))
            | trace
        )
    return traces


def w_axis_title(order: Sequence[int], classes: Sequence[str], theme: Theme) -> str:
    """The axis from w = 1 at prototype A on the left to w = 0 at B, with their classes."""
    a, b = (class_name(k, classes, theme, 12) for k in (order[0], order[-1]))
    return f"<b>A</b> {a}  ←  weight w  →  <b>B</b> {b}"


def _hover(points: LinePoints, rows: np.ndarray, classes: Sequence[str]) -> list[str]:
    names, texts = labels_of(classes, 40), points.texts or [""] * len(points)
    return [
        example_hover(
            names[points.true[i]], names[points.predicted[i]], texts[i], f" · w = {points.w[i]:.3f}"
        )
        for i in rows.tolist()
    ]


def key_traces(theme: Theme, centroids: bool = False) -> list[dict[str, Any]]:
    """Legend entries that say what filled, hollow and edged marks are."""
    look = {"size": 9, "color": theme.muted, "line": {"width": 1.5}}
    edged = {"symbol": "circle", "color": theme.muted, "size": 13}
    edged["line"] = {"width": 2, "color": theme.text}
    marks = {
        "correct": {"symbol": "circle", **look},
        "misclassified": {"symbol": "circle-open", **look},
    } | ({"centroid": edged} if centroids else {})
    return [legend_key(name, mark) for name, mark in marks.items()]


def key_layout(theme: Theme, y: float = 1.0) -> dict[str, Any]:
    # At the left: at the right, a chart's buttons show while it is pointed at.
    still = {"itemclick": False, "itemdoubleclick": False}
    return {"xanchor": "left", "y": y, **still, "font": {"size": 12, "color": theme.muted}}


def lines_table(model: object, classes: tuple[str, ...]) -> pd.DataFrame | None:
    """One row a class: its line, its position along it, and its distance from it."""
    if not hasattr(model, "line_fit_"):
        return None
    fit = model.line_fit_
    rows = [
        {
            "line": number + 1,
            "class": classes[c],
            "position": position / line.length if line.length else 0.0,
            "distance": off,
            "beyond tolerance": bool(off > fit.tolerance),
        }
        for number, line in enumerate(fit.lines)
        for c, position, off in zip(line.classes, line.positions, line.offsets, strict=True)
    ]
    return pd.DataFrame(rows).round({"position": 3, "distance": 3})
