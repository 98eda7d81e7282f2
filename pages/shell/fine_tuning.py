"""MetaSLP in the sidebar: fine-tuned in the background, while the pages show DeepSLP."""

from __future__ import annotations

from functools import partial

from pages.session import settings
from pages.session.available_encoders import titles_by_name
from pages.session.jobs import Job
from pages.session.methods import ready_to_train, refusal, training
from pages.session.workspace import Workspace
from pages.widgets.job_progress import completed
from slp_core.glossary import term
from slp_core.methods.table import METHODS

META_SLP = METHODS["meta_slp"]
_ENCODER = "metaslp-reptile-minilm-l4"


def is_fine_tuned() -> bool:
    return settings.METHOD.value == META_SLP.title


def choose_encoder() -> None:
    """MetaSLP starts with an encoder meta-trained for it, unless one was chosen."""
    if is_fine_tuned() and not settings.ENCODER.is_set:
        settings.ENCODER.set(titles_by_name()[_ENCODER])


def fine_tuning(workspace: Workspace) -> None:
    """Fine-tune on the support set, with a bar."""
    if not refusal(META_SLP, workspace):
        ready_to_train()
        completed(_job(workspace), patience=0)


def fine_tuned_text(workspace: Workspace) -> str:
    """What the pages show instead, and the accuracy once known; empty for other methods."""
    if not is_fine_tuned():
        return ""
    if reason := refusal(META_SLP, workspace):
        return f"{reason} The pages show DeepSLP."
    text = (
        f"{term('MetaSLP')} fine-tunes the encoder for each line, so it has no single map: the "
        "pages show DeepSLP before fine-tuning."
    )
    if (job := _job(workspace)).ready:
        run, _ = job.result[workspace.draw]
        text += f" {META_SLP.title}, fine-tuned: accuracy **{run.scores.accuracy:.1%}**."
    return text


def _job(workspace: Workspace) -> Job:
    make = partial(META_SLP.make, encoder=workspace.encoder_name)
    return training(f"Fine-tuning {META_SLP.title}", make, workspace, (workspace.draw,))
