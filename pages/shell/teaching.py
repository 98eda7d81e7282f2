"""What a lesson and a teacher's link change around every page."""

from __future__ import annotations

import streamlit as st

from pages.session import settings
from pages.session.lectures import current_lecture
from pages.session.lessons import PAGE, current_lesson, leave
from pages.session.links import ASKABLE, HIDEABLE
from pages.shell.navigation import script
from slp_core.markdown import literal

# What a link can ask on which page
ASKED_ON = {"explore": ("prediction",), "explain": ("prediction", "cause")}


def hide() -> None:
    """Hide controls for a teacher's link: they are still there, with their values."""
    settings.QUESTIONS.shows(among=ASKABLE)  # in the URL of every page, as what is hidden
    hidden = settings.HIDDEN.shows(among=HIDEABLE)
    selectors = [each for name in hidden for each in HIDEABLE[name].selectors]
    if selectors:
        st.html(f"<style>{', '.join(selectors)} {{ display: none !important }}</style>")


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
