"""A model of the Hugging Face hub is downloaded once: its size, a button, a progress bar."""

from __future__ import annotations

import streamlit as st

from pages.session.jobs import job_pool
from pages.widgets.job_progress import completed
from slp_core.encoders.hub import download, download_megabytes, is_here
from slp_core.sentences import Verbatim


def downloaded(model: str) -> bool:
    """Whether a model is on this computer; if not, offers its download."""
    if is_here(model):
        return True
    job = job_pool().get(("download", model))
    if job is not None:
        return completed(job)
    # Only the hub knows it
    size = job_pool().start(
        ("size", model),
        f"Asking the Hugging Face hub for the size of {Verbatim(model)}",
        lambda job: download_megabytes(model),
    )
    if completed(size):
        st.button(
            f"Download ({size.result:,} MB)",
            key=f"download {model}",
            on_click=_start,
            args=(model,),
            icon=":material/download:",
        )
    return False


def _start(model: str) -> None:
    job_pool().start(
        ("download", model),
        f"Downloading {model}",
        lambda job: download(model, job.report, job.cancelled),
    )
