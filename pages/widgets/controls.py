"""Controls above a picture, which a narrow window folds away so that the picture comes first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st


@contextmanager
def controls() -> Iterator[None]:
    """What is drawn inside stands behind a switch in a narrow window, by the style sheet."""
    with st.container(key="controls"):
        st.toggle("Controls", key="show_controls")
        with st.container(key="controls body"):
            yield
