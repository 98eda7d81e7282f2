"""A scene's question for the room: a code to join by, live bars, the revealed answer."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st

from pages.session import settings
from pages.session.rooms import ROOM, Room, RoomError, all_rooms
from pages.session.selection import row_or_default
from pages.session.visits import current_visitor
from pages.session.workspace import Workspace
from pages.shell.navigation import app_address
from pages.widgets.example import example_row
from pages.widgets.readings import causes_of
from pages.widgets.say import refuse_sent
from slp_core.explain.text import cause_text, prediction_text
from slp_core.lessons.lecture import Scene
from slp_core.markdown import literal, shortened
from slp_core.methods.protocols import predicts_from_lines
from slp_core.sentences import SHAPES, count, shape_of

EVERY = 1.0  # seconds between two looks at the bars
_CSS = Path(__file__).with_suffix(".css")
_ROOM = "room of a lecture"  # in what is kept for a visitor
_TRUE = "true label"  # where another class is predicted, which the question asks for
_HERE = ("localhost", "127.0.0.1", "[::1]")


def is_revealed(at: int) -> bool:
    """Whether the answer of a scene may be drawn."""
    return at in settings.REVEALED.value


def is_on(at: int) -> bool:
    return is_revealed(at) or _room_on(at) is not None


def controls(workspace: Workspace, scene: Scene, at: int) -> None:
    room = _room_on(at)
    refuse_sent(f"ask {at}")
    with st.container(horizontal=True, width="content", key="lecture-asks"):
        label = "Ask the room" if room is None else "Ask again"
        st.button(
            label,
            key=f"ask {at}",
            icon=":material/qr_code_2:",
            type="primary" if room is None else "secondary",
            on_click=_ask,
            args=(workspace, scene, at),
        )
        if not is_revealed(at):
            st.button(
                "Reveal",
                key=f"reveal {at}",  # a press while another scene comes is not one on that
                icon=":material/visibility:",
                type="secondary" if room is None else "primary",
                on_click=settings.REVEALED.set,
                args=((*settings.REVEALED.value, at),),
            )
        if room is not None:
            st.button(
                "Close the room",
                key=f"close {at}",
                icon=":material/close:",
                type="tertiary",
                on_click=_close,
            )


def panel(workspace: Workspace, scene: Scene, at: int) -> None:
    """Beside the picture: how to join while the question is open, the bars, the answer."""
    room = _room_on(at)
    if not is_on(at):
        return
    st.html(_CSS)
    choices = _choices(workspace, scene)
    with st.container(key="lecture-poll"):
        if not is_revealed(at):
            assert room is not None
            _join(room)
            st.fragment(_growing, run_every=EVERY)(room, choices)
            return
        marks, why = _correct(workspace, scene)
        if room is not None:
            room.reveal(marks, why)
        if scene.of_classes:  # its picture no longer shows the example
            row = row_or_default(workspace)
            example_row(workspace.dataset, row, border=False)
        _bars(choices, () if room is None else room.counts(), dict(marks))
        st.markdown(why)


def _choices(workspace: Workspace, scene: Scene) -> tuple[str, ...]:
    if not scene.of_classes:
        return scene.choices
    names = enumerate(workspace.dataset.classes)
    return tuple(f"{SHAPES[shape_of(n)]} {shortened(str(name))}" for n, name in names)


def _correct(workspace: Workspace, scene: Scene) -> tuple[tuple[tuple[int, str], ...], str]:
    """What choices turn out to be, and why, as Markdown."""
    if not scene.of_classes:
        return ((scene.choices.index(scene.correct), "correct"),), literal(scene.why)
    row = row_or_default(workspace)
    reading, place = workspace.reading(row), workspace.episode.place_of(row)
    true, why = int(workspace.dataset.y[row]), prediction_text(reading)
    if place is not None and predicts_from_lines(workspace.model):
        why = f"{why} {cause_text(causes_of(workspace), place)}".rstrip()
    if true == reading.predicted:
        return ((true, "prediction and true label"),), why
    return ((reading.predicted, "prediction"), (true, _TRUE)), why


def _ask(workspace: Workspace, scene: Scene, at: int) -> None:
    """In a callback: open a room for the question of a scene, or ask it in the one that is open."""
    visit = current_visitor()
    if visit is None:
        return
    question = scene.question, _choices(workspace, scene)
    room: Room | None
    room, _ = visit.kept.get(_ROOM, (None, None))
    if room is not None and room.is_open:
        room.ask(*question)
    else:
        try:
            room = all_rooms().open(*question)
        except RoomError as error:
            settings.SENT_REFUSED.set((f"ask {at}", str(error)))
            return
        visit.when_gone(_ROOM, room.close)
    visit.kept[_ROOM] = room, (settings.LECTURE.value, at)
    settings.REVEALED.set(tuple(each for each in settings.REVEALED.value if each != at))


def _close() -> None:
    visit = current_visitor()
    if visit and _ROOM in visit.kept:
        visit.kept.pop(_ROOM)[0].close()


def _room_on(at: int) -> Room | None:
    """The teacher's room, if this scene's question was the last one asked."""
    visit = current_visitor()
    room: Room | None
    room, asked = visit.kept.get(_ROOM, (None, None)) if visit else (None, None)
    here = room is not None and room.is_open and asked == (settings.LECTURE.value, at)
    return room if here else None


def _join(room: Room) -> None:
    import segno  # on demand: few scenes need it

    address = f"{app_address()}/?{ROOM}={room.code}"
    picture = segno.make(address, error="m").svg_data_uri(scale=8, light="white")
    left, right = st.columns([2, 3], vertical_alignment="center")
    left.image(picture, width="stretch", alt=f"QR code of {address}")
    right.header(room.code, anchor=False)
    right.markdown(literal(address.partition("://")[2]))
    if urlsplit(address).hostname in _HERE:
        st.caption("Phones cannot open this address: open the app by this computer’s network name.")


def _growing(room: Room, choices: tuple[str, ...]) -> None:
    if not room.is_open:  # after two hours
        st.rerun()
    _bars(choices, room.counts(), {})


def _bars(choices: tuple[str, ...], counts: tuple[int, ...], marks: dict[int, str]) -> None:
    """A bar for each choice with its count; without counts, the choices with their meaning."""
    total = sum(counts)
    for place, choice in enumerate(choices):
        text, mark = literal(choice), marks.get(place, "")
        if mark:
            mark = f" · {mark}" if mark == _TRUE else f" :green[✓ {mark}]"
        if counts:
            st.progress(counts[place] / max(total, 1), f"{text}: **{counts[place]}**{mark}")
        else:
            st.markdown(f"{text}{mark}")
    if counts:
        st.caption(count(total, "response"))
