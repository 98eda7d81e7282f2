"""A teacher's link: what it hides, what it asks first, and what was guessed."""

from __future__ import annotations

from pages.session import settings
from pages.session.cache import BoundedStore

_MOST_GUESSES = 200


def read_teaching() -> None:
    """Keep what a teacher's link says in the URL of every page."""
    settings.HIDDEN.shows()
    settings.QUESTIONS.shows()


def asks(what: str) -> bool:
    """Whether a guess is asked for before that is told."""
    return what in settings.QUESTIONS.value


def has_open_question() -> bool:
    """Whether a guess is asked for before a point is read."""
    return bool(settings.QUESTIONS.value)


def guess_of(key: str) -> str | None:
    """What was guessed, if anything was."""
    store = settings.GUESSES.value
    return None if store is None else store.get(key)


def guess(key: str, what: str) -> None:
    """Keep a guess; the first one counts."""
    store = settings.GUESSES.value or BoundedStore[str, str](_MOST_GUESSES)
    settings.GUESSES.set(store)
    if store.get(key) is None:
        store.put(key, what)
