"""A bar for a job of the Encoders page."""

from __future__ import annotations

import streamlit as st

from pages.session.jobs import Job

# Streamlit collects garbage after every run of a fragment, and holds up whatever else is computed
# for as long as that takes: often a third of a second once PyTorch is loaded.
EVERY = 1.5  # seconds


def watch(job: Job, can_cancel: bool = False) -> None:
    """Draw it until the job has ended; then the page starts anew."""

    def bar() -> None:
        if not job.running:
            st.rerun()
        st.progress(job.share, text=f"{job.title} …")
        if can_cancel:
            st.button("Cancel", on_click=job.cancel, icon=":material/close:", key=f"no {job.title}")

    st.fragment(bar, run_every=EVERY)()
