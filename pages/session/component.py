"""Components that are written for this app."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st


def component(module: str, name: str) -> Any:
    """The component that files NAME.html, NAME.css and NAME.js beside a module make."""
    files = (Path(module).with_name(f"{name}.{kind}") for kind in ("html", "css", "js"))
    parts: dict[str, Any] = {
        file.suffix[1:]: file.read_text(encoding="utf-8") for file in files if file.is_file()
    }
    return st.components.v2.component(name, **parts)
