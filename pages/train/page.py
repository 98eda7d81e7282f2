"""Train: DeepSLP learning while you watch, and what else there is to learn from it."""

from __future__ import annotations

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.session import settings
from pages.session.code import offer_code
from pages.session.jobs import Job, failure, job_pool
from pages.session.training_text import (
    ended_facts,
    headline_facts,
    other_settings_facts,
    progress_facts,
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
from pages.widgets.chart import show, theme
from pages.widgets.controls import controls
from pages.widgets.job_progress import completed
from pages.widgets.say import say
from pages.widgets.training import (
    DEEP_SLP,
    PACES,
    Training,
    picture_of,
    pictures_of,
    run_of,
    seen_runs,
    stage_of,
)
from slp_core.evaluation.draws import Spread, accuracy_over_draws_and_seeds
from slp_core.facts import Facts, said
from slp_core.figures.draws import DrawsDisplay
from slp_core.figures.live import live_svg
from slp_core.figures.scrubber import RunDisplay
from slp_core.figures.training import RunsDisplay
from slp_core.markdown import unmarked
from slp_core.methods.base import LineClassifier
from slp_core.methods.training import TrainingRun

SEEDS = (0, 1, 2)


def page(workspace: Workspace) -> None:
    """The run and its controls; what can be taken away; draws and seeds."""
    above = st.container(key="run headline")
    left, right = st.columns([5, 16], gap="large")
    right = right.container(key="run")
    with left, controls():
        options = run_options(workspace)
        pace = PACES[st.selectbox("Pace", **settings.PACE.bound(options=list(PACES)))]
    training = Training(workspace, options)
    offer_code(lambda: code(training), training.trained)
    if settings.FIRST_RUN.value:
        settings.FIRST_RUN.set(False)
        if training.run is None:
            training.start(pace)
    if training.run is not None:
        training.run.pace = pace
        training.seen()
    under_way = training.under_way
    with left:
        _start_or_reset(training, pace)
    headline = above.empty()  # only now, when what it says comes next: else it would blink
    with right:
        st.fragment(_watch, run_every=0.3 if under_way else None)(training, under_way, headline)
    with st.container():  # with it or without, what follows stays where it is
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


def _start_or_reset(training: Training, pace: float) -> None:
    """Outside of fragments: a click runs the whole page, which then looks again and again."""
    run = training.run
    if run is None or run.state == "failed":
        st.button(
            "Start",
            type="primary",
            icon=":material/play_arrow:",
            on_click=training.start,
            args=(pace,),
            width="stretch",
        )
    else:
        st.button("Reset", icon=":material/restart_alt:", on_click=training.reset, width="stretch")


def _headline_facts(training: Training) -> Facts:
    run, episode = training.run, training.workspace.episode
    begun = run is not None and run.frames
    references = stage_of(training, run).references if run is not None and begun else None
    return headline_facts(run, len(episode.support), len(episode.query), references)


def _watch(training: Training, was_under_way: bool, headline: DeltaGenerator) -> None:
    """The headline and the picture, of one epoch; a fragment that looks while the run goes on."""
    if was_under_way != training.under_way:
        st.rerun()  # the whole page: it looks again as long as there is something to see
    say(_headline_facts(training), headline.subheader)
    run, job = training.run, training.job
    if run is None:
        st.info("Press Start to train with these settings.", icon=":material/play_arrow:")
        return
    if run.ended:
        _scrubber(training, run)
        return
    if not run.under_way:
        if job is not None:
            st.warning(failure(job), icon=":material/info:")
        return
    _live_controls(training, run)
    share = run.epoch / run.epochs if run.epochs else 0.0
    st.progress(share, text=said(progress_facts(run, job.place if job else None)))
    if frames := run.frames:
        picture = picture_of(training, run, frames[-1])
        stage, curves = stage_of(training, run), run.curves
        alt = unmarked(said(_headline_facts(training)))
        st.image(live_svg(stage, curves, picture, theme()), width="stretch", alt=alt)
        if left_out := RunDisplay(stage, curves, [picture]).drawn_facts():
            say(left_out, st.caption)


def _live_controls(training: Training, run: TrainingRun) -> None:
    how = {"Pause": ("pause", TrainingRun.pause)}
    if run.state == "paused":
        how = {"Go on": ("play_arrow", TrainingRun.resume)}
    how |= {"Step": ("skip_next", TrainingRun.step), "Stop": ("stop", TrainingRun.stop)}
    with st.container(horizontal=True):
        for label, (icon, change) in how.items():
            st.button(label, icon=f":material/{icon}:", on_click=training.go_on, args=(change,))


def _scrubber(training: Training, run: TrainingRun) -> None:
    """All epochs at once: slider and play button work in the browser alone."""
    pictures = pictures_of(training, run)
    epochs = [picture.epoch for picture in pictures]
    shown = len(epochs) - 1
    if len(epochs) > 1:
        wanted = st.select_slider(
            "Open at epoch (kept in the address)",
            format_func=lambda e: str(e) if e else settings.LAST_EPOCH,
            help="The slider under the picture moves it at once, in the browser; this one says "
            "where a link to this page opens.",
            **settings.EPOCH.bound(options=[*epochs[:-1], 0]),
        )
        shown = epochs.index(wanted) if wanted in epochs else shown
    display = RunDisplay(
        stage_of(training, run),
        run.curves,
        pictures,
        shown,
        _headline_facts(training),
        key=f"{training.key} {run.epoch} {shown}",
    )
    show(display, workspace=training.trained)
    say((*ended_facts(run), *display.drawn_facts()), st.caption)
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
    others = {
        f"{title} ({number})": key
        for number, (key, title) in enumerate(seen_runs().items(), 1)
        if key != training.key and (other := run_of(key)) is not None and other.ended
    }
    if not others:
        st.caption("Train with other settings as well to set the two runs beside each other.")
        return
    title = st.selectbox("Beside an earlier run", ["none", *others], key="beside run")
    if title == "none":
        return
    other = run_of(others[title])
    if other is None:
        return
    display = RunsDisplay({"this run": run.curves, title: other.curves}, same_points=False)
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
