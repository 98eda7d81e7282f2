"""The examples assigned to one line, as the pictures of a line show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from slp_core.figures.style.parts import (
    class_name,
    example_marks,
    legend_key,
    marker,
    row_axis,
    shake,
    spaced,
)
from slp_core.figures.style.text import example_hover, labels_of
from slp_core.figures.style.theme import Theme, class_style

OTHERS = "other classes"
# Each is an element of the page, in up to five figures: all are drawn, of more than that so many.
_MOST_POINTS, _OF_MORE = 600, 300


def points_table(
    points: pd.DataFrame, classes: Sequence[str], texts: Sequence[str] = ()
) -> pd.DataFrame:
    """One row an example; ``text`` where the rows of the dataset have one."""
    names = np.asarray(classes, dtype=object)
    shown = points[["row", "true", "predicted", "w", "t", "r", "along", "predicted_along"]]
    titles = {"along": "w after projection", "predicted_along": "predicted after projection"}
    labels = {name: names[shown[name]] for name in ("true", "predicted", "predicted_along")}
    table = shown.assign(**labels).rename(columns=titles).reset_index(drop=True)
    return table.assign(text=[texts[row] for row in table["row"]]) if len(texts) else table


def drawn(points: pd.DataFrame) -> pd.DataFrame:
    """The points to draw: all, or evenly spaced ones of too many."""
    if len(points) <= _MOST_POINTS:
        return points
    shown = points["shown"].to_numpy()
    lit, faint = np.flatnonzero(shown), np.flatnonzero(~shown)
    lit = spaced(lit, _OF_MORE - min(len(faint), _OF_MORE // 5))
    return points.iloc[np.sort(np.concatenate([lit, spaced(faint, _OF_MORE - len(lit))]))]


def point_traces(
    points: pd.DataFrame,
    x: str,
    y: str,
    classes: Sequence[str],
    texts: Sequence[str],
    theme: Theme,
    size: float = 7.0,
    **trace: Any,
) -> list[dict[str, Any]]:
    """Marks at two of their columns, by true class: filled if classified correctly, else hollow."""
    names, shown, traces = labels_of(classes, 40), drawn(points), []
    # Sorted, so correct ones are on top: they are the rarer where it matters.
    kinds = ["true", shown["true"] == shown["predicted"], "shown"]
    true: Any
    for (true, fine, lit), found in shown.groupby(kinds):
        look = marker(
            class_style(true, theme), size, opacity=(0.75 if fine else 0.85) if lit else 0.13
        )
        look["line"] = {"width": 0 if fine else 1.5, "color": look["color"]}
        look["symbol"] += "" if fine else "-open"
        hover = [
            example_hover(
                names[true],
                names[predicted],
                texts[row] if len(texts) else "",
                f" · w = {w:.3f}",
            )
            for predicted, row, w in zip(found["predicted"], found["row"], found["w"], strict=True)
        ]
        traces.append(example_marks(found[[x, y]], found["row"], hover, look, **trace))
    return traces


def in_rows(points: pd.DataFrame, order: Sequence[int]) -> tuple[list[int], pd.DataFrame]:
    """True classes with a row each, −1 for all others; ``place`` of each point's row, its shift.

    It is ``shaken`` by the shift, so that no mark hides another.
    """
    rows = [k for k in order if (points["true"] == k).any()]
    if not points["true"].isin(rows).all():
        rows.append(-1)
    place = points["true"].map({k: place for place, k in enumerate(rows)}).fillna(len(rows) - 1)
    return rows, points.assign(place=place.astype(int), shaken=shake(len(points)))


def class_rows(
    rows: Sequence[int], classes: Sequence[str], theme: Theme, length: int, **axis: Any
) -> dict[str, Any]:
    """The axis of these rows, with the names of their classes."""
    names = [OTHERS if k < 0 else class_name(k, classes, theme, length) for k in rows]
    return row_axis(names, theme, **axis)


def w_axis_title(order: Sequence[int], classes: Sequence[str], theme: Theme) -> str:
    """The axis from w = 1 at prototype A on the left to w = 0 at B, with their classes."""
    a, b = (class_name(k, classes, theme, 12) for k in (order[0], order[-1]))
    return f"<b>A</b> {a}  ←  weight w  →  <b>B</b> {b}"


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
