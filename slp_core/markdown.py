"""Names from data inside sentences, which are Markdown: a class called ``$$`` is not a formula."""

from __future__ import annotations

import re

_MARKS = r"[\\`*_\[\]<$~]"
# Streamlit replaces ":smile:", ":red[…]" and ":material/…:" after escapes are read, so that a
# backslash does not help; a character of no width after the colon does.
_COLON = re.compile(r":(?=\S)")
_JOINER = "\N{WORD JOINER}"
LONGEST = 40  # characters of a name that a sentence shows


def literal(text: str) -> str:
    """Text as Markdown that reads as the text does."""
    return _COLON.sub(f":{_JOINER}", re.sub(f"({_MARKS})", r"\\\1", text))


def named(name: str, longest: int = LONGEST) -> str:
    """A name as it stands in a sentence: in quotes, on one line, shortened with "…"."""
    return f"“{literal(shortened(name, longest))}”"


def shortened(name: str, longest: int = LONGEST) -> str:
    """A name on one line, and its end as "…" where it is long."""
    line = " ".join(name.split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def unmarked(sentence: str) -> str:
    """A sentence without emphasis and escapes, for where Markdown is not read."""
    plain = re.sub(rf"\\({_MARKS})|\*", lambda found: found[1] or "", sentence)
    return plain.replace(_JOINER, "")
