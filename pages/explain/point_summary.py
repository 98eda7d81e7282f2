"""The chosen point in a few lines, where the eye is when a row of the errors is clicked."""

from __future__ import annotations

import streamlit as st

from pages.explain.data import Chosen
from pages.explain.parts import ONE_POINT
from pages.widgets.say import say
from slp_core.markdown import quoted

_LONGEST = 110  # letters of the example


def point_summary(chosen: Chosen) -> None:
    """The point, its words and how it was answered; the whole stands under One point."""
    with st.container(border=True, key="in short"), st.container(key="in short text"):
        more = f"[All about it](#{ONE_POINT.anchor})"  # first: what is long goes on below the edge
        st.markdown(f"**{chosen.title}** · {more}  \n{quoted(chosen.words, _LONGEST)}")
        say(chosen.reading.facts())
