"""A running job on screen: how far it is, a way to cancel it, what went wrong, a way to retry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.session.jobs import Job, failure
from pages.session.status_text import job_facts
from slp_core.facts import said

EVERY = 0.5  # seconds between two looks: each is a run, which others on the server wait for


def completed(
    job: Job, again: Callable[[], Any] | None = None, note: str = "", patience: float = 0.3
) -> bool:
    """Whether a job's result is there; until it is, the job is shown in its place.

    Parameters
    ----------
    job : Job
    again : callable, optional
        Starts it anew when it was cancelled or has failed.
    note : str
        What to know while it runs, in Markdown.
    patience : float
        Seconds from when it was asked for that the page waits: what is quick needs no bar.
    """
    job.wait(patience)
    if job.ready:
        return True
    running = job.running
    st.fragment(_progress, run_every=EVERY if running else None)(job, again, note, running)
    return False


def _progress(job: Job, again: Callable[[], Any] | None, note: str, running: bool) -> None:
    if job.ready or (running and not job.running):
        st.rerun()  # the whole page, which draws what came of it, and looks no more
    if not job.running:
        st.warning(failure(job), icon=":material/info:")
        label = "Go on" if job.stopped else "Try again"
        if again is not None and st.button(label, type="primary", key=f"again {id(job)}"):
            again()
            st.rerun()  # the whole page, which looks at the new job
        return
    progress = job.progress
    share = None if progress is None else job.share
    left = progress.seconds_left if progress else None
    text = said(job_facts(job.title, share, left, job.place))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if share is None:
            st.markdown(f":material/hourglass_top: {text}")
        else:
            st.progress(min(share, 1.0), text=text)
        st.button("Cancel", icon=":material/close:", on_click=job.cancel, key=f"cancel {id(job)}")
    if note:
        st.caption(note)
