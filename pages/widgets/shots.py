"""The shots of a support set: the influence of each, and a menu that edits the selected one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import streamlit as st

from pages.session import settings
from pages.session.jobs import Job, job_pool
from pages.session.selection import choose_row, chosen_row
from pages.session.support_edits import (
    choose_edits,
    choose_typed,
    edited_by_now,
    is_own,
    own_examples,
    typed_examples,
    typed_place,
)
from pages.session.workspace import Workspace
from pages.widgets.example import example_image
from pages.widgets.job_progress import completed, watch
from pages.widgets.say import refuse
from slp_core.data.typed_shots import typed_rows
from slp_core.errors import DatasetError
from slp_core.evaluation.shot_search import ShotSwap, best_swap
from slp_core.evaluation.text import swap_text
from slp_core.explain import doubtful_labels
from slp_core.explain.shot_choice import suggested_shot
from slp_core.explain.shots import ShotInfluences, read_shots
from slp_core.explain.text import check_label_text, shot_text
from slp_core.markdown import beginning

_LONGEST = 120  # letters of an example
_FEWEST = 6  # rows of a class whose labels are checked: fewer say too little of it


def start_influence(workspace: Workspace) -> Job:
    """Refit without each shot, in the background; without a query set, tested on the shots."""
    model, arrays = workspace.method.make(**workspace.options), workspace.arrays
    X, y = (arrays.X_query, arrays.y_query) if len(arrays.y_query) else (None, None)

    def work(job: Job) -> ShotInfluences:
        support = arrays.X_support, arrays.y_support
        return read_shots(model, *support, X, y, job.report, job.cancelled)

    return job_pool().start(("shots", workspace.model_key), "Influence of each shot", work)


def label_check(workspace: Workspace) -> Job:
    """Find labels that the other rows contradict, with the suggested class, by row."""
    X, labels, size = workspace.X, workspace.episode.labels, workspace.dataset.counts

    def work(_: Job) -> dict[int, str]:
        table = doubtful_labels(X, labels)
        table = table[table["label"].map(size) >= _FEWEST]
        return dict(zip(table["row"].tolist(), table["suggested"].tolist(), strict=True))

    key = ("labels", workspace.vectors_key, workspace.edits.relabelled)
    return job_pool().job(key, "Checking the labels", work)


def _swap_job(workspace: Workspace, row: int) -> Job:
    model, X = workspace.method.make(**workspace.options), workspace.X
    episode = workspace.episode

    def work(job: Job) -> ShotSwap:
        return best_swap(model, X, episode, row, job.report, job.cancelled)

    key = ("swap", workspace.model_key, row)
    return job_pool().start(key, "Trying other examples", work)


def suggested_swap(workspace: Workspace, row: int) -> None:
    """The best replacement for a shot, with its gain."""
    found: ShotSwap | None = completed(_swap_job(workspace, row))
    if found is None:
        return
    st.markdown(swap_text(found))
    if found.best is not None:
        if not example_image(workspace.dataset, found.best):
            st.text(beginning(workspace.dataset.describe(found.best), _LONGEST))
        st.button(
            "Swap for this one",
            icon=":material/swap_horiz:",
            key="edit shots suggested",
            on_click=_swap,
            args=(workspace, row, found.best),
        )


def check_label(workspace: Workspace, row: int, suggested: str) -> None:
    """That the other examples contradict a shot's label, and the suggested one."""
    with st.container(horizontal=True, vertical_alignment="center", key="edit shots check"):
        st.markdown(f":material/flag: {check_label_text(workspace.dataset.classes, suggested)}")
        st.button(
            "Relabel",
            key="edit shots doubtful",
            on_click=_relabel,
            args=(workspace, row, suggested),
        )


def selected_shot(workspace: Workspace) -> None:
    """Below a picture: choose a shot, as a click on the picture does; and its menu."""
    dataset, shots = workspace.dataset, workspace.episode.support.tolist()
    labels = dict(zip(shots, workspace.episode.y_support.tolist(), strict=True))
    row = chosen_row(workspace)
    row = row if row in shots else None
    st.selectbox(
        "Support example",
        shots,
        index=None,
        placeholder="Select a support example",
        format_func=lambda each: (
            f"{dataset.called(each).capitalize()} · {dataset.classes[labels[each]]}: "
            f"{beginning(dataset.describe(each), _LONGEST)}"
        ),
        label_visibility="collapsed",
        **settings.view(f"shot of {workspace.data_key} {workspace.support_key}", row, _choose),
    )
    if row is not None:
        shot_menu(workspace, row)


def _choose(row: int | None) -> None:
    if row is None:
        settings.POINT.clear()
    else:
        choose_row(row)


def shot_menu(workspace: Workspace, row: int, influence: bool = True) -> None:
    """Remove or relabel the selected shot; or add the selected query example."""
    episode = workspace.episode
    if influence and row in episode.support:
        _influence(workspace, row)
    with st.container(key="edit shots selected"):
        if row in episode.support:
            _edit(workspace, row)
        elif row in episode.query:
            st.button(
                "Add to the support set",
                icon=":material/add:",
                on_click=edit_shots,
                args=(workspace,),
                kwargs={"add": [row]},
            )
        refuse_edit()
    _follow_edits(workspace)


def _follow_edits(workspace: Workspace) -> None:
    """In a fragment: rerun the whole page after an edit."""
    dataset = workspace.dataset
    if is_own(dataset):
        own = own_examples().dataset()
        edited = own is None or own.digest != dataset.digest
    else:
        edited = settings.EDITS.value != workspace.edits
        edited |= typed_examples(dataset).rows != typed_rows(dataset)
    if edited:
        st.rerun()


def refuse_edit() -> None:
    if why := settings.EDIT_REFUSED.value:
        refuse(why)


def edit(change: Callable[[], None]) -> None:
    """In a callback: edit, or record why that is impossible."""
    settings.EDIT_REFUSED.set("")
    try:
        change()
    except DatasetError as error:
        settings.EDIT_REFUSED.set(str(error))


def edit_shots(
    workspace: Workspace,
    remove: Iterable[int] = (),
    add: Iterable[int] = (),
    relabel: Mapping[int, str] | None = None,
) -> None:
    """In a callback: edit the support set by the arguments of ``Episode.edited``."""

    def change() -> None:
        episode = edited_by_now(workspace).episode
        # A second click before the page is drawn finds what the first has done
        gone = [row for row in remove if row in episode.support]
        new = [row for row in add if row not in episode.support]
        choose_edits(episode.edited(gone, new, relabel).edits)

    edit(change)


def add_suggested(workspace: Workspace, k: int) -> None:
    """In a callback: add a representative row of a class, and select it."""
    support = edited_by_now(workspace).episode.support
    row = suggested_shot(workspace.X, workspace.dataset.y, support, k)
    if row is None:
        settings.EDIT_REFUSED.set("Every example of this class is a shot already.")
        return
    edit_shots(workspace, add=[row])
    choose_row(row)


def _influence(workspace: Workspace, row: int) -> None:
    job = start_influence(workspace)
    job.wait(0.3)
    if job.ready:
        shot = workspace.episode.support.tolist().index(row)
        st.caption(shot_text(job.result, shot))
    elif job.running:
        watch(job, lambda _: st.caption("Its influence is being computed."))


def _edit(workspace: Workspace, row: int) -> None:
    dataset, episode = workspace.dataset, workspace.episode
    typed = typed_place(dataset, row) is not None
    k = int(episode.y_support[episode.support.tolist().index(row)])
    names = dict.fromkeys(dataset.classes)
    if typed:  # which makes the first of an empty class
        names |= dict.fromkeys(typed_examples(dataset).names)
    with st.container(horizontal=True, gap="small"):
        st.selectbox(
            "Label",
            tuple(names),
            label_visibility="collapsed",
            width=160,
            format_func=lambda name: f"Label: {name}",
            **settings.view(
                f"label of shot {workspace.support_key} {row}",
                dataset.classes[k],
                lambda name: _relabel(workspace, row, name),
            ),
        )
        st.button(
            "Remove",
            icon=":material/remove:",
            on_click=_remove,
            args=(workspace, row),
            help=None if typed else "It joins the query set and counts towards the accuracy.",
        )


def _remove(workspace: Workspace, row: int) -> None:
    dataset, place = workspace.dataset, typed_place(workspace.dataset, row)
    if place is None:
        edit_shots(workspace, remove=[row])
    else:
        edit(lambda: choose_typed(dataset, typed_examples(dataset).without(place)))


def _relabel(workspace: Workspace, row: int, name: str) -> None:
    dataset, place = workspace.dataset, typed_place(workspace.dataset, row)
    if place is None:
        edit_shots(workspace, relabel={row: name})
    else:
        edit(lambda: choose_typed(dataset, typed_examples(dataset).moved(place, name)))


def _swap(workspace: Workspace, row: int, other: int) -> None:
    edit_shots(workspace, remove=[row], add=[other])
    choose_row(other)
