"""Theorem 2: how many points a line takes from the class whose centroid is nearest, and where."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.session.workspace import Workspace
from pages.widgets.chart import show
from pages.widgets.readings import LineView, theorem2_of
from pages.widgets.say import say
from slp_core.explain.theorem2 import hatching_facts
from slp_core.figures.line.theorem2 import Theorem2Display, turns_table


def crossings(workspace: Workspace, view: LineView, beside: bool = True) -> None:
    """The number, the region on this line, and beside or below it where that begins."""
    theorem, names = theorem2_of(workspace), workspace.dataset.classes
    say(theorem.facts())
    if view.local or not view.half_planes:
        st.caption(
            "The theorem is about constant soft labels; where they depend on the point there is "
            "no region to draw."
            if view.local
            else "This line is one point, and has no regions."
        )
        return
    left, right = st.columns(2, gap="large") if beside else (st.container(), st.container())
    with left:
        show(
            Theorem2Display(
                view.bands,
                names,
                view.profile.line,
                replace(view.points, shown=theorem.counted[view.profile.rows]),
                along_line=view.half_planes[0].along_line,
                told=theorem.facts(),
                key=f"{workspace.model_key} {view.number}",
            )
        )
        st.caption(
            "Hatched: the nearest foot of a centroid on the axis is one class's, and the answer "
            "another's. Dotted: midway between neighbouring feet. Strong marks are the points "
            "that are counted."
        )
        say(hatching_facts(view.profile.line, names), st.caption)
    with right:
        turns = [turn for turn in theorem.turns if turn.line == view.number]
        st.markdown("**Where this line turns from one answer to another**")
        if not turns:
            st.caption("Nowhere: it answers one class at every w, or the points have one feature.")
            return
        st.table(turns_table(turns, names), hide_index=True)
        st.caption(
            "θ is the angle, at the left end, of a point that sees the two ends at a right angle "
            "and at which the two classes tie. Beside each class: how far such a point is from its "
            "centroid; a range where that stands off the axis, since the point may lie on any side "
            "of it. Taken from: the class that is the nearer one whatever the side, and yet loses "
            "points just beyond; “–” where no class is."
        )
