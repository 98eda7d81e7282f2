"""Teach: the support set as cards of examples, and the influence of each."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.session import settings
from pages.session.code import offer_report
from pages.session.jobs import job_pool
from pages.session.selection import choose_row, chosen_row
from pages.session.support_edits import is_own, keep_own, step, typed_place
from pages.session.workspace import View, Workspace, encoder
from pages.shell.frame import encode, unfitted, workspace_if_any
from pages.teach.cards import cards
from pages.teach.experiments import experiments, misleading, what_to_watch
from pages.teach.typing import new_class, ready_made, take_along
from pages.widgets.chart import show
from pages.widgets.example import example_image
from pages.widgets.fidelity import fidelity_line
from pages.widgets.job_progress import completed, offered, place_of_clock
from pages.widgets.map import map_data
from pages.widgets.parts import folded
from pages.widgets.projection_picker import computed, view_choice
from pages.widgets.say import refuse
from pages.widgets.shots import (
    check_label,
    label_check,
    refuse_edit,
    shot_menu,
    start_influence,
    suggested_swap,
)
from pages.widgets.typed_text import typed_vector
from slp_core.data import Examples, FewShotDataset
from slp_core.data.own_examples import CHARACTERS, TITLE
from slp_core.data.typed_shots import base_of, can_be_typed
from slp_core.encoders import Encoder
from slp_core.errors import SLPError
from slp_core.explain import read_point
from slp_core.explain.shots import ShotInfluences, shots_table
from slp_core.explain.text import (
    check_labels_text,
    correcting_shots_text,
    prediction_text,
    shot_text,
    shots_text,
    teaching_text,
)
from slp_core.figures.map.data import MapLayers
from slp_core.figures.map.figure import MapDisplay
from slp_core.markdown import beginning
from slp_core.report.subject import Part

_USUAL = "minilm-l4"
_WIDTHS = 10, 9
_HEIGHT = 410
_TALL = 560  # px of the cards, which are scrolled beside the map
_LONGEST = 120  # letters of the selected example
_RINGS = 150  # around changed predictions: more would hide the map
_QUICK = 2_000  # rows whose labels are checked in a second or two


def page(workspace: Workspace | None) -> None:
    # No fragment: Streamlit takes back what one has not sent yet if it runs again at once, and a
    # browser that was told meanwhile that the page is complete removes the fields that it lacks
    with place_of_clock():
        if workspace is None or unfitted():
            _unfitted(workspace)
        else:
            _lesson(workspace)


def _warm(name: str, encoder: Encoder) -> None:
    """Load an encoder in the background, before a first text is typed."""
    job_pool().start(("warm", name), "Loading the encoder", lambda _: encoder.encode([""]))


def _unfitted(workspace: Workspace | None) -> None:
    """Each part where it is once it predicts: a field that moves loses what is being typed."""
    if workspace is None:
        _warm(_USUAL, encoder(_USUAL, None))
    text = "Type an example of each class to see predictions."
    row: int | None = None
    if workspace is not None and (workspace.encoded or not is_own(workspace.dataset)):
        text = teaching_text(None, None, False)
    if workspace is not None and workspace.encoded:  # the method refuses
        row = chosen_row(workspace)
    with st.container():
        st.subheader(text)
    seen, given = st.columns(_WIDTHS, gap="medium")
    with given:
        _tools(None if workspace is None else workspace.dataset)
        _cards(workspace, None, {}, row)
    with seen, st.container(horizontal=True, vertical_alignment="center"):
        if workspace is None:
            ready_made()
        else:
            _own_text(workspace)
    with seen:
        if workspace is not None:
            _instead_of_map(workspace)
        if workspace is None or row is None:
            refuse_edit()
        else:
            shot_menu(workspace, row, influence=False)


def _instead_of_map(workspace: Workspace) -> None:
    """The progress of encoding, or why the method refuses: the cards are there already."""
    try:
        if workspace.encoded or encode(workspace):
            workspace.model  # noqa: B018 - refuses again
            st.rerun()
    except SLPError as error:
        refuse(error)


def _lesson(workspace: Workspace) -> None:
    job = start_influence(workspace)
    sentence = st.container()
    # The map first, where a phone puts one below the other
    seen, given = st.columns(_WIDTHS, gap="medium")
    with seen, st.container(horizontal=True, vertical_alignment="center"):
        tried = _own_text(workspace)
        with st.container(key="picture controls", width="content"), st.popover("View"):
            view = view_choice(workspace)
    with given:
        _tools(workspace.dataset)
    with seen:
        _tried(workspace, tried)
        picture, below, panel, details = (st.container() for _ in range(4))
    job.wait(0.3)
    found: ShotInfluences | None = job.result if job.ready else None
    row = _selected(workspace, found)
    with sentence:  # before the map, which it would move
        text = _sentence(workspace, found)
        what_to_watch(workspace)
    with below, place_of_clock():
        with picture:
            _map(workspace, computed(workspace, view), row, found, tried, details)
        with panel:
            if found is None and completed(job):
                st.rerun()  # it came while the map was drawn, which lacks it
            doubtful = {} if found is None else _doubtful(workspace)
            _selected_shot(workspace, row, found, doubtful)
    with given:
        _cards(workspace, found, doubtful, row)
    offer_report(
        f"{workspace.map_key(view)} {row} {found is not None}",
        lambda: _reported(workspace, view, row, found, text),
    )
    if len(workspace.episode.query):
        experiments(workspace)
        folded("The misleading shot", "misleading", misleading, workspace)
    if found is not None and workspace.dataset.kind == "text":
        _warm(workspace.encoder_name, workspace.encoder)


def _doubtful(workspace: Workspace) -> dict[int, str]:
    """Shots whose label is to be checked, as computed so far; of many rows on request."""
    job = label_check(workspace)
    few = len(workspace.dataset) <= _QUICK
    found: dict[int, str] = (completed(job) if few else offered(job, "Check the labels")) or {}
    return {row: name for row, name in found.items() if row in workspace.episode.support}


def _own() -> None:
    settings.POINT.clear()
    settings.DATASET.set(TITLE)


def _tools(dataset: FewShotDataset | None) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="edit shots steps"):
        _steps()
        if dataset is None or can_be_typed(base_of(dataset)):
            new_class(dataset)
        if dataset is not None and is_own(dataset):
            take_along()
        elif dataset is not None:
            st.button(
                "Type your own",
                icon=":material/keyboard:",
                type="tertiary",
                key="edit shots own",
                on_click=_own,
                help="A dataset of your own examples.",
            )


def _steps() -> None:
    for label, back, forward in (
        ("Undo", settings.DONE, settings.UNDONE),
        ("Redo", settings.UNDONE, settings.DONE),
    ):
        st.button(
            label,
            icon=f":material/{label.lower()}:",
            type="tertiary",
            key=f"edit shots {label}",
            disabled=not back.value,
            on_click=_step,
            args=(back, forward),
        )


def _step(back: settings.Setting[Any], forward: settings.Setting[Any]) -> None:
    settings.EDIT_REFUSED.set("")
    step(back, forward)
    if settings.EDITING.value == TITLE:
        keep_own()


def _sentence(workspace: Workspace, found: ShotInfluences | None) -> str:
    left_out = not len(workspace.episode.query)
    accuracy: float | None = workspace.predictions.accuracy
    if left_out:
        accuracy = None if found is None else found.whole_accuracy
    before = _before(workspace, accuracy)
    text = teaching_text(accuracy, before, left_out)
    st.subheader(text)
    return text


def _reported(
    workspace: Workspace, view: View, row: int | None, found: ShotInfluences | None, text: str
) -> list[Part]:
    linear = workspace.opening_view if view.is_layout else view
    parts = [Part("The support set", [text], [MapDisplay(map_data(workspace, linear), chosen=row)])]
    if found is not None:
        table = shots_table(found, workspace.episode.support)
        lines = [beginning(workspace.texts[each], _LONGEST) for each in table["row"].tolist()]
        table = workspace.dataset.numbered(table.assign(text=lines))
        influence = {"Influence of each shot": table}
        parts.append(Part("What each shot does", [shots_text(found)], [], influence))
    return parts


def _before(workspace: Workspace, accuracy: float | None) -> float | None:
    on = f"{settings.EDITING.value} {workspace.encoder_name} {workspace.method_key}"
    now = workspace.model_key
    was = settings.TAUGHT.value
    if len(was) != 4 or was[0] != on:
        was = (on, now, accuracy, None)
    elif was[1] != now and accuracy is not None:
        was = (on, now, accuracy, was[2])
    elif was[1] == now and was[2] is None:
        was = (on, now, accuracy, was[3])
    settings.TAUGHT.set(was)
    return was[3] if was[1] == now else None


def _selected(workspace: Workspace, found: ShotInfluences | None) -> int | None:
    """The selected example; else the most misleading shot."""
    row = chosen_row(workspace)
    if row is None and found is not None and len(found.order):
        return int(workspace.episode.support[found.order[0]])
    return row


def _map(
    workspace: Workspace,
    view: View,
    row: int | None,
    found: ShotInfluences | None,
    tried: Examples | None,
    details: Any,
) -> None:
    episode = workspace.episode
    changed: tuple[int, ...] = ()
    if found is not None and row in episode.support:
        judged = episode.query if len(episode.query) else episode.support
        changed = tuple(judged[found.changed[episode.support.tolist().index(row)]].tolist())
        changed = changed if len(changed) <= _RINGS else ()
    typed = None
    if tried is not None:
        place = workspace.projection(view).transform(typed_vector(workspace, tried)[0][None])[0]
        typed = float(place[0]), float(place[1])
    display = MapDisplay(
        map_data(workspace, view),
        MapLayers(
            query=len(episode.query) > 0,
            chosen=True,
            typed=workspace.dataset.kind == "text",
            changed=True,
        ),
        chosen=row,
        changed=changed,
        typed=typed,
        height=_HEIGHT,
        uirevision=workspace.view_key(view),
        key=f"{workspace.map_key(view)} taught",
    )
    show(display, on_click=choose_row, export=details)
    with details:
        fidelity_line(workspace, view)


def _own_text(workspace: Workspace) -> Examples | None:
    if workspace.dataset.kind != "text":
        return None
    text = st.text_input(
        "Try your own text",
        placeholder="Try your own text",
        label_visibility="collapsed",
        max_chars=CHARACTERS,
        **settings.TRIED.bound(),
    ).strip()
    return Examples("text", (text,)) if text else None


def _tried(workspace: Workspace, tried: Examples | None) -> None:
    if tried is None:
        return
    try:
        vector, _ = typed_vector(workspace, tried)
    except SLPError as error:
        refuse(error)
        return
    reading = read_point(workspace.model, vector, workspace.centroids)
    st.markdown(f"**Your text.** {prediction_text(reading)}")


def _selected_shot(
    workspace: Workspace, row: int | None, found: ShotInfluences | None, doubtful: dict[int, str]
) -> None:
    if row is None:
        return
    episode, dataset = workspace.episode, workspace.dataset
    if not example_image(dataset, row):
        st.text(beginning(dataset.describe(row), _LONGEST))
    if row not in episode.support:
        st.markdown(prediction_text(workspace.reading(row)))
    if found is not None and row in episode.support:
        shot, joined = episode.support.tolist().index(row), None
        if len(episode.query) and not found.last[shot] and typed_place(dataset, row) is None:
            joined = workspace.without_shot(row).predictions.accuracy
        st.markdown(shot_text(found, shot, joined))
        if found.changed[shot].sum() > _RINGS:
            st.caption("Too many changed predictions to ring on the map.")
    elif found is not None and (place := episode.place_of(row)) is not None:
        st.markdown(correcting_shots_text(found, place))
    if row in episode.support and (name := doubtful.get(row)):
        check_label(workspace, row, name)
    shot_menu(workspace, row, influence=False)
    if row in episode.support and len(episode.query) and typed_place(dataset, row) is None:
        with st.container(key="edit shots swap"):
            folded("Suggested swap", "swap", suggested_swap, workspace, row)


def _cards(
    workspace: Workspace | None,
    found: ShotInfluences | None,
    doubtful: dict[int, str],
    row: int | None,
) -> None:
    with st.container(height=_TALL, border=False):
        cards(workspace, found, doubtful, row)
        if found is not None:
            text = f"{shots_text(found)} {check_labels_text(len(doubtful))}".rstrip()
            st.caption(text)


page(workspace_if_any())
