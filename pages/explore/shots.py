"""The influence of each shot."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.session.selection import choose_row
from pages.session.workspace import Workspace
from pages.widgets.chart import csv_download, pick_row
from pages.widgets.example import image_column
from pages.widgets.job_progress import completed
from pages.widgets.shots import start_influence
from slp_core.explain.shots import ShotInfluences, shots_table
from slp_core.explain.text import correcting_shots_text, shot_text, shots_text
from slp_core.markdown import beginning
from slp_core.sentences import signed

_LONGEST = 160  # letters of a text in the list


def shots(workspace: Workspace, row: int) -> None:
    episode = workspace.episode
    found: ShotInfluences | None = completed(start_influence(workspace))
    if found is None:
        return
    st.markdown(shots_text(found))
    if row in episode.support:
        st.markdown(shot_text(found, episode.support.tolist().index(row)))
    elif (place := episode.place_of(row)) is not None:
        st.markdown(correcting_shots_text(found, place))
    _list(workspace, found, row)


def _list(workspace: Workspace, found: ShotInfluences, row: int) -> None:
    table = shots_table(found, workspace.episode.support)
    rows = table["row"].tolist()
    table.insert(0, "text", [workspace.texts[row] for row in rows])
    csv_download("CSV", "shots", lambda: table)
    images = image_column(workspace.dataset, rows)
    lines = table.assign(text=[beginning(text, _LONGEST) for text in table["text"]])
    pick_row(
        lines.drop(columns="text").assign(**images) if images else lines,
        rows,
        f"shots {workspace.model_key}",
        choose_row,
        row,
        formats={
            "influence": lambda value: signed(100 * value, 1),
            "log-likelihood": partial(signed, decimals=4),
        },
        column_config={
            "influence": st.column_config.NumberColumn(
                help="Accuracy with this shot minus accuracy without it, in percentage points."
            ),
            "log-likelihood": st.column_config.NumberColumn(
                help="The same for the mean log-likelihood of the true labels."
            ),
            "changed": st.column_config.NumberColumn(
                help="Predictions that change without this shot."
            ),
        },
    )
