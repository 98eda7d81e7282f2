"""A phone in a room: the question, its choices as buttons, and the revealed answer."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.session.browser import COOKIE
from pages.session.rooms import LENGTH, ROOM, Poll, RoomError, Sight, all_rooms
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
        elif st.session_state.get(_JOINED) == code and all_rooms().stage(code) is None:
            st.title("The room has been closed.", anchor=False)
        else:
            _in_room(code, browser)


def _in_room(code: str, browser: str) -> None:
    try:
        sight = all_rooms().look(code, browser, st.context.ip_address or "")
    except RoomError as error:
        _join(str(error))
        return
    st.session_state[_JOINED] = code
    _seen(code, browser, sight)
    st.fragment(_watch, run_every=EVERY)(code, (sight.number, sight.revealed is not None))


def _join(text: str) -> None:
    st.title(literal(text), anchor=False)
    st.html(_FORM)


def _watch(code: str, seen: tuple[int, bool] | None) -> None:
    """Redraw the page when the question changes, its answer is revealed or the room closes."""
    if all_rooms().stage(code) != seen:
        st.rerun()


def _seen(code: str, browser: str, sight: Sight) -> None:
    if sight.poll is None:
        st.title("You are in. The question comes in a moment.", anchor=False)
        return
    st.title(literal(sight.poll.question), anchor=False)
    if sight.revealed is not None:
        _revealed(sight, sight.poll)
        return
    for place, choice in enumerate(sight.poll.choices):
        chosen = place == sight.chosen
        st.button(
            literal(choice),
            key=f"choice {sight.number} {place}",
            type="primary" if chosen else "secondary",
            icon=":material/check:" if chosen else None,
            width="stretch",
            on_click=_choose,
            args=(code, browser, sight.number, place),
        )
    if sight.chosen is None:
        st.markdown("Choose one. Nobody sees who chose what.")
    else:
        st.markdown("**Sent.** You can change it until it is revealed.")


def _choose(code: str, browser: str, number: int, place: int) -> None:
    try:
        all_rooms().choose(code, browser, number, place)
    except RoomError as error:  # too late, of which the page tells that is drawn next
        st.toast(literal(str(error)))


def _revealed(sight: Sight, poll: Poll) -> None:
    revealed = sight.revealed
    assert revealed is not None
    own = None if sight.chosen is None else poll.choices[sight.chosen]
    st.markdown(f"You chose: {literal(own)}" if own else "You did not choose.")
    for place, mark in revealed.marks:
        st.markdown(f"{mark.capitalize()}: **{literal(poll.choices[place])}**")
    st.markdown(without_terms(revealed.why))
