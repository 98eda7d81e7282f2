"""One line: its w strip, and its half-plane with either kind of distance."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.explain.data import Chosen, chosen_point, opening_row
from pages.explain.errors import Filtered
from pages.explain.parts import SIDE
from pages.explain.typed_example import typed_example
from pages.session import settings
from pages.session.selection import choose_row, chosen_row
from pages.session.workspace import Workspace
from pages.widgets.chart import show
from pages.widgets.parts import heading
from pages.widgets.readings import LineView, headline_of
from pages.widgets.say import say
from slp_core.explain import Causes
from slp_core.explain.profile import line_title
from slp_core.figures.line.half_plane import HalfPlaneDisplay
from slp_core.markdown import unmarked


def follow(workspace: Workspace, causes: Causes, filtered: Filtered) -> Chosen:
    """Ask for an example of one's own; and the point to explain.

    The line to look at becomes that of the first sentence on a new model, that of the filter when
    it is set, and that of a point when it is chosen. The one that a URL names goes first.
    """
    followed, lines = settings.LINE_FOLLOWED.value, range(causes.n_lines)
    line = settings.EXPLAINED_LINE
    asked = line.was_read and line.is_set and line.value in lines
    told = headline_of(workspace).line
    first = told if told is not None else causes.worst_line
    if not followed or followed[0] != workspace.model_key or asked or not line.is_set:
        if not asked:
            line.set(first)
        followed = (workspace.model_key, "", None)
    if filtered.line is not None and filtered.line != followed[2] and not asked:
        line.set(filtered.line)
    opening = opening_row(workspace, causes, line.value, filtered)
    clicked = chosen_row(workspace)
    typed = typed_example(workspace, opening[0] if clicked is None else clicked)
    chosen = chosen_point(workspace, typed, opening, filtered)
    key = chosen.key if chosen.asked_for else ""
    its_own = chosen.reading.line if chosen.asked_for else first
    if chosen.asked_for and followed[1] != key and its_own is not None and not asked:
        line.set(its_own)
    line.shows(its_own, among=lines)  # which a link need not name
    settings.LINE_FOLLOWED.set((workspace.model_key, key, filtered.line))
    return chosen


def line_choice(workspace: Workspace, causes: Causes) -> int:
    """Which line to look at."""
    model = workspace.line_model
    lines = model.lines_
    if len(lines) == 1:
        return 0
    errors = causes.by_line.sum(axis=0).tolist()

    def title(number: int) -> str:
        return unmarked(str(line_title(model, number, errors[number])))

    bound = settings.EXPLAINED_LINE.bound(options=range(len(lines)))
    return int(st.selectbox("Line", format_func=title, **bound))


def strip(workspace: Workspace, view: LineView, chosen: Chosen) -> None:
    """The w strip of a line, with the chosen point marked where it asks this line."""
    zoom = st.toggle(
        "Zoom to where the points are",
        help="The range of w that the line's query points occupy, instead of all from 0 to 1.",
        **settings.ZOOM.bound(),
    )
    at = chosen.reading
    display = view.strip(
        workspace.dataset.classes,
        f"{chosen.key} {zoom}",
        marked=(at.w, at.along) if at.line == view.number else None,
        row=chosen.row,
        zoom=zoom,
    )
    show(display, on_click=choose_row, of=_of(workspace, view))
    say(display.facts(), st.caption)


def half_planes(workspace: Workspace, view: LineView, chosen: Chosen) -> None:
    """The line's half-plane as the method sees it, and as it would with the other distances."""
    if not view.half_planes:
        return
    heading(SIDE)
    st.caption(
        "Every point that asks this line, at its place along it and its distance from the axis; "
        "the background is what the soft labels at the chosen point would answer there."
        if view.local
        else "Every point that asks this line, at its place along it and its distance from the "
        "axis: nothing else about it counts, in however many dimensions, and the background is "
        "what this line answers there."
    )
    at = chosen.reading
    # A point among those of the line is ringed over the figure, which stays the same.
    drawn = not view.local and chosen.row in view.points.ids
    key = view.key if drawn else f"{view.key} {chosen.key}"
    columns = st.columns(2, gap="large")
    for column, plane in zip(columns, view.half_planes, strict=False):
        with column:
            st.markdown(f"**{plane.title}**")
            show(
                HalfPlaneDisplay(
                    view.bands,
                    workspace.dataset.classes,
                    view.profile.line,
                    replace(view.points, w=plane.w, predicted=plane.answered),
                    along_line=plane.along_line,
                    marked=(at.t, at.r) if at.line == view.number else None,
                    told=plane.facts(),
                    key=f"{key} {plane.along_line}",
                ),
                name="half-plane along the line" if plane.along_line else "half-plane",
                on_click=choose_row,
                of=_of(workspace, view),
            )
            say(plane.facts(), st.caption)


def _of(workspace: Workspace, view: LineView) -> str:
    """Which line it is, where there are several."""
    return f"line {view.number + 1}" if len(workspace.line_model.lines_) > 1 else ""
