"""Sentences on a page, and error messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.session.public import shown
from slp_core.markdown import literal


def say(
    text: str,
    element: Callable[..., Any] = st.markdown,
    before: str = "",
    after: str = "",
) -> None:
    """Write Markdown made of escaped pieces, with an element of Streamlit's."""
    element(f"{before}{text}{after}")


def refuse(why: Exception | str) -> None:
    """Show an error's message: the one place where pages do."""
    st.error(literal(shown(str(why))), icon=":material/error:")
