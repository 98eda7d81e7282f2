"""An example's own words, in a box that scrolls where they are many."""

from __future__ import annotations

import streamlit as st

LONG, HEIGHT = 900, 320
"""Characters of a text that would push away what is said of it, and the pixels that it is given."""


def example(words: str, border: bool = True) -> None:
    """The words as they are; nothing in them is interpreted."""
    with st.container(border=border, height=HEIGHT if len(words) > LONG else "content"):
        st.text(words)
