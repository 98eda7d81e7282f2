"""The bar at the top of every page: what is on the table, and how well it does."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.session.jobs import failure
from pages.session.status_text import job_facts
from pages.session.workspace import Workspace
from pages.widgets.job_progress import watch
from pages.widgets.say import say
from slp_core.evaluation.draws import chosen_facts, right_facts, spread_facts
from slp_core.facts import said

PATIENCE = 0.4  # seconds that a page which is drawn waits for the other draws


def status_bar(workspace: Workspace) -> Any | None:
    """Draw it; where the other draws are still to be counted, the place to say so or what came."""
    with st.container(border=True, key="status bar"):
        left, right = st.columns([9, 11], vertical_alignment="center")
    chosen = chosen_facts(
        workspace.dataset.title,
        workspace.encoder.info.title,
        workspace.shots,
        workspace.draw,
        workspace.method.title,
    )
    say(chosen, left.markdown)
    # What was counted is drawn over what it replaces: a place that is emptied first takes the bar's
    # height away, and the page below jumps.
    place = None if _counted(workspace) else right.empty()
    with (right if place is None else place).container(), st.container():
        _right(workspace)
    return place


def count_draws(workspace: Workspace, place: Any | None) -> None:
    """Count the other draws in the background, once the page is on its way to the browser.

    What is counted soon is filled in at the place that `status_bar` left; what takes longer is
    waited for in it, and drawn with the whole page.
    """
    job = workspace.start_spread()
    if place is None:
        return
    job.wait(PATIENCE)
    # All in a container, as a fragment is: a browser keeps what stood beside what is drawn anew
    with place.container():
        if _counted(workspace):
            with st.container():
                _right(workspace)
        else:
            watch(job, lambda _: _right(workspace))


def _counted(workspace: Workspace) -> bool:
    job = workspace.spread_job
    return job is not None and not job.running


def _right(workspace: Workspace) -> None:
    """How many answers are right, on this draw and on all of them."""
    job = workspace.spread_job
    answers = workspace.answers
    if job is None or job.running:
        place = None if job is None else job.place
        over = said(job_facts("counting the other draws", None, None, place))
    else:
        over = said(spread_facts(job.result)) if job.ready else failure(job)
    here = said(right_facts(answers.true, answers.predicted))
    st.markdown(
        f"{here}  ·  {over}",
        text_alignment="right",
        help="Right answers to query points, which nothing was fitted to. SD is the standard "
        "deviation of the accuracy over the draws.",
    )
