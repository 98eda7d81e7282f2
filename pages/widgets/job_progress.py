"""A running job on screen: its progress, a cancel button, its error, a retry button."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any

import streamlit as st

from pages.session.jobs import Job
from pages.session.text import failure_text, job_text
from pages.session.workspace import Workspace
from slp_core.markdown import literal
from slp_core.sentences import count

_PLACE: ContextVar[Any] = ContextVar("place of the clock")
EVERY = 0.5  # seconds between two looks: each is a run, which others on the server wait for


def completed(job: Job, note: str = "", patience: float = 0.3) -> Any:
    """The result of a job, which is started; None until then, with progress after ``patience``."""
    job = job.started()
    job.wait(patience)
    if job.ready:
        return job.result
    if job.running:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            watch(job, _bar)
            # Outside of what runs by the clock, which holds no widget
            st.button(
                "Cancel", icon=":material/close:", on_click=job.cancel, key=f"cancel {id(job)}"
            )
        if note:
            st.caption(note)
        return None
    if place := _PLACE.get(None):
        place.empty()  # where a look that was under way is still drawn
    st.warning(failure_text(job.title, job.error), icon=":material/info:")
    label = "Go on" if job.stopped else "Try again"
    st.button(label, type="primary", on_click=begin, args=(job,), key=f"again {id(job)}")
    return None


def offered(job: Job, label: str, **options: Any) -> Any:
    """The result of a job that a button starts; None until then."""
    if job.begun:
        return completed(job)
    st.button(label, on_click=begin, args=(job,), **options)
    return None


def begin(job: Job) -> None:
    """A callback: start a job, or say why it cannot be queued."""
    asked = job.start()
    if not asked.begun:
        st.toast(failure_text(asked.title, asked.error), icon=":material/info:")


def encoded_or_offered(workspace: Workspace, note: str = "") -> bool:
    """Whether the vectors are available; until then, draws a button or a progress bar."""
    if workspace.encoded:
        return True
    vectors = offered(
        workspace.encoding,
        f"Encode with {literal(workspace.encoder.info.title)}",
        key=f"encode {workspace.data_key}",
        icon=":material/play_arrow:",
        help=f"{count(len(workspace.dataset), 'example')}, encoded once{note}.",
    )
    return vectors is not None


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
    text = job_text(job.title, progress, job.place)
    if progress is None:
        st.markdown(f":material/hourglass_top: {text}")
    else:
        st.progress(min(progress.share, 1.0), text=text)
