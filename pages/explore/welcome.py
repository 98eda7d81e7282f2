"""The first minute: what the picture is, and one thing to do."""

from __future__ import annotations

import streamlit as st

from pages.session import settings
from pages.session.selection import choose_row
from pages.session.workspace import Workspace
from pages.shell.navigation import PAGES, script

LEARN = "Learn"


def welcome(workspace: Workspace, chosen: int) -> None:
    """Greet whoever comes by the bare address, until they have had enough of it."""
    if settings.GREETED.value is None:
        settings.GREETED.set(not st.query_params)
    if not settings.GREETED.value:
        return
    with st.container(border=True, key="welcome"):
        st.markdown(
            "**New here?** Each mark is one example; its colour and shape are its class. The "
            "coloured ground is what the method would answer there. Click any mark to read it, or "
            "begin with one that is answered wrongly."
        )
        with st.container(horizontal=True, vertical_alignment="center", key="first steps"):
            if (row := _another_error(workspace, chosen)) is not None:
                st.button(
                    "Read a wrong answer",
                    icon=":material/ads_click:",
                    on_click=choose_row,
                    args=(row,),
                    help="One after the other, the surest first.",
                )
            if LEARN in PAGES:
                st.page_link(
                    script(PAGES[LEARN][0]), label="Learn it step by step", icon=":material/school:"
                )
            st.button("Close", type="tertiary", on_click=settings.GREETED.set, args=(False,))


def _another_error(workspace: Workspace, chosen: int) -> int | None:
    """The surest error after the one on show, and round again; None where nothing is wrong."""
    episode = workspace.episode
    after = workspace.answers.error_after(episode.place_of(chosen))
    return None if after is None else int(episode.query[after])
