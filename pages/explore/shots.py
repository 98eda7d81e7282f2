"""The influence of each shot, and a support set that can be edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.session import settings
from pages.session.cache import cached_by
from pages.session.selection import choose_row
from pages.session.support_edits import choose_edits
from pages.session.workspace import Workspace
from pages.widgets.chart import csv_download, pick_row
from pages.widgets.job_progress import completed
from pages.widgets.say import say
from pages.widgets.shots import start_influence
from slp_core.data import Episode
from slp_core.errors import DatasetError
from slp_core.explain.shots import ShotInfluences, shots_table
from slp_core.explain.text import correcting_shots_text, shot_text, shots_text
from slp_core.markdown import beginning

if TYPE_CHECKING:
    import pandas as pd

_LONGEST = 160  # letters of a text in the list


def shots(workspace: Workspace, row: int) -> None:
    """Every shot with its influence; the selected example can be removed, relabelled or added."""
    episode = workspace.episode
    job = start_influence(workspace)
    found = job.result if completed(job, lambda: start_influence(workspace, again=True)) else None
    if found is not None:
        say(shots_text(found))
    if row in episode.support:
        _edit_shot(episode, row)
        if found is not None:
            say(shot_text(found, episode.support.tolist().index(row)))
    elif (place := episode.place_of(row)) is not None:
        _add_shot(episode, row)
        if found is not None:
            say(correcting_shots_text(found, place))
    if found is not None:
        _list(workspace, found, row)


def _edit_shot(episode: Episode, row: int) -> None:
    names, place = episode.dataset.classes, episode.support.tolist().index(row)
    label = names[episode.y_support[place]]
    try:
        without = episode.edited(remove=[row]).edits
    except DatasetError:  # the last of its class, as is said below
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):

        def relabel(name: str) -> None:
            choose_edits(episode.edited(relabel={row: name}).edits)

        chosen = st.selectbox(
            "Label",
            names,
            width=240,
            **settings.view(f"label of shot {row}", label, relabel),
        )
        removed = st.button(
            "Remove this shot", icon=":material/remove:", on_click=choose_edits, args=(without,)
        )
    if removed or chosen != label:
        st.rerun()  # the whole page: everything follows the support set


def _add_shot(episode: Episode, row: int) -> None:
    edits = episode.edited(add=[row]).edits
    if st.button(
        "Add to the support set", icon=":material/add:", on_click=choose_edits, args=(edits,)
    ):
        st.rerun()


def _list(workspace: Workspace, found: ShotInfluences, row: int) -> None:
    table = _table(workspace, found)
    csv_download("CSV", "shots", lambda: table)
    pick_row(
        table.assign(text=[beginning(text, _LONGEST) for text in table["text"]]),
        table["row"].tolist(),
        f"shots {workspace.model_key}",
        choose_row,
        row,
        column_config={
            "influence": st.column_config.NumberColumn(
                format="percent", help="Accuracy with this shot minus accuracy without it."
            ),
            "log-likelihood": st.column_config.NumberColumn(
                format="%.4f", help="The same for the mean log-likelihood of the true labels."
            ),
            "changed": st.column_config.NumberColumn(
                help="Predictions that change without this shot."
            ),
        },
    )


@cached_by(lambda workspace, found: workspace.model_key)
def _table(workspace: Workspace, found: ShotInfluences) -> pd.DataFrame:
    table = shots_table(found, workspace.episode.support)
    table.insert(0, "text", [workspace.texts[row] for row in table["row"].tolist()])
    return table
