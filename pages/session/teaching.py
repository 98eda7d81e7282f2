"""A teacher's link: what it hides, what it asks first, and what was guessed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pages.session import settings

ASKED_ON = {"explore": ("answer",), "explain": ("answer", "cause")}
"""What a link can ask on which page."""


@dataclass(frozen=True)
class Guesses:
    """Guesses about one example of one fitted method, by what was asked."""

    model_key: str
    row: int
    given: Mapping[str, str] = field(default_factory=dict)


def read_teaching() -> None:
    """Keep what a teacher's link says in the URL of every page."""
    settings.HIDDEN.shows()
    settings.QUESTIONS.shows()


def questions_on(folder: str) -> tuple[str, ...]:
    """What is to be guessed on a page before it tells."""
    return tuple(q for q in ASKED_ON.get(folder, ()) if q in settings.QUESTIONS.value)


def guesses_of(model_key: str, row: int) -> Guesses:
    """Guesses about the example last asked about; none yet about another method's, or ``row``."""
    guesses: Guesses | None = settings.GUESSES.value
    if guesses is None or guesses.model_key != model_key:
        return Guesses(model_key, row)
    return guesses
