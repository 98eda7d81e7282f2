"""What a lesson and a teacher's link change around every page."""

from __future__ import annotations

import streamlit as st

from pages.session import settings
from pages.session.lectures import current_lecture
from pages.session.lessons import PAGE, current_lesson, leave
from pages.shell.navigation import script
from slp_core.markdown import literal


def _of(*keys: str) -> str:
    return ", ".join(f'[class*="st-key-{key}-"], .st-key-{key}' for key in keys)


# What a link can hide: its title, and where it stands
HIDEABLE = {
    "sidebar": (
        "the whole sidebar",
        '[data-testid="stSidebar"], [data-testid="stExpandSidebarButton"]',
    ),
    "pages": ("the list of pages", '[data-testid="stSidebarNav"]'),
    "dataset": ("the dataset", _of("dataset", "dimension")),
    "upload": ("uploading", _of("upload-button", "forget-upload")),
    "encoder": ("the encoder", _of("encoder", "model", "combine", "chunks", "normalisation")),
    "draw": ("shots and support set", _of("shots", "draw", "draw-again")),
    "shots": ("editing the shots", _of("edit-shots", "undo-edits")),
    "method": ("the method and its options", _of("method", "method-options")),
    "picture": ("the choice of projection", _of("picture-controls")),
    "status": ("the status line", ""),  # which is not drawn then
    "downloads": (
        "tables and downloads",
        '[class*="st-key-"][class*="-fold"], [data-testid="stDownloadButton"]',
    ),
}
# What it can ask, and on which page
ASKABLE = {
    "prediction": "Which class does the method predict?",
    "cause": "Why is it misclassified?",
}
ASKED_ON = {"explore": ("prediction",), "explain": ("prediction", "cause")}


def hide() -> None:
    """Hide controls for a teacher's link: they are still there, with their values."""
    settings.QUESTIONS.shows(among=ASKABLE)  # in the URL of every page, as what is hidden
    hidden = settings.HIDDEN.shows(among=HIDEABLE)
    if selectors := ", ".join(filter(None, (HIDEABLE[name][1] for name in hidden))):
        st.html(f"<style>{selectors} {{ display: none !important }}</style>")


def stands_alone(folder: str) -> bool:
    """Whether a lesson, a lecture or a teacher's question fills the window."""
    taught = current_lesson() is not None or current_lecture() is not None
    return bool(questions_on(folder)) or (folder == PAGE and taught)


def way_back(folder: str) -> None:
    """On pages other than Learn: which lesson set the workspace, and buttons back."""
    lesson = current_lesson()
    if lesson is None or folder == PAGE:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="lesson bar"):
        st.page_link(
            script(PAGE),
            label=f"Back to the lesson: {literal(lesson.title)}",
            icon=":material/school:",
        )
        if settings.BEFORE_LESSON.value:
            st.button(
                "Exit lesson",
                icon=":material/undo:",
                type="tertiary",
                on_click=leave,
                help="Restores your data and method.",
            )


def questions_on(folder: str) -> tuple[str, ...]:
    """The questions to guess before a page is shown."""
    return tuple(q for q in ASKED_ON.get(folder, ()) if q in settings.QUESTIONS.value)
