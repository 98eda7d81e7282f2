"""Theorem 2: how many query examples a line takes from their nearest centroid, and where."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.session.workspace import Workspace
from pages.widgets.chart import show
from pages.widgets.readings import LineView, theorem2_of
from pages.widgets.say import say
from pages.widgets.tables import small_table
from slp_core.figures.line.half_plane import Theorem2Display, turns_table
from slp_core.lessons.text import hatching_text, theorem2_text


def crossings(workspace: Workspace, view: LineView) -> None:
    """The region on this line, the count, and a table of where it begins."""
    theorem, names = theorem2_of(workspace), workspace.dataset.classes
    if view.local or not view.half_planes:
        say(theorem2_text(theorem))
        st.caption(
            "No region to draw: the soft labels depend on the example."
            if view.local
            else "No region to draw: this line is a single point."
        )
        return
    show(
        Theorem2Display(
            view.bands,
            names,
            view.profile.line,
            replace(view.points, shown=theorem.counted[view.profile.rows]),
            along_line=view.half_planes[0].along_line,
            text=theorem2_text(theorem),
            key=f"{workspace.model_key} {view.number}",
        )
    )
    say(theorem2_text(theorem))
    say(
        hatching_text(view.profile.line, names),
        st.caption,
        before="Hatched: predicted is not the class of the nearest centroid. Dotted: midway "
        "between neighbours. ",
    )
    if turns := [turn for turn in theorem.turns if turn.line == view.number]:
        small_table(turns_table(turns, names))
        st.caption(
            "θ: the angle at prototype A at which two classes tie, seen where both ends are at 90°."
        )
