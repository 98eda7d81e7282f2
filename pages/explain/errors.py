"""What the errors are caused by, and which they are: a bar and a list that filter together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.session import settings
from pages.session.cache import cached_by
from pages.session.selection import choose_none, choose_row, chosen_row
from pages.session.teaching import has_open_question
from pages.session.workspace import Workspace
from pages.widgets.chart import csv_download, pick_row, show
from pages.widgets.readings import errors_of
from pages.widgets.say import say
from slp_core.explain import Causes
from slp_core.figures.causes import CAUSE_TITLES as TITLES
from slp_core.figures.causes import CausesDisplay, ErrorOrder, cause_titles
from slp_core.markdown import beginning

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

BY_CLASS, BY_LINE = "by class", "by line"
FILTER: tuple[settings.Setting[Any], ...] = (
    settings.ERROR_CAUSE,
    settings.ERROR_CLASS,
    settings.ERROR_LINE,
    settings.ERROR_MARGIN,
)
ORDERS: dict[str, ErrorOrder] = {
    "surest first": "surest",
    "closest first": "closest",
    "by w": "w",
    "as in the data": "row",
}
_LONGEST = 160  # letters of a text in the list
_MARGIN = "Probability of the true class less that of the answer: how short it fell."


@dataclass(frozen=True, eq=False)
class Filtered:
    """Which query points the filter lets through."""

    shown: np.ndarray  # (m,)
    key: str
    line: int | None = None


def filter_of(workspace: Workspace, causes: Causes) -> Filtered:
    """The filter as it is set; one that was set for other data or another method is let go.

    One that the URL names holds. A filter that hides the chosen point lets go of the point; a point
    that is chosen although the filter hides it lets go of the filter.
    """
    asked = [setting.was_read for setting in FILTER]
    if settings.FILTERED_MODEL.value != workspace.model_key and not any(asked):
        _clear()
    settings.FILTERED_MODEL.set(workspace.model_key)
    settings.ERROR_CAUSE.shows(among=_kinds(causes))
    settings.ERROR_CLASS.shows(among=causes.classes)
    settings.ERROR_LINE.shows(among=range(causes.n_lines))
    settings.ERROR_MARGIN.shows(among=settings.Range(0, 1))
    filtered = _filtered(causes)
    row, query = chosen_row(workspace), workspace.episode.query
    if filtered.key and row is not None and row not in query[filtered.shown]:
        if filtered.key == settings.FILTER_SEEN.value:
            _clear()
            filtered = _filtered(causes)
        else:
            choose_none()
    settings.FILTER_SEEN.set(filtered.key)
    return filtered


def _kinds(causes: Causes) -> list[str]:
    """Of the causes that there are."""
    return [kind for kind, n in causes.counts.items() if n]


def _filtered(causes: Causes) -> Filtered:
    asked = _asked(causes)
    key = " ".join(map(str, asked)) if _filter_is_set() else ""
    return Filtered(causes.where(*asked), key, asked[2])


def _asked(causes: Causes) -> tuple[str | None, int | None, int | None, float]:
    """The filter's cause, true class, line and margin."""
    cause, name, line, margin = (setting.value for setting in FILTER)
    return cause, None if name is None else causes.classes.index(name), line, margin


def causes_bar(causes: Causes) -> None:
    """Errors by cause; a click on a piece filters the rest of the page."""
    kinds = list(causes.kinds)
    by_class = True
    if causes.n_lines > 1:
        by = st.segmented_control(
            "Stacked",
            required=True,
            label_visibility="collapsed",
            **settings.STACKED.bound(options=[BY_CLASS, BY_LINE], opens="default"),
        )
        by_class = by == BY_CLASS
    cause, name, line = (setting.value for setting in FILTER[:3])
    piece = line if not by_class else None if name is None else causes.classes.index(name)
    show(
        CausesDisplay(
            causes,
            cause_titles(causes),
            "class" if by_class else "line",
            chosen=None if cause is None else (kinds.index(cause), piece),
        ),
        on_click=lambda row, group: _piece_clicked(causes, kinds[row], by_class, group),
    )
    if rescued := causes.rescued_facts():
        say(rescued, st.caption)


def errors(workspace: Workspace, causes: Causes, filtered: Filtered, row: int | None) -> None:
    """The errors with their filter, and the chosen row marked; a click on another explains it."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _filter(causes)
        order = st.selectbox(
            "Order",
            width=140,
            label_visibility="collapsed",
            **settings.ERRORS_ORDER.bound(options=list(ORDERS)),
        )
        download = st.container(width="content")
    table = errors_of(workspace, filtered.shown, filtered.key, ORDERS[order])
    click = "" if table.empty or filtered.key else " Click a row to read it."
    say(causes.left_by_facts(*_asked(causes)), st.caption, after=click)
    left_out = ["line"] if causes.n_lines < 2 else []
    covered = ["answered", "cause"] if has_open_question() else []

    def as_file() -> pd.DataFrame:
        return _with_texts(table, workspace).drop(columns=left_out)

    if not table.empty:
        pick_row(
            _listed(workspace, filtered, order).drop(columns=[*left_out, *covered]),
            table["row"].tolist(),
            f"errors {workspace.model_key} {filtered.key} {order}",
            choose_row,
            row,
            column_config={
                "text": st.column_config.TextColumn(width=140),
                "line": st.column_config.NumberColumn(width=50),
                "w": st.column_config.NumberColumn(format="%.3f"),
                "margin": st.column_config.NumberColumn(format="%.3f", help=_MARGIN),
            },
        )
    if covered:
        return
    with download:
        csv_download(
            "CSV",
            "errors",
            as_file,
            disabled=table.empty,
            help="These errors as a file.",
        )


def _with_texts(table: pd.DataFrame, workspace: Workspace) -> pd.DataFrame:
    """Errors with what they read, which comes first."""
    texts, whole = workspace.texts, table.copy()
    whole.insert(0, "text", [texts[row] for row in table["row"].tolist()])
    return whole


@cached_by(
    lambda workspace, filtered, order: f"{workspace.model_key} {filtered.key} {order}",
)
def _listed(workspace: Workspace, filtered: Filtered, order: str) -> pd.DataFrame:
    """As the page lists them: causes by their titles, and the beginnings of texts."""
    table = _with_texts(
        errors_of(workspace, filtered.shown, filtered.key, ORDERS[order]), workspace
    )
    return table.assign(
        cause=table["cause"].map({kind: TITLES[kind][0] for kind in TITLES}),
        text=[beginning(text, _LONGEST) for text in table["text"]],
    )


def _filter(causes: Causes) -> None:
    with st.popover("Filter", icon=":material/filter_alt:"):
        counts = causes.counts
        st.pills(
            "Cause",
            format_func=lambda kind: f"{TITLES[kind][0]} {counts[kind]}",
            **settings.ERROR_CAUSE.bound(options=_kinds(causes), opens="default"),
        )
        st.selectbox(
            "True class",
            index=None,
            placeholder="every class",
            **settings.ERROR_CLASS.bound(options=causes.classes, opens=None),
        )
        if causes.n_lines > 1:
            st.selectbox(
                "Line asked",
                index=None,
                placeholder="every line",
                format_func=lambda number: f"line {number + 1}",
                **settings.ERROR_LINE.bound(options=range(causes.n_lines), opens=None),
            )
        st.slider(
            "Short of the answer by at least",
            step=0.01,
            help="Probability of the answer less that of the true class.",
            **settings.ERROR_MARGIN.bound(within=(0, 1)),
        )
    if _filter_is_set():
        st.button("All", on_click=_clear, help="Every error again.")


def _filter_is_set() -> bool:
    return any(setting.value != setting.default for setting in FILTER)


def _clear() -> None:
    for setting in FILTER:
        setting.clear()


def _piece_clicked(causes: Causes, cause: str, by_class: bool, group: int) -> None:
    """Filter by the clicked cause and group; the same piece again takes the filter away."""
    name, line = (causes.classes[group], None) if by_class else (None, group)
    setting = FILTER[1] if by_class else FILTER[2]
    if (settings.ERROR_CAUSE.value, setting.value) == (cause, name if by_class else line):
        _clear()
        return
    settings.ERROR_CAUSE.set(cause)
    settings.ERROR_CLASS.set(name)
    settings.ERROR_LINE.set(line)
