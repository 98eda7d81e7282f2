"""Facts as text on a page, with shortened names whole in a tip; and what cannot be had."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import streamlit as st

from pages.session.public import shown
from slp_core.facts import Fact, long_names, said
from slp_core.markdown import literal


def say(
    facts: Iterable[Fact] | str,
    element: Callable[..., Any] = st.markdown,
    before: str = "",
    after: str = "",
) -> None:
    """Write facts, or Markdown made of escaped pieces, with an element of Streamlit's."""
    if isinstance(facts, str):
        element(f"{before}{facts}{after}")
        return
    facts = tuple(facts)
    whole = [f"- {literal(name)}" for name in long_names(facts)]
    element(f"{before}{said(facts)}{after}", help="\n".join(whole) or None)


def refuse(why: Exception | str) -> None:
    """Write why something cannot be had: the one place where a page shows an error's message."""
    st.error(literal(shown(str(why))), icon=":material/error:")
