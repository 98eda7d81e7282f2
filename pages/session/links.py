"""What a teacher's link can hide, and what it can ask before results are shown."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

import streamlit as st


@dataclass(frozen=True)
class Hideable:
    title: str
    selectors: tuple[str, ...]


def _of(*keys: str) -> tuple[str, ...]:
    return tuple(f'[class*="st-key-{key}-"], .st-key-{key}' for key in keys)


_SIDEBAR = '[data-testid="stSidebar"]'
HIDEABLE = {
    "sidebar": Hideable(
        "the whole sidebar",
        (_SIDEBAR, '[data-testid="stExpandSidebarButton"]'),
    ),
    "pages": Hideable("the list of pages", ('[data-testid="stSidebarNav"]',)),
    "dataset": Hideable("the dataset", _of("dataset", "dimension")),
    "upload": Hideable("uploading", _of("upload-button", "forget-upload")),
    "encoder": Hideable(
        "the encoder", _of("encoder", "model", "combine", "chunks", "normalisation")
    ),
    "draw": Hideable("shots and support set", _of("shots", "draw", "draw-again")),
    "shots": Hideable("editing the shots", _of("edit-shots", "undo-edits")),
    "method": Hideable("the method and its options", _of("method", "method-options")),
    "picture": Hideable("the choice of projection", _of("picture-controls")),
    "status": Hideable("the status line", ()),  # which is not drawn then
    "downloads": Hideable(
        "tables and downloads",
        ('[class*="st-key-"][class*="-fold"]', '[data-testid="stDownloadButton"]'),
    ),
}
ASKABLE = {
    "prediction": "Which class does the method predict?",
    "cause": "Why is it misclassified?",
}


def app_address() -> str:
    """The app's base URL in the browser on Learn, without page and parameters."""
    parts = urlsplit(st.context.url or "")
    path = parts.path.rstrip("/").removesuffix("/learn")
    return f"{parts.scheme}://{parts.netloc}{path}" if parts.netloc else ""
