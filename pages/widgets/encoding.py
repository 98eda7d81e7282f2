"""An encoder that has not encoded these data yet: encoding is offered, then followed."""

from __future__ import annotations

import streamlit as st

from pages.session.text import encoding_cost_text
from pages.session.workspace import Workspace
from pages.widgets.job_progress import completed
from slp_core.markdown import literal


def encoded_or_offered(workspace: Workspace, note: str = "") -> bool:
    """Whether the vectors are available; until then, draws a button or a progress bar."""
    if workspace.encoded:
        return True
    job = workspace.encoding_job
    if job is not None:
        return completed(job, workspace.start_encoding)
    st.button(
        f"Encode with {literal(workspace.encoder.info.title)}",
        key=f"encode {workspace.data_key}",
        on_click=lambda: _start(workspace),
        icon=":material/play_arrow:",
        help=f"{encoding_cost_text(len(workspace.dataset))}{note}.",
    )
    return False


def _start(workspace: Workspace) -> None:
    workspace.start_encoding()
