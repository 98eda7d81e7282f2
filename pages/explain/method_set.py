"""That another page has changed the method in the sidebar."""

from __future__ import annotations

import streamlit as st

from pages.session import settings
from pages.session.text import method_set_text
from pages.widgets.say import say


def say_method_was_set() -> None:
    """A row that was selected on Compare is explained with the method of that row."""
    before, now, called = settings.METHOD_LEFT.value
    if not now or settings.METHOD.value != called:
        settings.METHOD_LEFT.set(settings.METHOD_LEFT.default)
        return
    say(method_set_text(before, now), st.caption, before=":material/info: ")
