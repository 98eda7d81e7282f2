"""One line: its w strip, and its half-plane with both kinds of distance."""

from __future__ import annotations

import streamlit as st

from pages.explain.errors import Filtered
from pages.explain.example import Chosen, chosen_point, default_row, typed_example
from pages.session import settings
from pages.session.selection import choose_row, chosen_row
from pages.session.workspace import Workspace
from pages.widgets.chart import show
from pages.widgets.readings import LineView, headline_of
from slp_core.explain import Causes
from slp_core.explain.text import half_plane_title, line_title
from slp_core.figures.line.half_plane import HalfPlaneDisplay
from slp_core.markdown import unmarked
from slp_core.sentences import count


def follow(workspace: Workspace, causes: Causes, filtered: Filtered) -> Chosen:
    """The selected example; unless a line was chosen since, its line or the filter's is shown."""
    line, clicked = settings.EXPLAINED_LINE, chosen_row(workspace)
    line.keep_for(f"{workspace.model_key} {clicked} {filtered.key}")
    opening = headline_of(workspace).line or 0 if filtered.line is None else filtered.line
    default = default_row(workspace, causes, line.shows(opening, range(causes.n_lines)), filtered)
    typed = typed_example(workspace, default[0] if clicked is None else clicked)
    chosen = typed or chosen_point(workspace, default, filtered)
    if chosen.by_choice:
        line.shows(chosen.reading.line)
    return chosen


def line_choice(workspace: Workspace, causes: Causes) -> int:
    lines = workspace.line_model.lines_
    if len(lines) == 1:
        return 0
    errors = causes.by_line.sum(axis=0).tolist()

    def title(number: int) -> str:
        title = line_title(causes.classes, lines[number], number)
        return unmarked(f"{title} ({count(errors[number], 'error')})")

    bound = settings.EXPLAINED_LINE.bound(options=range(len(lines)))
    return int(st.selectbox("Line", format_func=title, **bound))


def strip(workspace: Workspace, view: LineView, chosen: Chosen) -> None:
    zoom = settings.ZOOM.value
    at = chosen.reading
    display = view.strip(
        f"{chosen.key} {zoom}",
        marked=(at.w, at.along) if at.line == view.number else None,
        row=chosen.row,
        zoom=zoom,
    )
    show(display, on_click=choose_row, of=_of(workspace, view))
    st.caption(display.sentence())


def half_planes(workspace: Workspace, view: LineView, chosen: Chosen) -> None:
    at = chosen.reading
    # An example of the line is ringed over the figure, which stays the same.
    drawn = chosen.row in set(view.profile.examples["row"])
    key = view.key if drawn else f"{view.key} {chosen.key}"
    fitted, columns = workspace.line_model.distance == "along_line", st.columns(2, gap="large")
    for column, (along_line, profile) in zip(columns, view.half_planes.items(), strict=False):
        display = HalfPlaneDisplay(
            profile,
            along_line,
            view.texts,
            marked=(at.t, at.r) if at.line == view.number else None,
            key=f"{key} {along_line}",
        )
        with column:
            st.markdown(f"**{half_plane_title(along_line, along_line == fitted)}**")
            name = "half-plane after projection" if along_line else "half-plane"
            show(display, name, on_click=choose_row, of=_of(workspace, view))
            st.caption(display.sentence())


def _of(workspace: Workspace, view: LineView) -> str:
    """The line's number, if there are several."""
    return f"line {view.number + 1}" if len(workspace.line_model.lines_) > 1 else ""
