"""A download button."""

from __future__ import annotations

from collections.abc import Callable
from mimetypes import guess_type
from typing import Any

import streamlit as st


def download(label: str, content: Any | Callable[[], Any], name: str, **options: Any) -> None:
    """A button for a file, made on demand if ``content`` is a function."""
    usual = {"icon": ":material/download:", "mime": guess_type(name)[0], "on_click": "ignore"}
    st.download_button(label, content, name, **usual | options)
