"""Short texts that the browser stores, and sends with its next visit; the server does not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

_JS = Path(__file__).with_name("kept_in_browser.js").read_text(encoding="utf-8")
_component = st.components.v2.component("kept_in_browser", js=_JS)


def keep_in_browser(texts: Mapping[str, str]) -> None:
    """Have the browser store texts by name, in characters that a cookie can hold; "" deletes."""
    _component(key="kept in browser", data=dict(texts), height="content")
