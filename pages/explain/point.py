"""One point: what it is, who voted for what, and what would have changed the answer."""

from __future__ import annotations

import streamlit as st

from pages.explain.data import Chosen, counterfactuals_of
from pages.session.workspace import Workspace
from pages.widgets.point import point_figure, point_words
from slp_core.explain import Causes
from slp_core.facts import said

MOST_CHANGES = 6  # counterfactuals shown before the fold


def point(workspace: Workspace, causes: Causes, chosen: Chosen) -> None:
    """Take the chosen point's answer apart."""
    left, middle, right = st.columns([8, 10, 7], gap="medium")
    with left:
        title, cause = (
            f"**{chosen.title}**{' – ' if chosen.why else ''}{said(chosen.why)}",
            _cause(workspace, causes, chosen),
        )
        point_words(title, chosen.words, chosen.reading, cause)
    with middle:
        point_figure(chosen.reading, f"{workspace.model_key} {chosen.key}")
    with right:
        _changes(workspace, chosen)


def _changes(workspace: Workspace, chosen: Chosen) -> None:
    st.markdown("**What would change the answer**")
    items = counterfactuals_of(workspace, chosen).items
    lines = [f"{_mark(item.answer, chosen)} {item.text}" for item in items]
    st.markdown("\n\n".join(lines[:MOST_CHANGES]))
    if len(lines) > MOST_CHANGES:
        with st.expander(f"{len(lines) - MOST_CHANGES} more"):
            st.markdown("\n\n".join(lines[MOST_CHANGES:]))


def _cause(workspace: Workspace, causes: Causes, chosen: Chosen) -> str:
    """The cause of this point's error, if it is one of the query points that were counted."""
    query = workspace.episode.query.tolist()
    if chosen.row not in query:
        return ""
    place = query.index(chosen.row)
    kind = str(causes.cause[place])
    if kind:
        return f"Cause: **{kind.replace('_', ' ')}** – {causes.kinds[kind]}."
    return "*Rescued*: another class's centroid is nearer." if causes.rescued[place] else ""


def _mark(answer: int | None, chosen: Chosen) -> str:
    if answer is None or answer == chosen.reading.predicted:
        return ":material/remove:"
    right = answer == chosen.reading.true
    return f":material/{'check' if right else 'swap_horiz'}:"
