"""The filter of errors, shared by the causes, the list, the strip and the map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.session import settings
from pages.session.selection import choose_none, chosen_row
from pages.session.workspace import Workspace
from slp_core.explain import Causes
from slp_core.explain.causes import CAUSE_NAMES

if TYPE_CHECKING:
    import numpy as np

FILTER: tuple[settings.Setting[Any], ...] = (
    settings.ERROR_CAUSE,
    settings.ERROR_CLASS,
    settings.ERROR_LINE,
    settings.ERROR_MARGIN,
)


@dataclass(frozen=True, eq=False)
class Filtered:
    """Which query examples the filter keeps."""

    shown: np.ndarray  # (m,)
    key: str
    line: int | None = None


def filter_of(workspace: Workspace, causes: Causes) -> Filtered:
    """The current filter; cleared for other data, another method or another example."""
    read = [setting.was_read for setting in FILTER]
    if settings.FILTERED_MODEL.value != workspace.model_key and not any(read):
        clear_filter()
    settings.FILTERED_MODEL.set(workspace.model_key)
    settings.ERROR_CAUSE.shows(among=_kinds(causes))
    settings.ERROR_CLASS.shows(among=causes.classes)
    settings.ERROR_LINE.shows(among=range(causes.n_lines))
    settings.ERROR_MARGIN.shows(among=settings.Range(0, 1))
    filtered = _filtered(causes)
    row, query = chosen_row(workspace), workspace.episode.query
    if filtered.key and row is not None and row not in query[filtered.shown]:
        if filtered.key == settings.FILTER_SEEN.value:
            clear_filter()
            filtered = _filtered(causes)
        else:
            choose_none()
    settings.FILTER_SEEN.set(filtered.key)
    return filtered


def filter_values(causes: Causes) -> tuple[str | None, int | None, int | None, float]:
    """The filter's cause, true class, line and margin."""
    cause, name, line, margin = (setting.value for setting in FILTER)
    return cause, None if name is None else causes.classes.index(name), line, margin


def filter_widgets(causes: Causes) -> None:
    """The filter's widgets."""
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
    if filter_is_set():
        st.button("Show all errors", on_click=clear_filter)


def filter_is_set() -> bool:
    """Whether the user has hidden any errors."""
    return any(setting.value != setting.default for setting in FILTER)


def clear_filter() -> None:
    """Show every error."""
    for setting in FILTER:
        setting.clear()


def _kinds(causes: Causes) -> list[str]:
    """The kinds of causes present."""
    return [kind for kind, n in causes.counts.items() if n]


def _filtered(causes: Causes) -> Filtered:
    values = filter_values(causes)
    key = " ".join(map(str, values)) if filter_is_set() else ""
    return Filtered(causes.where(*values), key, values[2])
