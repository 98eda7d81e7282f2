"""Names from data inside Markdown sentences: a class called ``$$`` is not a formula."""

from __future__ import annotations

import re
import unicodedata

_MARKS = re.compile(r"[\\`*_\[\]<$~&]|^(?:[#>+=-]|[0-9]+(?=[.)]))")
_TERM = r"\[([^\[\]\\]*)\]\(#word-[^()]*\)"  # as slp_core.glossary marks one
_ESCAPED = re.compile(rf"\\([!-/:-@\[-`{{-~])|{_TERM}|\*")
_KEPT = re.compile(rf"(\\.)|{_TERM}")
_JOINER = "\N{WORD JOINER}"
# Streamlit finds ":smile:", ":red[…]", addresses and "->" after escapes are read, so that a
# backslash does not help; a character of no width in their middle, or before an arrow, does.
_FOUND_LATER = re.compile(
    r"(?<=:)(?=\S)|(?<=www)(?=\.)|(?=@)|(?<!\S)(?=(?:<->|->|<-|--|>=|<=|~=)(?!\S))", re.IGNORECASE
)
LONGEST = 40  # characters of a name that a sentence shows
_FROM_THE_RIGHT = {"R", "AL", "AN"}  # classes of letters, and of digits among them
_ON_A_LETTER = {"Mn", "Mc", "Me", "Cf"}  # accents, vowels of Indian scripts, joiners
_ISOLATE, _POP = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"


def literal(text: str) -> str:
    """Text as Markdown that reads as the text does, on one line."""
    line = " ".join(text.split())
    return _MARKS.sub(_escaped, _FOUND_LATER.sub(_JOINER, line))


def _escaped(found: re.Match[str]) -> str:
    """With a backslash before it, or after the digits of a list."""
    mark = found[0]
    return f"{mark}\\" if mark.isdigit() else f"\\{mark}"


def isolated(name: str) -> str:
    """A name that does not reverse the numbers beside it: Arabic and Hebrew run from the right."""
    if any(unicodedata.bidirectional(letter) in _FROM_THE_RIGHT for letter in name):
        return f"{_ISOLATE}{name}{_POP}"
    return name


def named(name: str, longest: int = LONGEST) -> str:
    """A name in a sentence: in quotes, on one line, shortened with "…"."""
    return _quoted(shortened(name, longest))


def quoted(text: str, longest: int) -> str:
    """The beginning of a text in a sentence: in quotes, on one line, ended by "…"."""
    return _quoted(beginning(text, longest))


def _quoted(line: str) -> str:
    return f"“{isolated(literal(line))}”"


def shortened(name: str, longest: int = LONGEST) -> str:
    """A name on one line, its middle "…" where it is long: names may differ at either end."""
    line = " ".join(name.split())
    if len(line) <= longest:
        return line
    start = len(line) - longest // 3
    while start < len(line) and unicodedata.category(line[start]) in _ON_A_LETTER:
        start += 1
    head = longest - longest // 3 - 1
    return f"{line[:head].rstrip()}…{line[start:].lstrip()}"


def beginning(text: str, longest: int) -> str:
    """A text on one line, and its end as "…" where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def without_terms(sentence: str) -> str:
    """A sentence without the marks of glossary terms, for places without tips."""
    return _KEPT.sub(lambda found: found[1] or found[2], sentence)


def unmarked(sentence: str) -> str:
    """A sentence without emphasis, terms and escapes, for places without Markdown."""
    plain = _ESCAPED.sub(lambda found: found[1] or found[2] or "", sentence)
    return plain.replace(_JOINER, "")
