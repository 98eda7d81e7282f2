"""The shots of a support set: how much each helps, and a menu that edits the selected one."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.session import settings
from pages.session.jobs import Job, job_pool
from pages.session.own_examples import choose_own, is_own, own_examples
from pages.session.selection import choose_row
from pages.session.support_edits import choose_edits
from pages.session.workspace import Workspace
from pages.widgets.say import refuse
from slp_core.errors import DatasetError
from slp_core.evaluation.draws import arrays_of
from slp_core.explain import doubtful_labels
from slp_core.explain.shot_choice import suggested_shot
from slp_core.explain.shots import ShotInfluences, read_shots


def start_influence(workspace: Workspace, again: bool = False) -> Job:
    """Refit without each shot, in the background; without a query set on the shots themselves."""
    data = arrays_of(workspace.episode, workspace.X)
    model = workspace.method.make(**workspace.options)
    X, y = (data.X_query, data.y_query) if len(data.y_query) else (None, None)

    def work(job: Job) -> ShotInfluences:
        return read_shots(model, data.X_support, data.y_support, X, y, job.report, job.cancelled)

    return job_pool().start(("shots", workspace.model_key), "Influence of each shot", work, again)


def start_label_check(workspace: Workspace, again: bool = False) -> Job:
    """Find labels that the other rows contradict: the class that each may have, by its row."""
    X, labels = workspace.X, workspace.dataset.labels

    def work(_: Job) -> dict[int, str]:
        table = doubtful_labels(X, labels)
        return dict(zip(table["row"].tolist(), table["suggested"].tolist(), strict=True))

    return job_pool().start(("labels", workspace.vectors_key), "Checking the labels", work, again)


def shot_menu(workspace: Workspace, row: int) -> None:
    """Remove, relabel or swap the selected shot; or add the selected query example."""
    episode = workspace.episode
    with st.container(key="edit shots selected"):
        if row in episode.support:
            _edit(workspace, row)
        elif row in episode.query:
            st.button(
                "Add to the support set",
                icon=":material/add:",
                on_click=_add,
                args=(workspace, row),
            )
        refuse_edit()
    follow_edits(workspace)


def follow_edits(workspace: Workspace) -> None:
    """In a part of a page: where something was edited, run the whole page, which follows."""
    edited = settings.EDITS.value != workspace.edits
    if is_own(workspace.dataset):
        own = own_examples().dataset()
        edited = own is None or own.digest != workspace.dataset.digest
    if edited:
        st.rerun()


def refuse_edit() -> None:
    """Say why the last edit was refused."""
    if why := settings.EDIT_REFUSED.value:
        refuse(why)


def edit(change: Callable[[], None]) -> None:
    """In a callback: edit, or note why that cannot be."""
    settings.EDIT_REFUSED.set("")
    try:
        change()
    except DatasetError as error:
        settings.EDIT_REFUSED.set(str(error))


def add_suggested(workspace: Workspace, k: int) -> None:
    """In a callback: add a representative row of a class, and select it."""
    row = _suggested(workspace, k)
    if row is not None:
        _add(workspace, row)
        choose_row(row)


def _suggested(workspace: Workspace, k: int) -> int | None:
    return suggested_shot(workspace.X, workspace.dataset.y, workspace.episode.support, k)


def _edit(workspace: Workspace, row: int) -> None:
    names = workspace.dataset.classes
    own, episode = is_own(workspace.dataset), workspace.episode
    k = int(episode.y_support[episode.support.tolist().index(row)])
    with st.container(horizontal=True, gap="small"):
        chosen = tuple(own_examples().by_name) if own else names
        st.selectbox(
            "Label",
            chosen,
            label_visibility="collapsed",
            width=140,
            **settings.view(
                f"label of shot {workspace.support_key} {row}",
                names[k],
                lambda name: _relabel(workspace, row, name),
            ),
        )
        st.button(
            "Remove",
            icon=":material/remove:",
            on_click=_remove,
            args=(workspace, row),
        )
        if not own:
            st.button(
                "Swap",
                icon=":material/swap_horiz:",
                on_click=_swap,
                args=(workspace, row, k),
                help="For the most representative example of its class that is no shot.",
            )


def _remove(workspace: Workspace, row: int) -> None:
    if is_own(workspace.dataset):
        edit(lambda: choose_own(own_examples().without(row)))
    else:
        edit(lambda: choose_edits(workspace.episode.edited(remove=[row]).edits))


def _relabel(workspace: Workspace, row: int, name: str) -> None:
    if is_own(workspace.dataset):
        edit(lambda: choose_own(own_examples().moved(row, name)))
    else:
        edit(lambda: choose_edits(workspace.episode.edited(relabel={row: name}).edits))


def _add(workspace: Workspace, row: int) -> None:
    edit(lambda: choose_edits(workspace.episode.edited(add=[row]).edits))


def _swap(workspace: Workspace, row: int, k: int) -> None:
    other = _suggested(workspace, k)
    if other is None:
        settings.EDIT_REFUSED.set("Every example of this class is a shot already.")
        return
    edit(lambda: choose_edits(workspace.episode.edited(remove=[row], add=[other]).edits))
    choose_row(other)
