"""A phone in a room: the question, its choices as buttons, and the revealed answer."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.session.browser import COOKIE
from pages.session.rooms import LENGTH, ROOM, Question, RoomError, all_rooms
from slp_core.markdown import literal, without_terms

EVERY = 4.0  # seconds between two looks at whether there is something new
_JOINED = "joined room"
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
    browser = st.context.cookies.get(COOKIE)
    with st.container(key="phone"):
        if not code:
            _join("Join a room")
        elif not browser:
            _join("This room needs a cookie: allow cookies of this site, and load the page again.")
        elif st.session_state.get(_JOINED) == code and all_rooms().question(code) is None:
            st.title("The room has been closed.", anchor=False)
        else:
            _in_room(code, browser)


def _in_room(code: str, browser: str) -> None:
    try:
        question, chosen = all_rooms().look(code, browser, st.context.ip_address or "")
    except RoomError as error:
        _join(str(error))
        return
    st.session_state[_JOINED] = code
    st.title(literal(question.text), anchor=False)
    if question.revealed:
        _revealed(question, chosen)
    else:
        _open(code, browser, question, chosen)
    st.fragment(_watch, run_every=EVERY)(code, question)


def _join(text: str) -> None:
    st.title(literal(text), anchor=False)
    st.html(_FORM)


def _watch(code: str, seen: Question) -> None:
    """Redraw the page when the question changes, its answer is revealed or the room closes."""
    if all_rooms().question(code) != seen:
        st.rerun()


def _open(code: str, browser: str, question: Question, chosen: int | None) -> None:
    for place, choice in enumerate(question.choices):
        own = place == chosen
        st.button(
            literal(choice),
            key=f"choice {question.number} {place}",
            type="primary" if own else "secondary",
            icon=":material/check:" if own else None,
            width="stretch",
            on_click=_choose,
            args=(code, browser, question.number, place),
        )
    if chosen is None:
        st.markdown("Choose one. Nobody sees who chose what.")
    else:
        st.markdown("**Sent.** You can change it until it is revealed.")


def _choose(code: str, browser: str, number: int, place: int) -> None:
    try:
        all_rooms().choose(code, browser, number, place)
    except RoomError as error:  # too late, of which the page tells that is drawn next
        st.toast(literal(str(error)))


def _revealed(question: Question, chosen: int | None) -> None:
    own = None if chosen is None else question.choices[chosen]
    st.markdown(f"You chose: {literal(own)}" if own else "You did not choose.")
    for place, mark in question.marks:
        st.markdown(f"{mark.capitalize()}: **{literal(question.choices[place])}**")
    st.markdown(without_terms(question.why))
