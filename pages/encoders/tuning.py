"""MetaSLP's fine-tuning, live: the encoder's top layers adapt to the support set."""

from __future__ import annotations

import streamlit as st

import slp_core as slp
from pages.encoders.cards import export
from pages.session.available_encoders import public_name
from pages.session.files import file_name
from pages.session.jobs import Job, job_pool
from pages.session.methods import training_refusal
from pages.session.workspace import Workspace
from pages.widgets.chart import show
from pages.widgets.job_progress import completed
from pages.widgets.say import refuse, say
from slp_core.encoders.export import can_be_exported
from slp_core.evaluation.meta_testing import MetaTest, meta_test, zipped_tuned_encoder
from slp_core.evaluation.text import tuning_text
from slp_core.figures.meta_training import TuningDisplay
from slp_core.methods.table import METHODS
from slp_core.sentences import EncoderName

SHOWN = 200  # changed predictions in the table


def tune_here(workspace: Workspace) -> None:
    """A button, progress, and the effect of fine-tuning."""
    name = EncoderName(workspace.encoder.info.title)
    st.markdown(
        f"Fine-tune {name} on this support set, the last step of MetaSLP. For each line, a copy of "
        "the top three layers and the two heads take ten steps of gradient descent."
    )
    if why := training_refusal(workspace):
        refuse(why)
        return
    job = job_pool().get(_key(workspace))
    if job is None:
        icon = ":material/model_training:"
        st.button("Fine-tune", type="primary", icon=icon, on_click=_start, args=(workspace,))
    elif completed(job, lambda: _start(workspace)):
        _outcome(workspace, job.result)


def _key(workspace: Workspace) -> tuple[str | int, ...]:
    digest = workspace.dataset.digest
    return ("meta-test", workspace.encoder_name, digest, workspace.shots, workspace.draw)


def _start(workspace: Workspace) -> None:
    episode, encoder = workspace.episode, workspace.encoder_name

    def work(job: Job) -> MetaTest:
        return meta_test(episode, encoder, progress=job.report, cancelled=job.cancelled)

    job_pool().start(_key(workspace), f"Tuning {workspace.encoder.info.title}", work)


def _outcome(workspace: Workspace, result: MetaTest) -> None:
    say(tuning_text(result))
    left, right = st.columns([5, 7], gap="large")
    display = TuningDisplay(result)
    with left:
        show(display)
        say(display.sentence(), st.caption)
    with right:
        if len(result.changed):
            table = result.changed_table(workspace.dataset, SHOWN)
            st.dataframe(table, hide_index=True, height=280)
            st.caption(f"Changed predictions, {SHOWN} at most.")
    _take_away(workspace, result)


def _take_away(workspace: Workspace, result: MetaTest) -> None:
    """Download the encoder that was fine-tuned on one of the lines."""
    name, episode = workspace.encoder_name, workspace.episode
    if not can_be_exported(slp.load_encoder(name, normalisation="l2")):
        return
    line, tuned_by = 0, workspace.with_method(METHODS["meta_slp"])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if len(result.lines) > 1:
            line = st.selectbox(
                "Line",
                range(len(result.lines)),
                format_func=result.lines.__getitem__,
                width=260,
                help="A copy is fine-tuned for each line.",
            )
        called = f"{public_name(name)}-tuned"
        export(
            "Download the fine-tuned encoder",
            lambda: zipped_tuned_encoder(episode, name, line, called),
            file_name(f"{called}-line-{line}", "zip", "draw", tuned_by),
            "tuned folder",
            takes="It is fine-tuned again, which takes as long as before.",
            instead="Fine-tune it on your own computer.",
        )
