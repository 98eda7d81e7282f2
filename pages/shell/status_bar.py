"""The bar at the top of every page: what is on the table, and how well it does."""

from __future__ import annotations

import streamlit as st

from pages.session.jobs import failure
from pages.session.workspace import Workspace
from pages.widgets.say import say
from slp_core.evaluation.run_facts import job_facts
from slp_core.evaluation.standing import chosen_facts, right_facts, spread_facts
from slp_core.facts import said


def status_bar(workspace: Workspace) -> None:
    """Draw it; the spread over draws is filled in when the background has counted it."""
    counting = not _counted(workspace)
    st.fragment(_bar, run_every=0.3 if counting else None)(workspace, counting)


def _counted(workspace: Workspace) -> bool:
    job = workspace.spread_job
    return job is not None and not job.running


def _bar(workspace: Workspace, counting: bool) -> None:
    if counting and _counted(workspace):
        st.rerun()  # the whole page, once: it stops asking, and draws what was counted
    job = workspace.spread_job
    answers = workspace.answers
    chosen = chosen_facts(
        workspace.dataset.title,
        workspace.encoder.info.title,
        workspace.shots,
        workspace.draw,
        workspace.method.title,
    )
    if job is None or job.running:
        place = None if job is None else job.place
        over = said(job_facts("counting the other draws", None, None, place))
    else:
        over = said(spread_facts(job.result)) if job.ready else failure(job)
    with st.container(border=True, key="status bar"):
        left, right = st.columns([9, 11], vertical_alignment="center")
        say(chosen, left.markdown)
        here = said(right_facts(answers.true, answers.predicted))
        right.markdown(
            f"{here}  ·  {over}",
            text_alignment="right",
            help="Right answers to query points, which nothing was fitted to. SD is the standard "
            "deviation of the accuracy over the draws.",
        )
