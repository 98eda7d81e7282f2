"""Train: DeepSLP learning while you watch, and what else there is to learn from it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.session import settings
from pages.session.code import offer_code
from pages.session.jobs import Job, job_pool
from pages.session.training_text import (
    other_settings_facts,
    spread_facts,
    spread_offer_facts,
    without_epochs_facts,
)
from pages.session.workspace import Workspace
from pages.shell.frame import current_workspace
from pages.shell.navigation import script
from pages.train.code import code
from pages.train.downloads import model_downloads, run_downloads, saved_model
from pages.train.hyperparameters import run_options
from pages.widgets.chart import show
from pages.widgets.controls import controls
from pages.widgets.job_progress import completed
from pages.widgets.say import say
from pages.widgets.training import DEEP_SLP, Training, run_headline, run_words, show_run
from slp_core.evaluation.draws import Spread, accuracy_over_draws_and_seeds
from slp_core.facts import said
from slp_core.figures.draws import DrawsDisplay
from slp_core.figures.training import RunsDisplay
from slp_core.methods.base import LineClassifier
from slp_core.methods.training import TrainingRun

SEEDS = (0, 1, 2)
MOST_SEEN = 24  # runs that can be set beside another


def page(workspace: Workspace) -> None:
    """The run and its options; what can be taken away; draws and seeds."""
    above = st.container(key="run headline")
    left, right = st.columns([5, 16], gap="large")
    with left, controls():
        options = run_options(workspace)
    training = Training(workspace, options)
    offer_code(lambda: code(training), training.trained)
    with right.container(key="run"):
        run = training.run()
        if run is not None:
            say(run_headline(training, run), above.subheader)
            show_run(training, run, play=True)
            _below(training, run)
    if workspace.method is not DEEP_SLP:
        _solved(workspace)
    st.divider()
    st.fragment(_spread)(training)
    st.divider()
    st.page_link(
        script("learn"),
        label="What is there to learn from this? A lesson, with three small experiments",
        icon=":material/school:",
        query_params={settings.LESSON.key: "deep_slp", settings.LESSON_STEP.key: "2"},
    )
    st.divider()
    st.fragment(saved_model)(workspace)


def _below(training: Training, run: TrainingRun) -> None:
    """What the picture is of; the run as files; other runs."""
    run_words(training, run)
    st.caption(
        "The picture is a slice along the first two principal components of all vectors. Support "
        "points are not drawn; prototypes stand on the centroids at the ends of each line. Dotted "
        "lines: the methods named beside them, on the same support set. Bars: the soft labels at "
        "those ends, in the mean over the support points that ask the line."
    )
    workspace = training.workspace
    if workspace.method is DEEP_SLP and training.options != dict(workspace.options):
        answers = workspace.answers
        say(other_settings_facts(answers.accuracy, len(answers.true)), st.caption)
    run_downloads(training.trained, run)
    _beside(training, run)


def _beside(training: Training, run: TrainingRun) -> None:
    """Another run of this session, over the same epochs."""
    seen = settings.SEEN_RUNS.value
    others = {
        f"{title} ({number})": curves
        for number, (key, (title, curves)) in enumerate(seen.items(), 1)
        if key != training.key
    }
    latest = list((seen | {training.key: (training.title, run.curves)}).items())[-MOST_SEEN:]
    settings.SEEN_RUNS.set(dict(latest))
    if not others:
        st.caption("Train with other settings as well to set the two runs beside each other.")
        return
    title = st.selectbox("Beside an earlier run", ["none", *others], key="beside run")
    if title == "none":
        return
    display = RunsDisplay({"this run": run.curves, title: others[title]}, same_points=False)
    show(display)
    say(display.facts(), st.caption)


def _solved(workspace: Workspace) -> None:
    """The sidebar's method, which has no epochs."""
    answers = workspace.answers
    method = workspace.method.title
    say(without_epochs_facts(method, answers.accuracy, len(answers.true)))
    if isinstance(workspace.model, LineClassifier):
        with st.container(horizontal=True):
            model_downloads(workspace, workspace.model, "without epochs")


def _spread(training: Training) -> None:
    """The same settings on other support sets and from other seeds, on request."""
    job = job_pool().get(_spread_key(training))
    st.markdown("**Luck of draw and seed**" if training.seed_used else "**Luck of the draw**")
    if job is None:
        st.button(
            said(spread_offer_facts(*_spread_size(training))),
            icon=":material/casino:",
            on_click=_start_spread,
            args=(training,),
        )
        return
    if not completed(job, lambda: _start_spread(training)):
        return
    spread: Spread = job.result
    chance = 1 / len(training.workspace.dataset.classes)
    display = DrawsDisplay(spread, DEEP_SLP.title, chance)
    show(display, "draws and seeds", workspace=training.trained)
    say(spread_facts(spread, len(_seeds(training)), training.seed_used), st.caption)


def _seeds(training: Training) -> tuple[int, ...]:
    return SEEDS if training.seed_used else SEEDS[:1]


def _spread_size(training: Training) -> tuple[int, int]:
    return len(training.workspace.draws), len(_seeds(training))


def _spread_key(training: Training) -> tuple[str, str]:
    return "seeds", training.key


def _start_spread(training: Training) -> None:
    workspace, options, seeds = training.workspace, training.options, _seeds(training)
    dataset, X = workspace.dataset, workspace.vectors
    shots, draws = workspace.shots, workspace.draws

    def make(seed: int) -> Any:
        return DEEP_SLP.make(**options | {"random_state": seed})

    def work(job: Job) -> Spread:
        return accuracy_over_draws_and_seeds(make, dataset, X, shots, draws, seeds, job.cancelled)

    title = said(spread_offer_facts(*_spread_size(training), going=True))
    job_pool().start(_spread_key(training), title, work)


page(current_workspace())
