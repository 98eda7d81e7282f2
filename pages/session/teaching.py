"""A teacher's link: what it hides, what it asks first, and what was guessed."""

from __future__ import annotations

import streamlit as st

from pages.session import settings
from pages.session.cache import BoundedStore
from pages.session.lessons import write_address
from slp_core.lessons.links import ASKABLE, HIDEABLE, read_words, unknown_facts

_MOST_GUESSES = 200
_IN_ADDRESS = (settings.HIDDEN.key, settings.ASKED.key)


def read_teaching() -> None:
    """Read the address of a first visit, and keep what it says in the address of every page."""
    if not settings.TEACHING_READ.value:
        settings.TEACHING_READ.set(True)
        hide = read_words(st.query_params.get(settings.HIDDEN.key, ""), HIDEABLE)
        ask = read_words(st.query_params.get(settings.ASKED.key, ""), ASKABLE)
        settings.HIDDEN.set(hide.known)
        settings.ASKED.set(ask.known)
        settings.LINK_REFUSED.set(
            (
                *settings.LINK_REFUSED.value,
                *unknown_facts(settings.HIDDEN.key, hide),
                *unknown_facts(settings.ASKED.key, ask),
            )
        )
    words = zip(_IN_ADDRESS, (settings.HIDDEN.value, settings.ASKED.value), strict=True)
    write_address(_IN_ADDRESS, {key: ",".join(found) for key, found in words if found})


def asks(what: str) -> bool:
    """Whether a guess is asked for before that is told."""
    return what in settings.ASKED.value


def anything_asked() -> bool:
    """Whether a guess is asked for before a point is read."""
    return bool(settings.ASKED.value)


def guess_of(key: str) -> str | None:
    """What was guessed, if anything was."""
    store = settings.GUESSES.value
    return None if store is None else store.get(key)


def guess(key: str, what: str) -> None:
    """Keep a guess; the first one counts."""
    store: BoundedStore[str, str] = st.session_state.setdefault(
        settings.GUESSES.key, BoundedStore(_MOST_GUESSES)
    )
    if store.get(key) is None:
        store.put(key, what)
