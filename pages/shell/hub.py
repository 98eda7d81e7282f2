"""A model of the Hugging Face hub is downloaded once: its size, a button, a progress bar."""

from __future__ import annotations

import streamlit as st

from pages.session.jobs import Job, job_pool
from pages.session.text import download_text, size_text
from pages.widgets.job_progress import completed
from slp_core.encoders.hub import download, download_megabytes, is_here


def downloaded(model: str) -> bool:
    """Whether a model is on this computer; if not, offers its download."""
    if is_here(model):
        return True
    job = job_pool().get(("download", model))
    if job is not None:
        return completed(job, lambda: _start(model))
    size = _ask(model)
    if completed(size, lambda: _ask(model, again=True)):
        st.button(
            download_text(size.result),
            key=f"download {model}",
            on_click=_start,
            args=(model,),
            icon=":material/download:",
        )
    return False


def _ask(model: str, again: bool = False) -> Job:
    """Look up its size, which only the hub knows."""
    return job_pool().start(
        ("size", model), size_text(model), lambda job: download_megabytes(model), again
    )


def _start(model: str) -> None:
    job_pool().start(
        ("download", model),
        f"Downloading {model}",
        lambda job: download(model, job.report, job.cancelled),
    )
