"""The errors: their causes as bars, the filter, the list and the map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from pages.session import settings
from pages.session.selection import choose_row, chosen_row
from pages.session.workspace import View, Workspace
from pages.shell.navigation import script
from pages.widgets.chart import csv_download, pick_row, show
from pages.widgets.example import with_images
from pages.widgets.fidelity import evaluated_projections
from pages.widgets.job_progress import completed
from pages.widgets.map import map_data
from pages.widgets.readings import causes_of
from pages.widgets.shots import label_check, shot_menu
from slp_core.explain import Causes
from slp_core.explain.causes import CAUSE_NAMES
from slp_core.explain.text import check_labels_text, filtered_text, rescued_text
from slp_core.figures.causes import CausesDisplay, ErrorOrder, errors_table
from slp_core.figures.map.data import MapLayers
from slp_core.figures.map.figure import MapDisplay
from slp_core.markdown import beginning
from slp_core.sentences import count
from slp_core.views.fidelity import best_view
from slp_core.views.text import fidelity_text

if TYPE_CHECKING:
    import numpy as np

FILTER: tuple[settings.Setting[Any], ...] = (
    settings.ERROR_CAUSE,
    settings.ERROR_CLASS,
    settings.ERROR_LINE,
    settings.ERROR_MARGIN,
)
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
LAYERS = MapLayers(errors=True, names=False, chosen=True)


@dataclass(frozen=True, eq=False)
class Filtered:
    """The errors that a filter keeps; every example without one."""

    shown: np.ndarray  # (m,)
    cause: str | None
    true: int | None
    line: int | None
    margin: float

    @property
    def values(self) -> tuple[str | None, int | None, int | None, float]:
        return self.cause, self.true, self.line, self.margin

    @property
    def key(self) -> str:
        """Empty without a filter."""
        return "" if self.values == (None, None, None, 0) else " ".join(map(str, self.values))


def filter_of(workspace: Workspace, causes: Causes) -> Filtered:
    """The current filter; cleared for other data, another method or another example."""
    for setting in FILTER:
        setting.keep_for(workspace.model_key)
    cause = settings.ERROR_CAUSE.shows(among=_kinds(causes))
    name = settings.ERROR_CLASS.shows(among=causes.classes)
    true = None if name is None else causes.classes.index(name)
    line = settings.ERROR_LINE.shows(among=range(causes.n_lines))
    margin = settings.ERROR_MARGIN.shows(among=settings.Range(0, 1))
    filtered = Filtered(causes.where(cause, true, line, margin), cause, true, line, margin)
    row, query = chosen_row(workspace), workspace.episode.query
    if filtered.key and row is not None and row not in query[filtered.shown]:
        if filtered.key == settings.FILTER_SEEN.value:
            clear_filter()
            return filter_of(workspace, causes)
        settings.POINT.clear()
    settings.FILTER_SEEN.set(filtered.key)
    return filtered


def filter_widgets(causes: Causes, filtered: Filtered) -> None:
    counts = causes.counts
    st.pills(
        "Errors by cause",
        format_func=lambda kind: f"{CAUSE_NAMES[kind]} {counts[kind]}",
        **settings.ERROR_CAUSE.bound(options=_kinds(causes), opens="default"),
    )
    st.selectbox(
        "True label",
        index=None,
        placeholder="any",
        **settings.ERROR_CLASS.bound(options=causes.classes, opens=None),
    )
    if causes.n_lines > 1:
        st.selectbox(
            "Assigned to",
            index=None,
            placeholder="any line",
            format_func=lambda number: f"line {number + 1}",
            **settings.ERROR_LINE.bound(options=range(causes.n_lines), opens=None),
        )
    st.slider(
        "Minimum margin",
        step=0.01,
        help="Probability of the predicted class minus that of the true class.",
        **settings.ERROR_MARGIN.bound(within=(0, 1)),
    )
    if filtered.key:
        st.button("Show all errors", on_click=clear_filter)


def clear_filter() -> None:
    for setting in FILTER:
        setting.clear()


def _kinds(causes: Causes) -> list[str]:
    return [kind for kind, n in causes.counts.items() if n]


def causes_bar(causes: Causes, stacked: str, filtered: Filtered) -> None:
    """Errors by cause; a click on a piece filters the errors."""
    by_class, kinds = stacked == "by class", causes.kinds
    chosen = None
    if filtered.cause is not None:
        chosen = kinds.index(filtered.cause), filtered.true if by_class else filtered.line
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
    said = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        order = st.selectbox(
            "Order",
            width=200,
            label_visibility="collapsed",
            **settings.ERRORS_ORDER.bound(options=list(ORDERS)),
        )
        checked = completed(label_check(workspace))
        table = _table(workspace, filtered, order, checked)
        left_out = ["line"] if causes.n_lines < 2 else []
        csv_download("CSV", "errors", lambda: table.drop(columns=left_out), disabled=table.empty)
        if filtered.key:
            st.button("All errors", on_click=clear_filter)
    with said:
        to_check = int((table[_CHECK] != "").sum()) if _CHECK in table else 0
        text = f"{filtered_text(causes, *filtered.values)} {rescued_text(causes)}"
        st.markdown(f"{text} {check_labels_text(to_check)}".rstrip())
    if not table.empty:
        lines = table.assign(text=[beginning(text, _LONGEST) for text in table["text"]])
        pick_row(
            with_images(workspace.dataset, lines.drop(columns=left_out)),
            table["row"].tolist(),
            f"errors {workspace.model_key} {filtered.key} {order} {checked is None}",
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


def _table(
    workspace: Workspace, filtered: Filtered, order: str, suggested: Mapping[int, str] | None
) -> pd.DataFrame:
    causes, query = causes_of(workspace), workspace.episode.query
    table = errors_table(causes, query, ORDERS[order], filtered.shown)
    rows, texts = table["row"].tolist(), workspace.texts
    table.insert(0, "text", [texts[row] for row in rows])
    table["cause"] = table["cause"].map(CAUSE_NAMES)
    other = [(suggested or {}).get(row, "") for row in rows]
    if any(other):
        table.insert(3, _CHECK, other)  # behind the predicted class
    return table


def errors_on_map(workspace: Workspace, filtered: Filtered, row: int | None) -> None:
    # The linear projection with the highest held-out fidelity
    judged = evaluated_projections(workspace)
    if judged is None:
        return
    method, inverse = best_view(judged)
    view = View(method, inverse)
    whole = map_data(workspace, view)
    display = MapDisplay(
        replace(whole, query=whole.query[filtered.shown]),
        LAYERS,
        chosen=row,
        height=460,
        uirevision=workspace.view_key(view),
        key=f"{workspace.map_key(view)} {LAYERS} {filtered.key}",
    )
    left, right = st.columns([15, 9], gap="large")
    with left:
        show(display, name="errors on the map", on_click=choose_row)
    with right:
        shown, n = int(filtered.shown.sum()), len(filtered.shown)
        of = "" if shown == n else f"{shown:,} of "
        st.caption(f"{of}{count(n, 'query example')}. Outline: predicted class.")
        if not workspace.projection(view).exact:
            st.caption(fidelity_text(judged[best_view(judged)].half(1)))
        if row is not None and row in workspace.episode.support:
            shot_menu(workspace, row)
        st.page_link(script("explore"), label="More projections on Explore", icon=":material/map:")
