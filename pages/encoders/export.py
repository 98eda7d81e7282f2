"""A download button for an encoder's weights, where the server allows it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.session.public import limits
from pages.widgets.download import download

_WHAT = "A .zip file with weights, tokenizer and card, for sentence-transformers and transformers."


def export(
    label: str,
    made: Callable[[], bytes],
    file: str,
    key: str,
    *,
    takes: str = "It takes a moment.",
    instead: str = "",
) -> None:
    """A download of a folder in a .zip file, made on demand."""
    if limits():
        st.button(
            label,
            disabled=True,
            key=key,
            icon=":material/download:",
            help=f"This public server offers no weights. {instead}",
        )
        return
    download(
        label,
        made,
        file,
        key=key,
        help=f"{_WHAT} {takes}",
    )
