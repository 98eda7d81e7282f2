"""The glossary on a page: marked terms are explained in place, and listed behind a button."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from slp_core.glossary import TERMS, anchor

_JS, _CSS = (
    Path(__file__).with_name(f"words.{kind}").read_text(encoding="utf-8") for kind in ("js", "css")
)
_HTML = """
<button type="button" class="opener" aria-haspopup="dialog" aria-expanded="false">Glossary</button>
<div class="list" popover="auto" role="dialog" aria-label="Glossary" tabindex="0" autofocus></div>
<div class="tip" popover="manual" role="tooltip"></div>
"""
_component = st.components.v2.component("words", html=_HTML, css=_CSS, js=_JS)
_DATA = {f"#{anchor(name)}": {"name": name, "text": text} for name, text in TERMS.items()}


def words() -> None:
    """Explain the page's marked terms at a touch, and draw the button that lists all."""
    _component(key="words", data=_DATA, width="content", height="content")
