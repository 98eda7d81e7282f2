"""A phone in a room: the question, its choices as buttons, and the revealed answer."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.session.browser import COOKIE
from pages.session.rooms import LENGTH, ROOM, Question, Room, RoomError, all_rooms
from slp_core.markdown import literal, without_terms

EVERY = 4.0  # seconds between two looks at whether there is something new
_JOINED = "joined room"  # in the session
_CSS = Path(__file__).with_suffix(".css")
# A form, so that the next page is fetched from the server that holds its room
_FORM = f"""<form class="room" action="./" method="get">
<label>Code on the screen
<input name="{ROOM}" minlength="{LENGTH}" maxlength="{LENGTH}" autocapitalize="characters"
autocomplete="off" spellcheck="false" required></label>
<button type="submit">Join</button></form>"""


def phone(called: str) -> None:
    st.set_page_config(page_title="Room – SLP Explorer")
    st.html(_CSS)
    code = called.strip().upper()
    browser, joined = st.context.cookies.get(COOKIE), st.session_state.get(_JOINED)
    with st.container(key="phone"):
        if not code:
            _join("Join a room")
        elif not browser:
            _join("This room needs a cookie: allow cookies of this site, and load the page again.")
        elif joined and joined.code == code and not joined.is_open:
            st.title("The room has been closed.", anchor=False)
        else:
            _in_room(code, browser)


def _in_room(code: str, browser: str) -> None:
    try:
        room = all_rooms().find(code, browser, st.context.ip_address or "")
        question, chosen = room.enter(browser)
    except RoomError as error:
        _join(str(error))
        return
    st.session_state[_JOINED] = room
    st.title(literal(question.text), anchor=False)
    if question.revealed:
        _revealed(question, chosen)
    else:
        _open(room, browser, question, chosen)
    st.fragment(_watch, run_every=EVERY)(room, question)


def _join(text: str) -> None:
    st.title(literal(text), anchor=False)
    st.html(_FORM)


def _watch(room: Room, seen: Question) -> None:
    """Redraw the page when the question changes, its answer is revealed or the room closes."""
    if not room.is_open or room.question != seen:
        st.rerun()


def _open(room: Room, browser: str, question: Question, chosen: int | None) -> None:
    for place, choice in enumerate(question.choices):
        own = place == chosen
        st.button(
            literal(choice),
            key=f"choice {question.number} {place}",
            type="primary" if own else "secondary",
            icon=":material/check:" if own else None,
            width="stretch",
            on_click=_choose,
            args=(room, browser, question.number, place),
        )
    if chosen is None:
        st.markdown("Choose one. Nobody sees who chose what.")
    else:
        st.markdown("**Sent.** You can change it until it is revealed.")


def _choose(room: Room, browser: str, number: int, place: int) -> None:
    try:
        room.choose(browser, number, place)
    except RoomError as error:  # too late, of which the page tells that is drawn next
        st.toast(literal(str(error)))


def _revealed(question: Question, chosen: int | None) -> None:
    own = None if chosen is None else question.choices[chosen]
    st.markdown(f"You chose: {literal(own)}" if own else "You did not choose.")
    for place, mark in question.marks:
        st.markdown(f"{mark.capitalize()}: **{literal(question.choices[place])}**")
    st.markdown(without_terms(question.why))
