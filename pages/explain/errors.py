"""What the errors are caused by, and which they are: a bar and a table that filter together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from pages.explain.typed_example import choose_row
from pages.session import settings
from pages.session.workspace import Workspace
from pages.widgets.chart import chart, theme
from slp_core.explain.causes import Causes
from slp_core.figures.causes import causes_figure, causes_table, errors_table
from slp_core.markdown import named

BY_CLASS, BY_LINE = "by class", "by line"
FILTER = (settings.ERROR_CAUSE, settings.ERROR_CLASS, settings.ERROR_LINE, settings.ERROR_MARGIN)

ORDERS = {
    "surest first": "surest",
    "closest first": "closest",
    "by w": "w",
    "as in the data": "row",
}
TITLES = {
    "embedding": ("embedding", "another centroid is nearer"),
    "line": ("line", "the line asked lacks the class"),
    "concentration": ("concentration", "right along the line"),
    "off_line": ("off line", "wrong even along the line"),
    "rule": ("rule", "the nearest centroid is right"),
}


@dataclass(frozen=True, eq=False)
class Filtered:
    """Which query points the filter lets through.

    Attributes
    ----------
    shown : (m,) bool array
        All of them, right answers too, where nothing is filtered.
    key : str
        Names the filter.
    line : int or None
        The one line that it lets through.
    """

    shown: np.ndarray
    key: str
    line: int | None = None


def filter_of(workspace: Workspace, found: Causes) -> Filtered:
    """The filter as it is set; one that was set for other data or another method is let go."""
    if settings.FILTERED_MODEL.value != workspace.model_key:
        _clear()
        settings.FILTERED_MODEL.set(workspace.model_key)
    shown = np.ones(len(found.true), dtype=bool)
    if not filter_is_set():
        return Filtered(shown, "")
    cause, name, line, margin = (setting.value for setting in FILTER)
    shown &= found.wrong & (-found.margin >= margin - 1e-9)
    if cause is not None:
        shown &= found.cause == cause
    if name is not None:
        shown &= found.true == found.classes.index(name)
    if line is not None:
        shown &= found.line == line
    return Filtered(shown, f"{cause} {name} {line} {margin}", line)


def filter_is_set() -> bool:
    """Whether anything is filtered."""
    return any(setting.value != setting.default for setting in FILTER)


def causes_bar(workspace: Workspace, found: Causes) -> None:
    """Errors by cause; a click on a piece filters the rest of the page."""
    kinds = list(found.kinds)
    by_class = True
    if found.n_lines > 1:
        by = st.segmented_control(
            "Stacked",
            [BY_CLASS, BY_LINE],
            default=BY_CLASS,
            required=True,
            label_visibility="collapsed",
            **settings.STACKED.bound(),
        )
        by_class = by == BY_CLASS
    counts = found.by_class if by_class else found.by_line
    groups = found.classes if by_class else [f"line {n + 1}" for n in range(found.n_lines)]
    piece = (
        (
            found.classes.index(settings.ERROR_CLASS.value)
            if settings.ERROR_CLASS.value is not None
            else None
        )
        if by_class
        else settings.ERROR_LINE.value
    )
    chosen = (
        (kinds.index(settings.ERROR_CAUSE.value), piece)
        if settings.ERROR_CAUSE.value is not None
        else None
    )
    titles = [TITLES[kind] for kind in kinds]
    chart(
        causes_figure(
            counts, titles, groups, "class" if by_class else "line", chosen=chosen, theme=theme()
        ),
        lambda: causes_table(counts, titles, groups),
        "causes",
        alt=found.sentence(),
        on_select=lambda: _piece_clicked(found, kinds, by_class),
        selection_mode="points",
    )
    if rescued := int(found.rescued.sum()):
        are = "is" if rescued == 1 else "are"
        st.caption(f"In return {rescued:,} {are} right though another class's centroid is nearer.")


def errors(workspace: Workspace, found: Causes, filtered: Filtered) -> None:
    """The table of errors with its filter; a click on a row explains that point."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _filter(found)
        order = st.selectbox(
            "Order",
            list(ORDERS),
            width=140,
            label_visibility="collapsed",
            **settings.ERRORS_ORDER.bound(),
        )
        download = st.container(width="content")
    texts = _texts(workspace.data_key, workspace)
    rows = workspace.episode.query
    table = errors_table(
        found, rows, [texts[r] for r in rows.tolist()], ORDERS[order], filtered.shown
    )
    n, total = len(table), int(found.wrong.sum())
    st.caption(_count(n, total, filtered))
    if found.n_lines < 2:
        table = table.drop(columns="line")
    key = f"errors {workspace.model_key} {filtered.key} {order}"
    st.dataframe(
        table.assign(cause=[TITLES[kind][0] for kind in table["cause"]]),
        hide_index=True,
        height=min(402, 38 + 35 * max(n, 1)),
        key=key,
        on_select=lambda: _row_chosen(key, table["row"].tolist()),
        selection_mode="single-row",
        column_config={
            "text": st.column_config.TextColumn(width=140),
            "line": st.column_config.NumberColumn(width=50),
            "w": st.column_config.NumberColumn(format="%.3f"),
            "margin": st.column_config.NumberColumn(
                format="%.3f",
                help="Probability of the true class less that of the answer: how short it fell.",
            ),
        },
    )
    with download:
        st.download_button(
            "CSV",
            lambda: table.to_csv(index=False).encode(),
            "errors.csv",
            "text/csv",
            icon=":material/download:",
            on_click="ignore",
            disabled=not n,
            help="These errors as a file.",
        )


def _count(n: int, total: int, filtered: Filtered) -> str:
    if not total:
        return "There is no error."
    if not n:
        return f"None of the {total:,} errors is left by this filter."
    if not filtered.key:
        which = f"All {total:,} errors." if total > 1 else "The one error."
        return f"{which} Tick a row to read it."
    parts = [
        f"*{TITLES[settings.ERROR_CAUSE.value][0]}*"
        if settings.ERROR_CAUSE.value is not None
        else "",
        f"true {named(settings.ERROR_CLASS.value)}"
        if settings.ERROR_CLASS.value is not None
        else "",
        f"line {settings.ERROR_LINE.value + 1}" if settings.ERROR_LINE.value is not None else "",
        f"short by {settings.ERROR_MARGIN.value:.2f} or more"
        if settings.ERROR_MARGIN.value
        else "",
    ]
    return f"{n:,} of {total:,} errors: {', '.join(part for part in parts if part)}."


def _filter(found: Causes) -> None:
    with st.popover("Filter", icon=":material/filter_alt:"):
        counts = found.counts
        st.pills(
            "Cause",
            [kind for kind, n in counts.items() if n],
            format_func=lambda kind: f"{TITLES[kind][0]} {counts[kind]:,}",
            key=settings.ERROR_CAUSE.key,
            persist_state="session",
        )
        st.selectbox(
            "True class",
            found.classes,
            index=None,
            placeholder="every class",
            key=settings.ERROR_CLASS.key,
            persist_state="session",
        )
        if found.n_lines > 1:
            st.selectbox(
                "Line asked",
                range(found.n_lines),
                index=None,
                placeholder="every line",
                format_func=lambda number: f"line {number + 1}",
                key=settings.ERROR_LINE.key,
                persist_state="session",
            )
        st.slider(
            "Short of the answer by at least",
            0.0,
            1.0,
            step=0.01,
            key=settings.ERROR_MARGIN.key,
            persist_state="session",
            help="Probability of the answer less that of the true class.",
        )
    if filter_is_set():
        st.button("All", on_click=_clear, help="Every error again.")


def _clear() -> None:
    for setting in FILTER:
        setting.set(setting.default)


def _piece_clicked(found: Causes, kinds: list[str], by_class: bool) -> None:
    """Filter by the clicked cause and group; the same piece again takes the filter away."""
    points = st.session_state["causes figure"].selection.points
    if not points:
        return
    row, group = (int(value) for value in points[0]["customdata"])
    setting, other = (
        (settings.ERROR_CLASS, settings.ERROR_LINE)
        if by_class
        else (settings.ERROR_LINE, settings.ERROR_CLASS)
    )
    value = found.classes[group] if by_class else group
    if (settings.ERROR_CAUSE.value, setting.value) == (kinds[row], value):
        _clear()
        return
    settings.ERROR_CAUSE.set(kinds[row])
    setting.set(value)
    other.set(None)


def _row_chosen(key: str, rows: list[int]) -> None:
    chosen: Any = st.session_state[key].selection.rows
    if chosen:
        choose_row(rows[chosen[0]])


@st.cache_resource(max_entries=8, show_spinner=False)
def _texts(key: str, _workspace: Workspace) -> list[str]:
    return [_workspace.dataset.describe(row) for row in range(len(_workspace.dataset))]
