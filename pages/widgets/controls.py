"""Controls above a picture, which a narrow window folds away so that the picture comes first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st


@contextmanager
def controls() -> Iterator[None]:
    """What is drawn inside stands behind a switch in a narrow window, and as it is in a wide one.

    The server knows no width: the style sheet shows or hides the switch and what it is of.
    """
    with st.container(key="controls"):
        st.toggle("Controls", key="show_controls")
        with st.container(key="controls body"):
            yield
