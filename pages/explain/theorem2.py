"""Theorem 2: how many points a line takes from the class whose centroid is nearest, and where."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from pages.explain.data import LineView, theorem2_of
from pages.session.cache import cached_by
from pages.session.workspace import Workspace
from pages.widgets.chart import show
from slp_core.explain import Turn
from slp_core.explain.theorem2 import papers_example
from slp_core.figures.line.theorem2 import Theorem2Display

_example = cached_by(lambda: "the paper's example")(papers_example)


def crossings(workspace: Workspace, view: LineView) -> None:
    """The number, the region on this line, and the angles at which it begins."""
    theorem, names = theorem2_of(workspace), workspace.dataset.classes
    st.markdown("#### Theorem 2: not always the nearest centroid")
    st.markdown(theorem.sentence())
    if view.local or not view.half_planes:
        st.caption(
            "The theorem is about constant soft labels; where they depend on the point there is "
            "no region to draw."
            if view.local
            else "This line is one point, and has no regions."
        )
        return
    left, right = st.columns([7, 6], gap="large")
    with left:
        show(
            Theorem2Display(
                view.bands,
                names,
                view.profile.line,
                replace(view.points, shown=theorem.counted[view.profile.rows]),
                along_line=view.half_planes[0].along_line,
                said=theorem.sentence(),
                key=f"{workspace.model_key} {view.number}",
            )
        )
        st.caption(
            "Hatched: the nearest centroid on the line is one class's, and the answer another's. "
            "Dotted: midway between neighbours. Strong marks are the points that are counted."
        )
    with right:
        st.markdown(f"**Where line {view.number + 1} turns**")
        st.dataframe(
            _turn_table([turn for turn in theorem.turns if turn.line == view.number], names),
            hide_index=True,
            height="content",
            column_config={"θ": st.column_config.NumberColumn(format="%.2f°")},
        )
        example = _example()
        st.caption(
            "θ is the angle at the left end of a point that sees the two ends at a right angle and "
            "at which both classes tie; beside it the point's distances from their two centroids. "
            f"The paper's example, A at −10, B at 5 and C at 15, comes to θ = {example.angle:.2f}° "
            f"with {example.to_left:.2f} to A and {example.to_right:.2f} to B: just beyond it, a "
            "point nearer to A is given to B."
        )


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
