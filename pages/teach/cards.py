"""A card a class: its shots as lines, each with its influence as a signed bar."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pages.session.selection import choose_row
from pages.session.workspace import Workspace
from pages.widgets.chart import pick_row
from pages.widgets.shots import add_suggested
from slp_core.explain.shots import ShotInfluences, shots_table
from slp_core.markdown import beginning
from slp_core.sentences import class_names, count

_LONGEST = 160  # letters of a text in a card
_ROW, _LINES = 30, 5  # px of a line, and lines that are seen at once
_MOST = 8  # cards at once
_LEAST = 0.001  # influence that a bar of full height stands for, at least


def cards(workspace: Workspace, found: ShotInfluences | None, row: int | None) -> None:
    """Of a dataset's classes; of many, those that somebody wants to see."""
    classes = range(len(workspace.dataset.classes))
    names = class_names(workspace.dataset.classes)
    if len(classes) > _MOST:
        first = st.selectbox(
            "Classes",
            range(0, len(classes), _MOST),
            format_func=lambda k: f"{k + 1} to {min(k + _MOST, len(classes))}",
        )
        classes = range(first, min(first + _MOST, len(classes)))
    for k in classes:
        with st.container(border=True, gap="small"):
            n = int((workspace.episode.y_support == k).sum())
            st.markdown(f"**{names[k]}** · {count(n, 'shot')}", width="content")
            shots_of(workspace, k, found, row)
            st.button(
                "Add one",
                icon=":material/add:",
                type="tertiary",
                key=f"edit shots add {k}",
                on_click=add_suggested,
                args=(workspace, k),
                help="The most representative example of the class that is no shot yet.",
            )


def shots_of(workspace: Workspace, k: int, found: ShotInfluences | None, row: int | None) -> None:
    """The shots of one class, the most misleading first; one can be selected."""
    episode, dataset = workspace.episode, workspace.dataset
    most = 1.0
    if found is None:
        table = pd.DataFrame({"row": episode.support[episode.y_support == k], "influence": None})
    else:
        table = shots_table(found, episode.support)
        most = max(_LEAST, table["influence"].abs().max())  # of NaN alone the former
        table = table[table["label"] == dataset.classes[k]]
    rows, influence = table["row"].tolist(), table["influence"].astype(float)
    lines = {
        "bar": [[0.0, value] if value == value else None for value in influence],
        "influence": (100 * influence).tolist(),
        "example": [_line(workspace, each, k) for each in rows],
    }
    pick_row(
        pd.DataFrame(lines),
        rows,
        f"shots of {workspace.data_key} {workspace.support_key} {k}",
        choose_row,
        row,
        height=38 + _ROW * min(max(len(rows), 1), _LINES),
        row_height=_ROW,
        column_config={
            "bar": st.column_config.BarChartColumn(
                "", width=36, y_min=-most, y_max=most, color="auto"
            ),
            "influence": st.column_config.NumberColumn(
                "points",
                width=62,
                format="%+.1f",
                help="Accuracy with this shot minus accuracy without it, in percentage points. "
                "Below 0 the shot misleads.",
            ),
        },
    )


def _line(workspace: Workspace, row: int, k: int) -> str:
    """The text of a shot; before it the true label, where it is given another one."""
    dataset = workspace.dataset
    true = int(dataset.y[row])
    text = beginning(workspace.texts[row], _LONGEST)
    return text if true == k else f"({dataset.classes[true]}) {text}"
