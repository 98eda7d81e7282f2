"""The glossary on a page: words are explained where they stand, and listed at a button.

A component marks them over the page, without a change to it, so that Streamlit may draw whatever it
likes; it asks the server nothing.
"""

from __future__ import annotations

import re
from pathlib import Path

import streamlit as st

from slp_core.glossary import OTHER_SENSES, TERMS

_JS, _CSS = (
    Path(__file__).with_name(f"words.{kind}").read_text(encoding="utf-8") for kind in ("js", "css")
)
_HTML = """
<button type="button" class="opener" aria-haspopup="dialog" aria-expanded="false">Glossary</button>
<div class="list" popover="auto" role="dialog" aria-label="Words on this page" tabindex="0"
  autofocus></div>
<div class="tip" popover="manual" role="tooltip"></div>
"""


def pattern() -> str:
    """A regular expression that finds every form as the group ``form``; of one letter as it is."""
    forms = sorted((form for term in TERMS for form in term.forms), key=len, reverse=True)
    either, others = ("|".join(map(_any_case, words)) for words in (forms, OTHER_SENSES))
    word = r"A-Za-z0-9_\u00C0-\u024F"
    before = rf"(?<![{word}'\u2019\-])"
    after = rf"(?![{word}]|['\u2019](?!s\b)|-[A-Za-z])"
    quoted = r"\u201C[^\u201D]*\u201D"
    return rf"{quoted}|{before}(?:{others}|(?<form>{either})){after}"


def _any_case(form: str) -> str:
    if len(form) == 1:
        return form
    return (
        "".join(
            f"[{c.lower()}{c.upper()}]" if c.isalpha() and c.isascii() else re.escape(c)
            for c in form
        )
        .replace(r"\-", "-")
        .replace(r"\ ", r"[ \u00A0]")
    )


_component = st.components.v2.component("words", html=_HTML, css=_CSS, js=_JS)
_DATA = {
    "pattern": pattern(),
    "terms": [
        {"name": term.name, "text": term.text, "pages": term.pages, "forms": term.forms}
        for term in TERMS
    ],
}


def words() -> None:
    """Explain the words of the page at a touch, and draw the button that lists them."""
    _component(key="words", data=_DATA, width="content", height="content")
