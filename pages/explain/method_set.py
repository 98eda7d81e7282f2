"""That another page has changed the method in the sidebar."""

from __future__ import annotations

import streamlit as st

from pages.session import settings
from pages.session.workspace import Workspace
from pages.widgets.say import say
from slp_core.evaluation.pointwise import method_set_facts


def say_method_was_set(workspace: Workspace) -> None:
    """A row that was ticked on Compare is explained with the method that answered it there."""
    before, now = settings.METHOD_LEFT.value
    if not now or now == before or settings.METHOD.value != now:
        settings.METHOD_LEFT.set(("", ""))
        return
    say(method_set_facts(before, workspace.method.title), st.caption, before=":material/info: ")
