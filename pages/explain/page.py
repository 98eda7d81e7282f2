"""Explain: why the method is wrong where it is wrong, exactly."""

from __future__ import annotations

import streamlit as st

from pages.explain.code import code
from pages.explain.errors import causes_bar, errors, filter_of
from pages.explain.errors_map import errors_on_map
from pages.explain.line import follow, half_planes, line_choice, strip
from pages.explain.method_set import say_method_was_set
from pages.explain.parts import DIMENSIONS, ERRORS, EXAMPLES, MAP, ONE_POINT, PARTS, SIDE, THEOREM2
from pages.explain.point import point
from pages.explain.point_summary import point_summary
from pages.session import settings
from pages.session.code import offer_code
from pages.session.teaching import has_open_question
from pages.session.workspace import Workspace
from pages.shell.frame import current_workspace
from pages.widgets.cover import guess_first, is_revealed
from pages.widgets.dimensions import dimensions
from pages.widgets.parts import folded, heading, list_parts
from pages.widgets.pickers import point_number
from pages.widgets.readings import causes_of, headline_of, line_view
from pages.widgets.say import say
from pages.widgets.theorem2 import crossings
from pages.widgets.worked_example import papers_examples
from slp_core.explain.headline import without_lines
from slp_core.methods.protocols import predicts_from_lines


def page(workspace: Workspace) -> None:
    """The sentence; then everything that a click moves; then what stands by itself."""
    on_lines = workspace.where(predicts_from_lines)
    with st.container():  # of more or fewer sentences, and what follows stays where it is
        _sentences(workspace, on_lines)
    list_parts(PARTS)
    st.fragment(_why)(on_lines)
    st.fragment(folded)(DIMENSIONS, dimensions, on_lines)


def _sentences(workspace: Workspace, on_lines: Workspace) -> None:
    say_method_was_set()
    if on_lines is not workspace:
        without = without_lines(workspace.method.title, on_lines.method.title)
        say((*headline_of(workspace).facts(), *without), st.caption, before=":material/info: ")
    if has_open_question():
        st.subheader("Choose a point, and guess before you are told.")
    else:
        say(headline_of(on_lines).facts(), st.subheader)
    if causes_of(on_lines).local:
        st.caption(
            ":material/info: Exact for every point: its line, w, t, r, its answer and the cause. "
            f"Local: {on_lines.method.title}'s soft labels depend on the point, so score lines, "
            "bands and regions are those that hold at the chosen point."
        )


def _why(workspace: Workspace) -> None:
    """A fragment: causes, errors, line and point follow one another's clicks."""
    with settings.one_step():
        _drawn(workspace)


def _drawn(workspace: Workspace) -> None:
    causes = causes_of(workspace)
    filtered = filter_of(workspace, causes)
    with st.container(key="errors and line"):
        left, right = st.columns([11, 13], gap="large")
    below = st.container()
    with below:
        head = st.container(horizontal=True, vertical_alignment="bottom")
        with head:
            heading(ONE_POINT)
        chosen = follow(workspace, causes, filtered)
    offer_code(lambda: code(workspace, chosen), workspace)
    answer_told = is_revealed(workspace, chosen.title, chosen.words)
    with right:  # first, for it is the highest: what stands below it does not move any more
        number = line_choice(workspace, causes)
        view = line_view(workspace, number, chosen.x, filtered.shown, filtered.key)
        (strip if answer_told else guess_first)(workspace, view, chosen)
    with below:
        with head:
            point_number(workspace, chosen.row)
        all_told = point(workspace, causes, chosen)
    if answer_told:
        half_planes(workspace, view, chosen)
    elif view.half_planes:
        heading(SIDE)
        guess_first()
    on_map = st.container()
    with left:
        heading(ERRORS)
        (causes_bar if all_told else guess_first)(causes)
        if not has_open_question():  # told below, when it was guessed
            point_summary(chosen)
        errors(workspace, causes, filtered, chosen.row)
    with on_map:  # drawn last: it may wait a little for the picture
        folded(MAP, errors_on_map if all_told else guess_first, workspace, filtered, chosen.row)
    folded(THEOREM2, crossings if answer_told else guess_first, workspace, view)
    folded(EXAMPLES, papers_examples)


page(current_workspace())
