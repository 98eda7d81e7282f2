"""One point: what it is, who voted for what, and what would have changed the answer."""

from __future__ import annotations

import streamlit as st

from pages.explain.data import Chosen, counterfactuals_of
from pages.session.workspace import Workspace
from pages.widgets.cover import told
from pages.widgets.point import point_figure, point_words
from pages.widgets.say import say
from slp_core.explain import Causes
from slp_core.explain.point import cause_facts
from slp_core.facts import Facts, said

MOST_CHANGES = 6  # counterfactuals shown before the fold


def point(workspace: Workspace, causes: Causes, chosen: Chosen) -> bool:
    """Take the chosen point's answer apart; or say that it is to be guessed first, and so False."""
    if not told(workspace, chosen.title, chosen.words, chosen.row, chosen.reading):
        return False
    left, middle, right = st.columns([8, 10, 7], gap="medium")
    with left:
        title, cause = (
            f"**{chosen.title}**{' – ' if chosen.why else ''}{said(chosen.why)}",
            _cause(workspace, causes, chosen),
        )
        point_words(title, chosen.words, chosen.reading, cause)
    with middle:
        point_figure(chosen.reading, chosen.row, f"{workspace.model_key} {chosen.key}")
    with right:
        _changes(workspace, chosen)
    return True


def _changes(workspace: Workspace, chosen: Chosen) -> None:
    st.markdown("**What would change the answer**")
    items = counterfactuals_of(workspace, chosen).items
    for item in items[:MOST_CHANGES]:
        say([item.fact], before=_mark(item.answer, chosen))
    if len(items) > MOST_CHANGES:
        with st.expander("More"):
            for item in items[MOST_CHANGES:]:
                say([item.fact], before=_mark(item.answer, chosen))


def _cause(workspace: Workspace, causes: Causes, chosen: Chosen) -> Facts:
    """The cause of this point's error, if it is one of the query points that were counted."""
    place = None if chosen.row is None else workspace.episode.place_of(chosen.row)
    return () if place is None else cause_facts(causes, place)


def _mark(answer: int | None, chosen: Chosen) -> str:
    if answer is None or answer == chosen.reading.predicted:
        return ":material/remove: "
    right = answer == chosen.reading.true
    return f":material/{'check' if right else 'swap_horiz'}: "
