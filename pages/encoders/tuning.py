"""MetaSLP's last step, live: the encoder's top layers learn the support set on the table."""

from __future__ import annotations

import streamlit as st

from pages.session.jobs import Job, job_pool
from pages.session.workspace import Workspace, failure
from pages.widgets.chart import chart, theme
from slp_core.evaluation.meta_testing import MetaTest, meta_test
from slp_core.figures.tuning import tuning_figure, tuning_table
from slp_core.markdown import named

SHOWN = 200  # changed answers in the table


def tune_here(workspace: Workspace) -> None:
    """A button, progress with cancel, and what tuning has changed."""
    encoder, title = workspace.encoder_name, workspace.encoder.info.title
    st.markdown(
        f"**Tune {named(title)} on this support set.** MetaSLP's last step: on each line a copy "
        "of the encoder's top three layers, and the two heads, take ten steps of gradient descent "
        "on the support set's own texts."
    )
    key = ("meta-test", encoder, workspace.dataset.digest, workspace.shots, workspace.draw)
    job = job_pool().get(key)
    if job is None or (not job.running and not job.ready):
        if job is not None and not job.stopped:
            st.error(failure(job), icon=":material/error:")
        st.button(
            "Tune it",
            type="primary",
            icon=":material/model_training:",
            on_click=_start,
            args=(key, workspace, encoder),
        )
        return
    if job.running:
        st.fragment(_watch, run_every=0.5)(job)
        return
    _outcome(workspace, job.result)


def _start(key: tuple[object, ...], workspace: Workspace, encoder: str) -> None:
    episode = workspace.episode

    def work(job: Job) -> MetaTest:
        return meta_test(episode, encoder, progress=job.report, cancelled=job.cancelled)

    job_pool().start(key, f"Tuning {encoder}", work)


def _watch(job: Job) -> None:
    if not job.running:
        st.rerun()
    progress = job.progress
    done = f"step {progress.done} of {progress.total}" if progress else "reading the texts"
    st.progress(job.share, text=f"Tuning: {done}")
    st.button("Cancel", icon=":material/close:", on_click=job.cancel, key="cancel tuning")


def _outcome(workspace: Workspace, result: MetaTest) -> None:
    st.markdown(result.sentence())
    left, right = st.columns([5, 7], gap="large")
    with left:
        chart(
            tuning_figure(result, theme()),
            lambda: tuning_table(result),
            "tuning",
            alt="Loss of each line before each step",
        )
    with right:
        changed = result.changed
        if not len(changed):
            return
        names = workspace.dataset.classes
        st.dataframe(
            [
                {
                    "true": names[result.true[i]],
                    "before": names[result.before[i]],
                    "after": names[result.after[i]],
                    "text": workspace.dataset.examples.describe(int(result.query[i])),
                }
                for i in changed[:SHOWN]
            ],
            hide_index=True,
            height=280,
        )
        more = f"; the first {SHOWN} are shown" if len(changed) > SHOWN else ""
        st.caption(f"{len(changed):,} answers that tuning has changed{more}.")
