"""Explain: why each error happens."""

from __future__ import annotations

import streamlit as st

from pages.explain.errors import (
    ORDERS,
    Filtered,
    causes_bar,
    errors,
    errors_on_map,
    filter_of,
    filter_widgets,
)
from pages.explain.example import code, example_details, example_summary
from pages.explain.line import follow, half_planes, line_choice, strip
from pages.session import settings
from pages.session.code import offer_code
from pages.session.text import method_set_text
from pages.session.workspace import Workspace
from pages.shell.frame import current_workspace
from pages.widgets.accuracy import accuracy_parts
from pages.widgets.parts import alone, folded
from pages.widgets.pickers import point_number
from pages.widgets.readings import causes_of, headline_of, line_view
from slp_core.explain import Causes
from slp_core.explain.text import headline_text


def page(workspace: Workspace) -> None:
    st.subheader(headline_text(headline_of(workspace)))
    alone(_linked, workspace)
    _say_method_was_set()
    accuracy_parts(workspace)


def _say_method_was_set() -> None:
    """A row selected on Compare is explained with that row's method."""
    before, now, called = settings.METHOD_LEFT.value
    if not now or settings.METHOD.value != called:
        settings.METHOD_LEFT.set(settings.METHOD_LEFT.default)
        return
    st.caption(f":material/info: {method_set_text(before, now)}")


def _linked(workspace: Workspace) -> None:
    """A fragment: causes, errors, line and example follow one another's clicks."""
    causes = causes_of(workspace)
    filtered = filter_of(workspace, causes)
    settings.ERRORS_ORDER.shows(among=ORDERS)  # also while the list is folded
    left, right = st.columns([15, 8], gap="medium")
    with right, st.popover("View", icon=":material/tune:", width="stretch"):
        above = st.container()
        chosen = follow(workspace, causes, filtered)
        with above:
            number, stacked = _controls(workspace, causes, filtered, chosen.row)
    offer_code(lambda: code(workspace, chosen), workspace)
    view = line_view(workspace, number, chosen.reading.vector, filtered.shown, filtered.key)
    with left:
        strip(workspace, view, chosen)
    with right:
        causes_bar(causes, stacked, filtered)
        example_summary(workspace, causes, chosen)
    folded("Follow one example", "example", example_details, workspace, chosen)
    folded("All errors", "errors", errors, workspace, causes, filtered, chosen.row)
    if view.half_planes:
        folded(
            "Position against distance from the line", "side", half_planes, workspace, view, chosen
        )
    folded("Errors on the map", "map", errors_on_map, workspace, filtered, chosen.row)


def _controls(
    workspace: Workspace, causes: Causes, filtered: Filtered, row: int | None
) -> tuple[int, str]:
    number = line_choice(workspace, causes)
    point_number(workspace, row)
    st.toggle("Zoom to data", **settings.ZOOM.bound())
    stacked = "by class"
    if causes.n_lines > 1:
        stacked = st.segmented_control(
            "Causes",
            required=True,
            **settings.STACKED.bound(options=["by class", "by line"], opens="default"),
        )
    filter_widgets(causes, filtered)
    return number, stacked


page(current_workspace())
