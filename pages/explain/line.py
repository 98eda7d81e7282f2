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
from slp_core.explain.bands import winning_bands
from slp_core.explain.text import half_plane_title, line_title
from slp_core.figures.line.half_plane import HalfPlaneDisplay
from slp_core.markdown import unmarked
from slp_core.sentences import count


def follow(workspace: Workspace, causes: Causes, filtered: Filtered) -> Chosen:
    """The selected example, and the line to show: the URL's, the filter's or the example's."""
    followed, lines = settings.LINE_FOLLOWED.value, range(causes.n_lines)
    line = settings.EXPLAINED_LINE
    named = line.was_read and line.is_set and line.value in lines
    first = headline_of(workspace).line or 0
    if not followed or followed[0] != workspace.model_key or named or not line.is_set:
        if not named:
            line.set(first)
        followed = (workspace.model_key, "", None)
    if filtered.line is not None and filtered.line != followed[2] and not named:
        line.set(filtered.line)
    default = default_row(workspace, causes, line.value, filtered)
    clicked = chosen_row(workspace)
    typed = typed_example(workspace, default[0] if clicked is None else clicked)
    chosen = typed or chosen_point(workspace, default, filtered)
    key = chosen.key if chosen.by_choice else ""
    its_own = chosen.reading.line if chosen.by_choice else first
    if chosen.by_choice and followed[1] != key and its_own is not None and not named:
        line.set(its_own)
    line.shows(its_own, among=lines)  # which a link need not name
    settings.LINE_FOLLOWED.set((workspace.model_key, key, filtered.line))
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
    drawn = not view.local and chosen.row in set(view.profile.examples["row"])
    key = view.key if drawn else f"{view.key} {chosen.key}"
    fitted, columns = workspace.line_model.distance == "along_line", st.columns(2, gap="large")
    for column, (along_line, profile) in zip(columns, view.half_planes.items(), strict=False):
        display = HalfPlaneDisplay(
            profile,
            winning_bands(*view.soft_labels),
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
