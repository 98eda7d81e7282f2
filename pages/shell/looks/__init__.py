"""The app's style sheet, and scripts for keyboard and touch."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_FOLDER = Path(__file__).parent
_ONCE = """export default function (component) {{
const known = window.slpLooks
window.slpLooks = component
if (known) return
{}
}}"""
_scripts = st.components.v2.component(
    "looks",
    # A block each, with names of its own
    js=_ONCE.format(
        "\n".join(
            f"{{\n{file.read_text(encoding='utf-8')}}}" for file in sorted(_FOLDER.glob("*.js"))
        )
    ),
)


def style() -> None:
    st.html(_FOLDER / "style.css")


def scripts() -> None:
    """Send the scripts, below the page, where a placeholder stands until then."""
    with st.container(key="looks scripts"):
        _scripts(key="scripts", on_again_change=lambda: None)
