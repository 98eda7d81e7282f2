"""The bar at the top of every page: what is on the table, and how well it does."""

from __future__ import annotations

import streamlit as st

from pages.session.jobs import failure
from pages.session.workspace import Workspace


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
    parts = [
        f"**{workspace.dataset.title}**",
        workspace.encoder.info.title,
        workspace.shots_said,
        f"draw {workspace.draw}",
        f"**{workspace.method.title}**",
    ]
    m = len(answers.true)
    here = f"{answers.accuracy:.1%} of {m:,} query points" if m else "no query points"
    if job is None or job.running:
        over = "counting the other draws …"
    elif job.ready:
        spread = job.result
        n = len(spread.draws)
        over = f"{spread.mean:.1%} ± {100 * spread.std:.1f} over {n} draws"
    else:
        over = failure(job)
    with st.container(border=True):
        left, right = st.columns(2, vertical_alignment="center")
        left.markdown("  ·  ".join(parts))
        right.markdown(f"**{here}** right  ·  {over}", text_alignment="right")
