"""One line: its w strip, and its half-plane with either kind of distance."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.explain.data import (
    Chosen,
    LineView,
    chosen_point,
    headline_of,
    opening_row,
)
from pages.explain.typed_example import Own, choose_row
from pages.session import settings
from pages.session.workspace import Workspace
from pages.widgets.chart import chart, theme
from slp_core.explain.causes import Causes
from slp_core.figures.line.half_plane import half_plane_figure, half_plane_table
from slp_core.figures.line.strip import w_strip_figure, w_strip_table
from slp_core.figures.style.theme import Theme, class_style


def follow(
    workspace: Workspace, found: Causes, own: Own | None, filtered_line: int | None
) -> Chosen:
    """The point to explain.

    The line to look at becomes that of the first sentence on a new model, that of the filter when
    it is set, and that of a point when it is chosen.
    """
    followed = settings.LINE_FOLLOWED.value
    if not followed or followed[0] != workspace.model_key:
        told = headline_of(workspace).line
        settings.EXPLAINED_LINE.set(
            told if told is not None else int(found.by_line.sum(axis=0).argmax())
        )
        followed = (workspace.model_key, "", None)
    if filtered_line is not None and filtered_line != followed[2]:
        settings.EXPLAINED_LINE.set(filtered_line)
    chosen = chosen_point(
        workspace, own, opening_row(workspace, found, settings.EXPLAINED_LINE.value)
    )
    if chosen.asked_for and followed[1] != chosen.key:
        settings.EXPLAINED_LINE.set(chosen.votes.line)
    key = chosen.key if chosen.asked_for else ""
    settings.LINE_FOLLOWED.set((workspace.model_key, key, filtered_line))
    return chosen


def line_choice(workspace: Workspace, found: Causes) -> int:
    """Which line to look at."""
    lines, names = workspace.model.lines_, workspace.dataset.classes
    if len(lines) == 1:
        return 0
    errors = found.by_line.sum(axis=0).tolist()
    look = theme()

    def title(number: int) -> str:
        carried = " – ".join(
            f"{class_style(k, look).character} {names[k]}" for k in lines[number].classes
        )
        count = errors[number]
        return f"{number + 1} · {carried} · {count:,} error{'' if count == 1 else 's'}"

    number = st.selectbox(
        "Line",
        range(len(lines)),
        format_func=title,
        key=settings.EXPLAINED_LINE.key,
        persist_state="session",
    )
    return int(number)


def strip(workspace: Workspace, view: LineView, chosen: Chosen, shown_key: str) -> None:
    """The w strip of a line, with the chosen point marked where it asks this line."""
    zoom = st.toggle(
        "Zoom to where the points are",
        help="The range of w that the line's query points occupy, instead of all from 0 to 1.",
        **settings.ZOOM.bound(),
    )
    look = theme()
    key = f"{workspace.model_key} {view.number} {shown_key} {chosen.key} {zoom} {look.name}"
    chart(
        _strip_figure(key, view, workspace.dataset.classes, chosen, zoom, look),
        lambda: w_strip_table(view.points, workspace.dataset.classes),
        "w strip",
        alt=view.sentence,
        on_select=clicked("w strip figure"),
        selection_mode="points",
    )
    drawn, n = len(view.points.drawn), len(view.points)
    thinned = f" {drawn:,} of them are drawn; the density is that of all." if drawn < n else ""
    st.caption(f"{view.sentence}{thinned}")


def half_planes(workspace: Workspace, view: LineView, chosen: Chosen, shown_key: str) -> None:
    """The line's half-plane as the method sees it, and as it would with the other distances."""
    if not view.half_planes:
        return
    names = workspace.dataset.classes
    look = theme()
    st.markdown(f"#### Line {view.number + 1} from the side")
    counts = (
        "the background is what the soft labels at the chosen point would answer there"
        if view.local
        else "nothing else about it counts, in however many dimensions, and the background is what "
        "is answered there"
    )
    st.caption(
        f"Every point at its place along the line and its distance from the axis: {counts}. Full "
        "marks are right answers, hollow ones wrong."
    )
    columns = st.columns(2, gap="large")
    for column, side in zip(columns, view.half_planes, strict=False):
        with column:
            st.markdown(f"**{side.title}**")
            key = f"{workspace.model_key} {view.number} {side.name} {shown_key} {chosen.key}"
            chart(
                _half_figure(f"{key} {look.name}", view, side.name, names, chosen, look),
                lambda points=side.points: half_plane_table(points, names),
                side.name,
                alt=side.sentence,
                on_select=clicked(f"{side.name} figure"),
                selection_mode="points",
            )
            st.caption(side.sentence)


@st.cache_resource(max_entries=48, show_spinner=False)
def _strip_figure(
    key: str, _view: LineView, classes: tuple[str, ...], _chosen: Chosen, zoom: bool, _theme: Theme
) -> Any:
    at = _chosen.votes
    return w_strip_figure(
        _view.soft_labels,
        _view.bands,
        classes,
        _view.line.classes,
        _view.points,
        marked=(at.w, at.along) if at.line == _view.number else None,
        zoom=zoom,
        logits=_view.local,
        theme=_theme,
    )


@st.cache_resource(max_entries=48, show_spinner=False)
def _half_figure(
    key: str, _view: LineView, name: str, classes: tuple[str, ...], _chosen: Chosen, _theme: Theme
) -> Any:
    at = _chosen.votes
    side = next(side for side in _view.half_planes if side.name == name)
    return half_plane_figure(
        _view.bands,
        classes,
        _view.line,
        side.points,
        along_line=side.along_line,
        marked=(at.t, at.r) if at.line == _view.number else None,
        theme=_theme,
    )


def clicked(key: str) -> Any:
    """A callback that chooses the row behind the clicked mark; a click on nothing does nothing."""

    def choose() -> None:
        event = st.session_state[key]
        rows = [p["customdata"] for p in event.selection.points if p.get("customdata") is not None]
        if rows:
            choose_row(int(rows[0][0] if isinstance(rows[0], list) else rows[0]))

    return choose
