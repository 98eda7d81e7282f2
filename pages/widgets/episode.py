"""One episode of meta-training on two classes of the dataset, step by step."""

from __future__ import annotations

from itertools import combinations

import streamlit as st

from pages.session import settings
from pages.session.jobs import Job, job_pool
from pages.session.workspace import Workspace
from pages.widgets.chart import show
from pages.widgets.job_progress import completed
from slp_core.figures.meta_training import EpisodeDisplay
from slp_core.meta.episode_steps import EpisodeSteps
from slp_core.meta.text import episode_text, outer_step_text, step_text

Pair = tuple[int, int]


def episode(workspace: Workspace) -> None:
    classes = workspace.dataset.classes
    if len(classes) < 2:
        st.caption("An episode needs two classes, and this dataset has one.")
        return
    pairs = {
        f"{classes[a]} / {classes[b]}": (a, b) for a, b in combinations(range(len(classes)), 2)
    }
    chosen = st.selectbox(
        "Two classes",
        help="In meta-training each episode takes two classes of one of many datasets; here, two "
        "of this one.",
        **settings.setting_of("episode", workspace.dataset.name).bound(
            next(iter(pairs)), options=list(pairs)
        ),
    )
    pair = pairs[chosen]
    job = _job(workspace, pair)
    if not settings.EPISODE_WANTED.shows() and not job.begun:
        st.caption(
            "A copy of the encoder learns to tell two classes apart in a few steps. Meta-training "
            "runs many such episodes, and the encoder moves a little in each."
        )
        st.button(
            "Run the steps",
            on_click=settings.EPISODE_WANTED.set,
            args=(True,),
            key="run the steps",
            type="primary",
            icon=":material/play_arrow:",
            help="Trains the top layers of the encoder for some seconds.",
        )
        return
    if (steps := completed(job)) is not None:
        _show(workspace, pair, steps)


def taken_episode(workspace: Workspace) -> EpisodeSteps | None:
    """An episode on these data that has been run, if any."""
    for pair in combinations(range(len(workspace.dataset.classes)), 2):
        if (job := _job(workspace, pair)).ready:
            steps: EpisodeSteps = job.result
            return steps
    return None


def _job(workspace: Workspace, pair: Pair) -> Job:
    dataset, seed = workspace.dataset, workspace.draw

    def work(job: Job) -> EpisodeSteps:
        from slp_core.meta.recording import record_episode

        return record_episode(dataset, pair, seed, job.cancelled)

    key = ("episode", dataset.digest, pair, seed)
    return job_pool().job(key, "Adapting a copy of the encoder", work)


def _show(workspace: Workspace, pair: Pair, steps: EpisodeSteps) -> None:
    left, right = st.columns([13, 9], gap="large")
    with left:
        described = workspace.texts
        texts = [described[row] for row in steps.rows.ravel()]
        key = f"{workspace.dataset.digest} {pair} {workspace.draw}"
        show(EpisodeDisplay(steps, pair, texts, key=key))
        more = (
            " Filled marks give the loss; open ones place the prototypes, drawn large. Arrows show "
            "the step. Horizontal: the direction between the class means at the end; vertical: the "
            "first principal component of the rest."
        )
        st.caption(f"{episode_text(steps)}{more}")
    with right, st.container(key="steps taken"):
        st.markdown(
            "Each step moves examples towards their own class's prototype and away from the "
            "other's. *Other* examples place the prototypes: an example is always close to a mean "
            "that it is part of."
        )
        for step in range(steps.n_steps):
            st.markdown(f"- {step_text(steps, step)}")
        st.markdown(outer_step_text(steps))
