"""The pages: each a folder with a script, an address and an icon."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

HOME, TEACH = "explore", "teach"  # what the app opens on, and where examples are typed
PAGES = {
    "Learn": ("learn", ":material/school:"),
    "Explore": ("explore", ":material/map:"),
    "Teach": (TEACH, ":material/edit_note:"),
    "Train": ("train", ":material/model_training:"),
    "Explain": ("explain", ":material/help_center:"),
    "Soft labels": ("soft_labels", ":material/tune:"),
    "Ensemble": ("ensemble", ":material/join_inner:"),
    "Compare": ("compare", ":material/compare_arrows:"),
    "Encoders": ("encoders", ":material/swap_horiz:"),
}


def script(folder: str) -> str:
    return str(Path(__file__).parents[1] / folder / "page.py")


def navigation() -> Any:
    return st.navigation(
        [
            st.Page(
                script(folder),
                title=title,
                url_path=folder,
                icon=icon,
                default=folder == HOME,
            )
            for title, (folder, icon) in PAGES.items()
        ]
    )


def app_address() -> str:
    """The app's base URL in the browser on Learn, without page and parameters."""
    parts = urlsplit(st.context.url or "")
    path = parts.path.rstrip("/").removesuffix("/learn")
    return f"{parts.scheme}://{parts.netloc}{path}" if parts.netloc else ""
