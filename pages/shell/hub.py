"""A model of the Hugging Face hub is downloaded once: its size, a button, a progress bar."""

from __future__ import annotations

from pages.session.jobs import LONG, job_pool
from pages.widgets.job_progress import completed, offered
from slp_core.encoders.hub import download, download_megabytes, is_here
from slp_core.sentences import Verbatim


def downloaded(model: str) -> bool:
    """Whether a model is on this computer; if not, offers its download."""
    if is_here(model):
        return True
    job = job_pool().job(
        ("download", model),
        f"Downloading {model}",
        lambda job: download(model, job.report, job.cancelled),
        LONG,
    )
    if job.begun:
        return completed(job) is not None
    # Only the hub knows it
    title = f"Asking the Hugging Face hub for the size of {Verbatim(model)}"
    size = job_pool().job(("size", model), title, lambda job: download_megabytes(model))
    if (megabytes := completed(size)) is not None:
        label, icon = f"Download ({megabytes:,} MB)", ":material/download:"
        offered(job, label, key=f"download {model}", icon=icon)
    return False
