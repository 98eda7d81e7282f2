"""A card for each class: its shots as lines, each with its influence as a signed bar."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pandas as pd
import streamlit as st

from pages.session.selection import choose_row
from pages.session.support_edits import is_own, typed_examples
from pages.session.workspace import Workspace
from pages.teach.typing import class_menu, type_field
from pages.widgets.chart import pick_row
from pages.widgets.example import image_column
from pages.widgets.shots import add_suggested
from slp_core.data.images import image_of
from slp_core.data.typed_shots import base_of, can_be_typed
from slp_core.explain.shots import ShotInfluences, shots_table
from slp_core.markdown import beginning
from slp_core.sentences import ClassName, count, signed

_LONGEST = 160  # letters of a text in a card
_ROW, _LINES = 30, 5  # px of a line, and lines that are seen at once
_MOST = 8  # cards at once
_LEAST = 0.001  # influence that a bar of full height stands for, at least


def cards(
    workspace: Workspace | None,
    found: ShotInfluences | None,
    to_check: Mapping[int, str],
    row: int | None,
) -> None:
    """Cards of the classes, of many some at a time; also of those that have no shots yet."""
    dataset = None if workspace is None else workspace.dataset
    own, names = dataset is None or is_own(dataset), () if dataset is None else dataset.classes
    base = () if dataset is None or own else base_of(dataset).classes
    typed = dict(typed_examples(dataset).classes)
    shown = list(typed)
    if len(shown) > _MOST:
        first = st.selectbox(
            "Classes",
            range(0, len(shown), _MOST),
            format_func=lambda k: " to ".join(shown[k : k + _MOST][i] for i in (0, -1)),
        )
        shown = shown[first : first + _MOST]
    for name in shown:
        k = names.index(name) if name in names else None
        with st.container(border=True, gap="small"):
            if workspace is None or k is None or own:
                size = count(len(typed[name]), "example" if own else "shot")
            else:
                size = count(int((workspace.episode.y_support == k).sum()), "shot")
            st.markdown(f"**{ClassName(name, k)}** · {size}", width="content")
            with st.container(gap="small"):
                if workspace is not None and k is not None:
                    _shots(workspace, k, found, to_check, row)
                else:
                    for text in typed[name]:
                        st.text(text)
            # Below the table, whose toolbar hides what is above it
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                if dataset is None or can_be_typed(base_of(dataset)):
                    type_field(dataset, name)
                if name not in base:
                    class_menu(dataset, name)
                elif workspace is not None and k is not None:
                    _add_one(workspace, k)


def _add_one(workspace: Workspace, k: int) -> None:
    st.button(
        "Add one",
        icon=":material/add:",
        type="tertiary",
        key=f"edit shots add {k}",
        on_click=add_suggested,
        args=(workspace, k),
        help="The most representative example of the class that is not a shot yet.",
    )


def _shots(
    workspace: Workspace,
    k: int,
    found: ShotInfluences | None,
    to_check: Mapping[int, str],
    row: int | None,
) -> None:
    episode, dataset = workspace.episode, workspace.dataset
    most = 1.0
    if found is None:
        table = pd.DataFrame({"row": episode.support[episode.y_support == k], "influence": None})
    else:
        table = shots_table(found, episode.support)
        most = max(_LEAST, table["influence"].abs().max())  # of NaN alone the former
        table = table[table["label"] == dataset.classes[k]]
    rows, influence = table["row"].tolist(), table["influence"].astype(float)
    examples = [_line(workspace, each, k, to_check.get(each)) for each in rows]
    lines = {
        "bar": [[0.0, value] if value == value else None for value in influence],
        "influence": (100 * influence).tolist(),
        **image_column(dataset, rows),
    }
    if any(examples):  # else images say it all
        lines["example"] = examples
    pick_row(
        pd.DataFrame(lines),
        rows,
        # A browser that is late says which line was selected: of the order that it shows
        f"shots of {workspace.data_key} {workspace.support_key} {k} {found is None}",
        choose_row,
        row,
        height=38 + _ROW * min(max(len(rows), 1), _LINES),
        row_height=_ROW,
        formats={"influence": partial(signed, decimals=1)},
        column_config={
            "bar": st.column_config.BarChartColumn(
                "", width=36, y_min=-most, y_max=most, color="auto"
            ),
            "influence": st.column_config.NumberColumn(
                width=84,
                help="Accuracy with this shot minus accuracy without it, in percentage points. "
                "Below 0 the shot misleads.",
            ),
            "image": st.column_config.ImageColumn(width=60),
            "example": st.column_config.TextColumn(
                help="In brackets: the true label where the shot has another one; with a question "
                "mark, what the other examples suggest."
            ),
        },
    )


def _line(workspace: Workspace, row: int, k: int, suggested: str | None) -> str:
    dataset = workspace.dataset
    true = int(dataset.y[row])
    drawn = image_of(dataset, row) is not None
    text = "" if drawn else beginning(workspace.texts[row], _LONGEST)
    if suggested is not None:
        return f"({suggested}?) {text}"
    return text if true == k else f"({dataset.classes[true]}) {text}"
