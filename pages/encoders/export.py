"""A button that hands out an encoder's weights, where the server may."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.session.public import limits

_WHAT = (
    "A folder in a .zip file, with weights, tokenizer and its card as README.md: "
    "sentence-transformers gives the same vectors from it, of unit length, and transformers "
    "the hidden states."
)


def export(
    label: str,
    made: Callable[[], bytes],
    file: str,
    key: str,
    *,
    takes: str = "It takes a moment to make.",
    instead: str = "",
) -> None:
    """A download of a folder in a .zip file, made when it is asked for."""
    if limits():
        st.button(
            label,
            disabled=True,
            key=key,
            icon=":material/download:",
            help=f"This server is public and hands out no weights. {instead}",
        )
        return
    st.download_button(
        label,
        made,
        file,
        "application/zip",
        key=key,
        icon=":material/download:",
        on_click="ignore",
        help=f"{_WHAT} {takes}",
    )
