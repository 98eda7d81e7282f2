"""Causes of the errors as bars, and the errors as a list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import streamlit as st

from pages.explain.filter import Filtered, clear_filter, filter_is_set, filter_values
from pages.session import settings
from pages.session.cache import cached_by
from pages.session.selection import choose_row
from pages.session.workspace import Workspace
from pages.widgets.chart import csv_download, pick_row, show
from pages.widgets.job_progress import completed
from pages.widgets.readings import errors_of
from pages.widgets.say import say
from pages.widgets.shots import start_label_check
from slp_core.explain import Causes
from slp_core.explain.causes import CAUSE_NAMES
from slp_core.explain.text import check_labels_text, filtered_text, rescued_text
from slp_core.figures.causes import CausesDisplay, ErrorOrder
from slp_core.markdown import beginning

if TYPE_CHECKING:
    import pandas as pd

ORDERS: dict[str, ErrorOrder] = {
    "most confident first": "confident",
    "smallest margin first": "closest",
    "by w": "w",
    "as in the data": "row",
}
_LONGEST = 160  # letters of a text in the list
_MARGIN = "Probability of the true class minus that of the predicted class."
_CHECK = "check this label"
_CHECK_HELP = "A classifier fitted on the other examples prefers this class."


def causes_bar(causes: Causes, stacked: str) -> None:
    """Errors by cause; a click on a piece filters the errors."""
    by_class, kinds = stacked == "by class", causes.kinds
    cause, name, line, _ = filter_values(causes)
    chosen = None if cause is None else (kinds.index(cause), name if by_class else line)
    show(
        CausesDisplay(causes, "class" if by_class else "line", chosen=chosen),
        on_click=lambda row, group: _piece_clicked(causes, kinds[row], by_class, group),
    )


def _piece_clicked(causes: Causes, cause: str, by_class: bool, group: int) -> None:
    """Filter by the clicked cause and group; a second click clears the filter."""
    name, line = (causes.classes[group], None) if by_class else (None, group)
    setting = settings.ERROR_CLASS if by_class else settings.ERROR_LINE
    if (settings.ERROR_CAUSE.value, setting.value) == (cause, name if by_class else line):
        clear_filter()
        return
    settings.ERROR_CAUSE.set(cause)
    settings.ERROR_CLASS.set(name)
    settings.ERROR_LINE.set(line)


def errors(workspace: Workspace, causes: Causes, filtered: Filtered, row: int | None) -> None:
    """The errors that the filter keeps; a click selects one."""
    said = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        order = st.selectbox(
            "Order",
            width=200,
            label_visibility="collapsed",
            **settings.ERRORS_ORDER.bound(options=list(ORDERS)),
        )
        check = start_label_check(workspace)
        checked = completed(check, lambda: start_label_check(workspace, again=True))
        table = _table(workspace, filtered, order, check.result if checked else None)
        left_out = ["line"] if causes.n_lines < 2 else []
        csv_download("CSV", "errors", lambda: table.drop(columns=left_out), disabled=table.empty)
        if filter_is_set():
            st.button("All errors", on_click=clear_filter)
    with said:
        to_check = int((table[_CHECK] != "").sum()) if _CHECK in table else 0
        text = f"{filtered_text(causes, *filter_values(causes))} {rescued_text(causes)}"
        say(f"{text} {check_labels_text(to_check)}".rstrip())
    if not table.empty:
        pick_row(
            table.assign(
                cause=table["cause"].map(CAUSE_NAMES),
                text=[beginning(text, _LONGEST) for text in table["text"]],
            ).drop(columns=left_out),
            table["row"].tolist(),
            f"errors {workspace.model_key} {filtered.key} {order} {checked}",
            choose_row,
            row,
            column_config={
                "text": st.column_config.TextColumn(width=420),  # the cause is in view at 1280 px
                "cause": st.column_config.TextColumn(width=165),
                "line": st.column_config.NumberColumn(width=50),
                "w": st.column_config.NumberColumn(format="%.3f"),
                "margin": st.column_config.NumberColumn(format="%.3f", help=_MARGIN),
                _CHECK: st.column_config.TextColumn(help=_CHECK_HELP),
            },
        )


@cached_by(
    lambda workspace, filtered, order, suggested: (
        f"{workspace.model_key} {filtered.key} {order} {suggested is not None}"
    ),
)
def _table(
    workspace: Workspace, filtered: Filtered, order: str, suggested: Mapping[int, str] | None
) -> pd.DataFrame:
    """Errors with their texts first, and suggested classes for doubtful labels."""
    table = errors_of(workspace, filtered.shown, filtered.key, ORDERS[order]).copy()
    rows, texts = table["row"].tolist(), workspace.texts
    table.insert(0, "text", [texts[row] for row in rows])
    other = [(suggested or {}).get(row, "") for row in rows]
    if any(other):
        table.insert(3, _CHECK, other)  # behind the predicted class
    return table
