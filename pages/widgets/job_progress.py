"""A running job on screen: its progress, a cancel button, its error, a retry button."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any

import streamlit as st

from pages.session.jobs import Job, failure
from pages.session.text import job_text
from pages.session.workspace import Workspace
from slp_core.markdown import literal
from slp_core.sentences import count

_PLACE: ContextVar[Any] = ContextVar("place of the clock")
EVERY = 0.5  # seconds between two looks: each is a run, which others on the server wait for


def completed(job: Job, note: str = "", patience: float = 0.3) -> bool:
    """Whether a job's result is available; after ``patience`` seconds its progress is drawn."""
    job.wait(patience)
    if job.ready:
        return True
    if job.running:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            watch(job, _bar)
            # Outside of what runs by the clock, which holds no widget
            st.button(
                "Cancel", icon=":material/close:", on_click=job.cancel, key=f"cancel {id(job)}"
            )
        if note:
            st.caption(note)
        return False
    st.warning(failure(job), icon=":material/info:")
    label = "Go on" if job.stopped else "Try again"
    st.button(label, type="primary", on_click=job.again, key=f"again {id(job)}")
    return False


def encoded_or_offered(workspace: Workspace, note: str = "") -> bool:
    """Whether the vectors are available; until then, draws a button or a progress bar."""
    if workspace.encoded:
        return True
    job = workspace.encoding_job
    if job is not None:
        return completed(job)

    def start() -> None:
        workspace.start_encoding()

    st.button(
        f"Encode with {literal(workspace.encoder.info.title)}",
        key=f"encode {workspace.data_key}",
        on_click=start,
        icon=":material/play_arrow:",
        help=f"{count(len(workspace.dataset), 'example')}, encoded once{note}.",
    )
    return False


@contextmanager
def place_of_clock() -> Iterator[None]:
    """Reserve the first place of a part in every run for what its timer draws."""
    before = _PLACE.set(st.container())
    try:
        yield
    finally:
        _PLACE.reset(before)


def watch(job: Job, draw: Callable[[Job], Any]) -> None:
    """Redraw something by a timer while a job runs; then the whole page once."""
    place = _PLACE.get(None)
    with nullcontext() if place is None else place:
        st.fragment(_look, run_every=EVERY)(job, draw)


def _look(job: Job, draw: Callable[[Job], Any]) -> None:
    if not job.running:
        st.rerun()
    draw(job)


def _bar(job: Job) -> None:
    progress = job.progress
    share = None if progress is None else job.share
    left = progress.seconds_left if progress else None
    text = job_text(job.title, share, left, job.place)
    if share is None:
        st.markdown(f":material/hourglass_top: {text}")
    else:
        st.progress(min(share, 1.0), text=text)
