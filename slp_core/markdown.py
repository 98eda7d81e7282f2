"""Names from data inside sentences, which are Markdown: a class called ``$$`` is not a formula."""

from __future__ import annotations

import re

_MARKS = r"[\\`*_\[\]<$~]"


def literal(text: str) -> str:
    """Text as Markdown that reads as the text does."""
    return re.sub(f"({_MARKS})", r"\\\1", text)


def named(name: str) -> str:
    """A name as it stands in a sentence."""
    return f"*{literal(name)}*"


def unmarked(sentence: str) -> str:
    """A sentence without emphasis and escapes, for where Markdown is not read."""
    return re.sub(rf"\\({_MARKS})|\*", lambda found: found[1] or "", sentence)
