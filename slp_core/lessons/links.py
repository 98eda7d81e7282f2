"""What a teacher's link can hide, and what it can ask before anything is told."""

from __future__ import annotations

from dataclasses import dataclass

from slp_core.facts import Facts, Listed, Verbatim, fact
from slp_core.markdown import literal, shortened

LONGEST_ADDRESS = 400  # characters of a parameter that are read
_LONGEST_GUESS = 120  # characters
_MOST_NAMED = 5  # unknown words that a notice names


@dataclass(frozen=True)
class Hideable:
    """Controls that a link can hide.

    Attributes
    ----------
    title : str
    selectors : tuple of str
        Which elements of a page, as a style sheet names them.
    """

    title: str
    selectors: tuple[str, ...]


def _of(*keys: str) -> tuple[str, ...]:
    return tuple(f".st-key-{key}" for key in keys)


_SIDEBAR = '[data-testid="stSidebar"]'
HIDEABLE = {
    "sidebar": Hideable(
        "the whole sidebar",
        (_SIDEBAR, '[data-testid="stExpandSidebarButton"]'),
    ),
    "pages": Hideable("the list of pages", ('[data-testid="stSidebarNav"]',)),
    "dataset": Hideable("the dataset", _of("dataset", "dimension")),
    "upload": Hideable("uploading", _of("upload-button", "forget-upload")),
    "encoder": Hideable("the encoder", _of("encoder", "model", "normalisation")),
    "draw": Hideable("shots and draw", _of("shots", "draw", "draw-again")),
    "method": Hideable("the method and its options", _of("method", "method-options")),
    "picture": Hideable("the choice of picture", _of("picture-controls")),
    "status": Hideable("the bar with the accuracy", _of("status-bar")),
    "downloads": Hideable(
        "tables and downloads",
        ('[class*="st-key-"][class*="-fold"]', '[data-testid="stDownloadButton"]'),
    ),
}
ASKABLE = {
    "answer": "which class will the method answer?",
    "cause": "what is the cause?",
}


@dataclass(frozen=True)
class Asked:
    """What an address asks for under one name.

    Attributes
    ----------
    known, unknown : tuple of str
        Words that mean something, in the order of their table; and the others.
    """

    known: tuple[str, ...]
    unknown: tuple[str, ...]


def read_words(text: str, table: dict[str, Hideable] | dict[str, str]) -> Asked:
    """Read words between commas.

    Parameters
    ----------
    text : str
        Of an address: anything.
    table : dict
        Whose keys mean something.
    """
    words = [word.strip() for word in text[:LONGEST_ADDRESS].split(",")]
    given = dict.fromkeys(filter(None, words))
    known = tuple(word for word in table if word in given)
    return Asked(known, tuple(word for word in given if word not in table))


def unknown_facts(parameter: str, asked: Asked) -> Facts:
    """That some words of an address mean nothing here."""
    n = len(asked.unknown)
    if not n:
        return ()
    words = Listed([Verbatim(word) for word in asked.unknown[:_MOST_NAMED]])
    template = "The address has “{parameter}” with {words}"
    template += " and {more:,} more" if n > _MOST_NAMED else ""
    template += ", which means nothing here, and is ignored."
    more = n - _MOST_NAMED
    values = {"parameter": Verbatim(parameter), "words": words, "more": more}
    return (fact("link.unknown", template, **values),)


class Guess(str):
    """What was guessed, in a sentence as it is: a class or a cause, never interpreted."""

    def __format__(self, spec: str) -> str:
        return literal(shortened(str(self), _LONGEST_GUESS))


def guess_facts(told: str, right: str) -> Facts:
    """Whether a guess was right.

    Parameters
    ----------
    told, right : str
        What was guessed, in words, and what is so.
    """
    guess, so = Guess(told), Guess(right)
    if told == right:
        return (fact("guess.right", "**Right**: {guess}.", guess=guess),)
    template = "You said: {guess}. **It is**: {so}."
    return (fact("guess.wrong", template, guess=guess, so=so),)
