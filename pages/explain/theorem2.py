"""Theorem 2: how many points a line takes from the class whose centroid is nearest, and where."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages.explain.data import LineView, theorem2_of
from pages.session.workspace import Workspace
from pages.widgets.chart import chart, theme
from slp_core import ConstraintSLPClassifier
from slp_core.explain.theorem2 import Turn, theorem2
from slp_core.figures.line.half_plane import half_plane_table
from slp_core.figures.line.theorem2 import theorem2_figure
from slp_core.figures.style.theme import Theme

PAPER = [[-10.0, 0.0], [5.0, 0.0], [15.0, 0.0]]  # the centroids of the paper's example


def crossings(workspace: Workspace, view: LineView) -> None:
    """The number, the region on this line, and the angles at which it begins."""
    found = theorem2_of(workspace)
    st.markdown("#### Theorem 2: not always the nearest centroid")
    st.markdown(found.sentence())
    turns = [turn for turn in found.turns if turn.line == view.number]
    if view.local or not view.half_planes:
        st.caption(
            "The theorem is about constant soft labels; where they depend on the point there is "
            "no region to draw."
            if view.local
            else "This line is one point, and has no regions."
        )
        return
    left, right = st.columns([7, 6], gap="large")
    look = theme()
    own = view.half_planes[0]
    with left:
        counted = found.counted[_positions(workspace, view)]
        key = f"{workspace.model_key} {view.number} {look.name}"
        chart(
            _figure(key, view, workspace.dataset.classes, counted, _along(workspace), look),
            lambda: half_plane_table(own.points, workspace.dataset.classes),
            "theorem 2",
            alt=found.sentence(),
        )
        st.caption(
            "Hatched: the nearest centroid on the line is one class's, and the answer another's. "
            "Dotted: midway between neighbours. Strong marks are the points that are counted."
        )
    with right:
        st.markdown(f"**Where line {view.number + 1} turns**")
        st.dataframe(
            _turn_table(turns, workspace.dataset.classes),
            hide_index=True,
            height="content",
            column_config={"θ": st.column_config.NumberColumn(format="%.2f°")},
        )
        example = _paper_example()
        st.caption(
            "θ is the angle at the left end of a point that sees the two ends at a right angle and "
            "at which both classes tie; beside it the point's distances from their two centroids. "
            f"The paper's example, A at −10, B at 5 and C at 15, comes to θ = {example.angle:.2f}° "
            f"with {example.to_left:.2f} to A and {example.to_right:.2f} to B: just beyond it, a "
            "point nearer to A is given to B."
        )


def _along(workspace: Workspace) -> bool:
    return workspace.model.distance == "along_line"


def _positions(workspace: Workspace, view: LineView) -> np.ndarray:
    """Where the line's points stand among the query points."""
    return np.searchsorted(workspace.episode.query, view.points.ids)


def _turn_table(turns: list[Turn], classes: tuple[str, ...]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "between": f"{classes[turn.left]} | {classes[turn.right]}",
                "w": round(turn.w, 3),
                "θ": turn.angle,
                "to left": round(turn.to_left, 3),
                "to right": round(turn.to_right, 3),
                "taken from": "–" if turn.taken is None else classes[turn.taken],
            }
            for turn in turns
        ]
    )


@st.cache_resource(max_entries=24, show_spinner=False)
def _figure(
    key: str,
    _view: LineView,
    classes: tuple[str, ...],
    _counted: np.ndarray,
    along_line: bool,
    _theme: Theme,
) -> Any:
    shown = replace(_view.half_planes[0].points, shown=_counted)
    return theorem2_figure(
        _view.bands, classes, _view.line, shown, _counted, along_line=along_line, theme=_theme
    )


@st.cache_resource(show_spinner=False)
def _paper_example() -> Turn:
    centroids = np.array(PAPER)
    model = ConstraintSLPClassifier().fit(centroids, ["A", "B", "C"])
    return next(t for t in theorem2(model, centroids, np.arange(3)).turns if t.left == 0)
