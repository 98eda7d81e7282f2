"""MetaSLP in the sidebar: fine-tuned in the background, while the pages show DeepSLP."""

from __future__ import annotations

import streamlit as st

from pages.session import settings
from pages.session.available_encoders import titles_by_name
from pages.session.jobs import LONG, Job, job_pool
from pages.session.methods import ready_to_train, refusal
from pages.session.workspace import Workspace
from pages.widgets.job_progress import completed
from slp_core.evaluation.method_runs import MOST_QUERY, text_runs
from slp_core.glossary import term
from slp_core.methods.table import METHODS
from slp_core.progress import Progress

META_SLP = METHODS["meta_slp"]
_ENCODER = "metaslp-reptile-minilm-l4"


def is_fine_tuned() -> bool:
    return settings.METHOD.value == META_SLP.title


def choose_encoder() -> None:
    """MetaSLP starts with an encoder meta-trained for it, unless one was chosen."""
    if is_fine_tuned() and not settings.ENCODER.is_set:
        settings.ENCODER.set(titles_by_name()[_ENCODER])


def fine_tuning(workspace: Workspace) -> None:
    """Fine-tune on the support set, with a bar; then the accuracy."""
    if reason := refusal(META_SLP, workspace):
        st.caption(f":material/info: {reason}")
        return
    ready_to_train()
    if (accuracy := completed(_job(workspace), patience=0)) is not None:
        st.caption(f"{META_SLP.title}, fine-tuned: accuracy **{accuracy:.1%}**.")
    st.caption(
        f"{term('MetaSLP')} fine-tunes a copy of the encoder for each line, so it has no single "
        "map: the pages show DeepSLP on the same encoder, before fine-tuning."
    )


def fine_tuned_accuracy(workspace: Workspace) -> str:
    """The accuracy for the line at the top, once known; empty for other methods."""
    ready = is_fine_tuned() and (job := _job(workspace)).ready
    return f" · **{META_SLP.title}** accuracy **{job.result:.1%}**" if ready else ""


def _job(workspace: Workspace) -> Job:
    def work(job: Job) -> float:
        def progress(_: int, share: float) -> None:
            job.report(Progress(round(100 * share), 100))

        runs = text_runs(
            lambda: META_SLP.make(encoder=workspace.encoder_name),
            workspace.dataset,
            workspace.shots,
            [workspace.draw],
            MOST_QUERY,
            progress,
            job.cancelled,
        )
        _, result, _ = next(runs)
        return result.scores.accuracy

    key = ("fine-tune", workspace.data_key, workspace.shots, workspace.draw)
    return job_pool().job(key, "Fine-tuning MetaSLP", work, LONG)
