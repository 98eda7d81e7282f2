"""Error messages on a page."""

from __future__ import annotations

import streamlit as st

from pages.session.public import shown
from slp_core.markdown import literal


def refuse(why: Exception | str) -> None:
    """Show an error's message: the one place where pages do."""
    st.error(literal(shown(str(why))), icon=":material/error:")
