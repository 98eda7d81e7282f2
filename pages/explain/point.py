"""One point: what it is, who voted for what, and what would have changed the answer."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.explain.data import Chosen, counterfactuals_of
from pages.session.workspace import Workspace
from pages.widgets.chart import chart, theme
from slp_core.explain import read_point
from slp_core.explain.causes import Causes
from slp_core.figures.style.theme import Theme, class_style
from slp_core.figures.votes import votes_figure, votes_table
from slp_core.markdown import literal

MOST_NEAREST = 4  # centroids named
MOST_CHANGES = 6  # counterfactuals shown before the fold


def point(workspace: Workspace, found: Causes, chosen: Chosen) -> None:
    """Take the chosen point's answer apart."""
    votes, look = chosen.votes, theme()
    left, middle, right = st.columns([8, 10, 7], gap="medium")
    with left:
        reading = read_point(workspace.model, chosen.x, workspace.centroids, chosen.true)
        st.markdown(f"**{chosen.title}**{_why_this(chosen)}")
        with st.container(border=True):
            st.text(chosen.words)
        st.markdown(reading.sentence() + _cause(workspace, found, chosen))
        st.caption(f"{_nearest(chosen, look)}{_runner_up(chosen)}")
    with middle:
        chart(
            _votes_figure(f"{workspace.model_key} {chosen.key} {look.name}", chosen, look),
            lambda: votes_table(votes.soft_labels, votes.distances, votes.classes),
            "votes",
            alt=votes.sentence(),
        )
        unit = " Logits are divided, of any sign; the diamond is their sum." if votes.local else ""
        st.caption(
            f"Line {votes.line + 1}: w = {votes.w:.3f}, t = {votes.t:.3f} of {votes.length:.3f}, "
            f"r = {votes.r:.3f}. Strong: the left prototype's part; pale: the right one's.{unit}"
        )
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


def _why_this(chosen: Chosen) -> str:
    return "" if chosen.asked_for else " – the surest error of this line"


def _cause(workspace: Workspace, found: Causes, chosen: Chosen) -> str:
    """The cause of this point's error, if it is one of the query points that were counted."""
    if chosen.true is None or not chosen.key.startswith("row "):
        return ""
    here = (workspace.episode.query == int(chosen.key.removeprefix("row "))).nonzero()[0]
    if not len(here):
        return ""
    kind = str(found.cause[here[0]])
    if kind:
        return f" Cause: **{kind.replace('_', ' ')}** – {found.kinds[kind]}."
    return " *Rescued*: another class's centroid is nearer." if found.rescued[here[0]] else ""


def _nearest(chosen: Chosen, look: Theme) -> str:
    votes = chosen.votes
    each = [
        f"{class_style(c, look).character} {literal(votes.classes[c])} "
        f"{votes.centroid_distance[c]:.3f}"
        for c in votes.nearest[:MOST_NEAREST]
    ]
    return f"Nearest centroids: {' · '.join(each)}."


def _runner_up(chosen: Chosen) -> str:
    votes = chosen.votes
    if votes.runner_up is None:
        return ""
    return (
        f" It asks line {votes.line + 1}; line {votes.runner_up + 1}, the next, is "
        f"{votes.lead:.3f} further away."
    )


def _mark(answer: int | None, chosen: Chosen) -> str:
    if answer is None or answer == chosen.votes.predicted:
        return ":material/remove:"
    right = chosen.true is not None and answer == chosen.true
    return f":material/{'check' if right else 'swap_horiz'}:"


@st.cache_resource(max_entries=48, show_spinner=False)
def _votes_figure(key: str, _chosen: Chosen, _theme: Theme) -> Any:
    votes = _chosen.votes
    return votes_figure(
        votes.soft_labels, votes.distances, votes.classes, true=_chosen.true, theme=_theme
    )
