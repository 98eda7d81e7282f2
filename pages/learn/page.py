"""Learn: nine lessons on the app's own views, and links for a class."""

from __future__ import annotations

import streamlit as st

from pages.learn.lesson import show_lesson
from pages.learn.overview import overview
from pages.learn.teachers import for_teachers
from pages.session.lessons import current_lesson, for_the_browser
from pages.session.workspace import Workspace
from pages.shell.frame import current_workspace
from pages.widgets.kept_in_browser import keep_in_browser


def page(workspace: Workspace) -> None:
    """The lesson that the visitor is in, or all of them; then links for a class."""
    lesson = current_lesson()
    if lesson is None:
        overview(workspace)
    else:
        show_lesson(workspace, lesson)
    st.divider()
    st.fragment(for_teachers)()
    keep_in_browser(for_the_browser())


page(current_workspace())
