"""Explain: why the method is wrong where it is wrong, exactly."""

from __future__ import annotations

import streamlit as st

from pages.explain.data import causes_of, headline_of, line_view, with_lines
from pages.explain.dimensions import dimensions
from pages.explain.errors import causes_bar, errors, filter_of
from pages.explain.errors_map import errors_on_map
from pages.explain.line import follow, half_planes, line_choice, strip
from pages.explain.point import point
from pages.explain.theorem2 import crossings
from pages.explain.typed_example import own_example
from pages.session.workspace import Workspace
from pages.shell.frame import current_workspace


def page(workspace: Workspace) -> None:
    """The sentence; then everything that a click moves; then what stands by itself."""
    own = with_lines(workspace)
    if own is not workspace:
        st.caption(
            f":material/info: {headline_of(workspace).sentence()} {workspace.method.title} has no "
            "lines: below, constraintSLP is explained on the same points."
        )
    st.subheader(headline_of(own).sentence())
    if causes_of(own).local:
        st.caption(
            ":material/info: Exact for every point: its line, w, t, r, its answer and the cause. "
            f"Local: {own.method.title}'s soft labels depend on the point, so score lines, bands "
            "and regions are those that hold at the chosen point."
        )
    st.fragment(_why)(own)
    st.divider()
    st.fragment(dimensions)(own)


def _why(workspace: Workspace) -> None:
    """A fragment: causes, errors, line and point follow one another's clicks."""
    found = causes_of(workspace)
    filtered = filter_of(workspace, found)
    left, right = st.columns([11, 13], gap="large")
    with st.container():  # drawn first though it stands below: it is what a click asks for
        st.markdown("#### One point")
        own = own_example(workspace)
        chosen = follow(workspace, found, own, filtered.line)
        point(workspace, found, chosen)
    with right:
        number = line_choice(workspace, found)
        view = line_view(workspace, number, chosen, filtered.shown, filtered.key)
        strip(workspace, view, chosen, filtered.key)
    half_planes(workspace, view, chosen, filtered.key)
    errors_on_map(workspace, filtered)
    with left:
        causes_bar(workspace, found)
        errors(workspace, found, filtered)
    st.divider()
    crossings(workspace, view)


page(current_workspace())
