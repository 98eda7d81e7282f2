"""The line at the top of every page: the current settings and their accuracy."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.session.text import failure_text
from pages.session.workspace import Workspace
from pages.widgets.job_progress import watch
from slp_core.data.remarks import support_set_text
from slp_core.encoders.text import short_title
from slp_core.evaluation.status import accuracy_text, settings_texts, spread_text
from slp_core.glossary import term

PATIENCE = 0.4  # seconds that a page which is drawn waits for the other support sets


def status_bar(workspace: Workspace) -> Any | None:
    """Draw it; returns what to complete once other support sets are evaluated."""
    # What was counted is drawn over what it replaces: a place that is emptied first takes the
    # line's height away, and the page below jumps.
    with st.container(key="status bar"):
        place = None if _counted(workspace) else st.empty()
        with st.container() if place is None else place.container(), st.container():
            _line(workspace)
    return place


def evaluate_support_sets(workspace: Workspace, place: Any) -> None:
    """Evaluate the other support sets in the background, once the page has been sent."""
    job = workspace.spread.started()
    job.wait(PATIENCE)
    # All in a container, as a fragment is: a browser keeps what stood beside what is drawn anew
    with place.container():
        if _counted(workspace):
            with st.container():
                _line(workspace)
        else:
            watch(job, lambda _: _line(workspace))


def _counted(workspace: Workspace) -> bool:
    job = workspace.spread
    return not len(workspace.episode.query) or (job.begun and not job.running)


def _line(workspace: Workspace) -> None:
    job, predictions = workspace.spread, workspace.predictions
    dataset, encoder, rest = settings_texts(
        workspace.dataset.title,
        short_title(workspace.encoder.info.title),
        workspace.shots,
        workspace.method.title,
    )
    text = f"· {rest}\u00a0· {accuracy_text(predictions.true, predictions.predicted)}"
    if len(predictions.true):
        if job.running or not job.begun:
            spread = "computing others …"
        else:
            spread = spread_text(job.result) if job.ready else failure_text(job.title, job.error)
        support_set = support_set_text(workspace.draw, workspace.edits)
        text += f" ({term('support set')} {support_set}; {spread})"
    with st.container(horizontal=True, vertical_alignment="center", gap="xxsmall"):
        st.caption(f"{dataset} ·", width="content")
        # As much of it as there is room for: the sidebar has all of it
        st.caption(encoder, width="content", wrap=False)
        st.caption(text, width="content")
