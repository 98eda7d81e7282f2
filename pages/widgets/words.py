"""The glossary on a page: words are explained where they stand, and listed at a button.

A component marks them over the page, without a change to it, so that Streamlit may draw whatever it
likes; it asks the server nothing.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from slp_core.glossary import TERMS, pattern

_JS, _CSS = (
    Path(__file__).with_name(f"words.{kind}").read_text(encoding="utf-8") for kind in ("js", "css")
)
_HTML = """
<button type="button" class="opener" aria-haspopup="dialog" aria-expanded="false">Words</button>
<div class="list" popover="auto" role="dialog" aria-label="Words on this page" tabindex="0"
  autofocus></div>
<div class="tip" popover="manual" role="tooltip"></div>
"""
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
