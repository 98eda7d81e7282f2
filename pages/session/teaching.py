"""A teacher's link: what it hides, what it asks first, and what was guessed."""

from __future__ import annotations

import streamlit as st

from pages.session import settings
from pages.session.address import keep, take, went_back
from pages.session.cache import BoundedStore

_MOST_GUESSES = 200


def read_teaching() -> None:
    """Read the address of a first visit, and keep what it says in the address of every page.

    Back does not bring again what was shown since, nor show what is hidden.
    """
    for setting in (settings.HIDDEN, settings.QUESTIONS):
        if not went_back():
            take(setting)
        keep(setting)


def asks(what: str) -> bool:
    """Whether a guess is asked for before that is told."""
    return what in settings.QUESTIONS.value


def anything_asked() -> bool:
    """Whether a guess is asked for before a point is read."""
    return bool(settings.QUESTIONS.value)


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
