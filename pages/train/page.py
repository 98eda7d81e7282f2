"""Train: DeepSLP learning while you watch, and what else there is to learn from it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.session import settings
from pages.session.jobs import Job, failure, job_pool
from pages.session.workspace import Workspace
from pages.shell.frame import current_workspace
from pages.train.downloads import model_downloads, run_downloads, saved_model
from pages.train.hyperparameters import DEEP_SLP, run_options
from pages.train.run import PACES, Training, lessons, picture_of, pictures_of, run_of, stage_of
from pages.widgets.chart import show, theme
from pages.widgets.job_progress import completed
from slp_core.evaluation.draws import Spread, accuracy_over_draws_and_seeds
from slp_core.figures.draws import DrawsDisplay
from slp_core.figures.scrubber import RunDisplay
from slp_core.figures.training import RunsDisplay
from slp_core.methods.base import LineClassifier
from slp_core.methods.training import TrainingRun

SEEDS = (0, 1, 2)


def page(workspace: Workspace) -> None:
    """The run and its controls; what can be taken away; draws and seeds; lessons."""
    headline = st.container()
    left, right = st.columns([4, 15], gap="large")
    with left:
        options = run_options(workspace)
    training = Training(workspace, options)
    if training.run is None and not settings.STARTED_RUNS.value:
        training.start(PACES["20 epochs a second"])  # a first look shows it alive
    with headline:
        st.fragment(_headline, run_every=0.5 if _under_way(training) else None)(training)
    with right:
        st.fragment(_watch, run_every=0.15 if _under_way(training) else None)(
            training, _under_way(training)
        )
    if workspace.method is not DEEP_SLP:
        _solved(workspace)
    st.divider()
    st.fragment(_spread)(training)
    st.divider()
    st.fragment(_lessons)(training)
    st.divider()
    st.fragment(saved_model)(workspace)


def _under_way(training: Training) -> bool:
    return training.run is not None and not training.run.ended


def _headline(training: Training) -> None:
    st.subheader(_sentence(training))


def _sentence(training: Training) -> str:
    run, episode = training.run, training.workspace.episode
    n = len(episode.support)
    if run is None or not run.epoch:
        return f"DeepSLP has learnt nothing yet from these {n} support points: press Start."
    curves, references = run.curves, stage_of(training, run).references
    if not len(episode.query):
        return f"After {run.epoch} of {run.epochs} epochs the loss is {curves.loss[-1]:.3f}."
    beside = " and ".join(f"{name.lower()} {share:.0%}" for name, share in references.items())
    return (
        f"After {run.epoch} of {run.epochs} epochs on {n} support points DeepSLP answers "
        f"{curves.query[-1]:.0%} of {len(episode.query):,} query points rightly; {beside}."
    )


def _watch(training: Training, was_under_way: bool) -> None:
    """Controls and picture; a fragment that looks again while the run goes on."""
    if was_under_way and not _under_way(training):
        st.rerun()  # the whole page, once: it stops asking, and has the run to take away
    job = training.job
    if job is not None and not job.running and job.error is not None and not job.stopped:
        st.warning(failure(job), icon=":material/info:")
    _controls(training)
    run = training.run
    if run is None:
        st.info("Press Start to train with these settings.", icon=":material/play_arrow:")
        return
    if run.ended:
        _scrubber(training, run)
        return
    left = run.seconds_left
    ends = f", about {left:.0f} s left" if left is not None and run.state == "running" else ""
    share = run.epoch / run.epochs if run.epochs else 0.0
    st.progress(share, text=f"{run.state}: epoch {run.epoch} of {run.epochs or '…'}{ends}")
    if frames := run.frames:
        picture = picture_of(training, run, frames[-1])
        display = RunDisplay(stage_of(training, run), run.curves, [picture])
        st.plotly_chart(
            display.figure(theme()),
            theme=None,
            key="run live",
            config={"displayModeBar": False},
            alt="The run",
        )


def _controls(training: Training) -> None:
    run = training.run
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pace = st.selectbox("Pace", list(PACES), width=200, **settings.PACE.bound())
        if run is None:
            st.button(
                "Start",
                type="primary",
                icon=":material/play_arrow:",
                on_click=training.start,
                args=(PACES[pace],),
            )
            return
        run.pace = PACES[pace]
        if not run.ended:
            if run.state == "paused":
                st.button("Go on", icon=":material/play_arrow:", on_click=run.resume)
            else:
                st.button("Pause", icon=":material/pause:", on_click=run.pause)
            st.button("Step", icon=":material/skip_next:", on_click=run.step)
            st.button("Stop", icon=":material/stop:", on_click=run.stop)
        if st.button("Reset", icon=":material/restart_alt:"):
            training.reset()
            st.rerun()


def _scrubber(training: Training, run: TrainingRun) -> None:
    """All epochs at once: slider and play button work in the browser alone."""
    pictures = pictures_of(training, run)
    epochs = [picture.epoch for picture in pictures]
    shown = len(epochs) - 1
    if len(epochs) > 1:
        wanted = st.select_slider(
            "Open at epoch (kept in the address)",
            [*epochs[:-1], 0],
            value=0,
            format_func=lambda e: str(e) if e else "the last",
            help="The slider under the picture moves it at once, in the browser; this one says "
            "where a link to this page opens.",
            **settings.EPOCH.bound(),
        )
        shown = epochs.index(wanted) if wanted in epochs else shown
    show(
        RunDisplay(
            stage_of(training, run),
            run.curves,
            pictures,
            shown,
            _sentence(training),
            key=f"{training.key} {run.epoch} {shown}",
        )
    )
    st.caption(
        f"The picture is the PCA slice; {run.epoch} epochs took {run.seconds:.2f} s"
        f"{' at this pace' if run.pace else ''}. Dotted: the methods named on the right, on the "
        "same support set."
    )
    run_downloads(training.workspace, run)
    _beside(training, run)


def _beside(training: Training, run: TrainingRun) -> None:
    """Another run of this session, over the same epochs."""
    others = {
        f"{title} ({number})": key
        for number, (key, title) in enumerate(settings.STARTED_RUNS.value.items(), 1)
        if key != training.key and (other := run_of(key)) is not None and other.epoch
    }
    if not others:
        st.caption("Start a second run with other settings to set the two beside each other.")
        return
    title = st.selectbox("Beside an earlier run", ["none", *others], key="beside run")
    if title == "none":
        return
    other = run_of(others[title])
    if other is None:
        return
    show(RunsDisplay({"this run": run.curves, title: other.curves}))
    a, b = run.curves.query[-1], other.curves.query[-1]
    st.caption(f"At the end {a:.1%} against {b:.1%} of the query points, each of its own data.")


def _solved(workspace: Workspace) -> None:
    """The sidebar's method, which has no epochs."""
    answers = workspace.answers
    st.markdown(
        f"**{workspace.method.title}**, the sidebar's method, has no epochs: it is solved at once, "
        f"and answers {answers.accuracy:.1%} of {len(answers.true):,} query points rightly."
    )
    if isinstance(workspace.model, LineClassifier):
        with st.container(horizontal=True):
            model_downloads(workspace, workspace.model, "solved")


def _spread(training: Training) -> None:
    """The same settings on other support sets and from other seeds, on request."""
    draws, options = training.workspace.draws, training.options
    job = job_pool().get(_spread_key(training))
    st.markdown("**Luck of draw and seed**")
    if job is None:
        st.button(
            f"Train on {len(draws)} draws from {len(SEEDS)} seeds",
            icon=":material/casino:",
            on_click=_start_spread,
            args=(training,),
        )
        return
    if not completed(job, lambda: _start_spread(training)):
        return
    spread: Spread = job.result
    chance = 1 / len(training.workspace.dataset.classes)
    show(DrawsDisplay(spread, DEEP_SLP.title, chance), "draws and seeds")
    random = options.get("preset") == "paper" or options.get("init") == "xavier"
    st.caption(
        f"{spread.mean:.1%} ± {100 * spread.std:.1f} over {len(spread.draws)} fits: {len(draws)} "
        f"draws, {len(SEEDS)} seeds."
        + ("" if random else " With these settings no seed is used: its marks lie on each other.")
    )


def _spread_key(training: Training) -> tuple[str, str]:
    return "seeds", training.key


def _start_spread(training: Training) -> None:
    workspace, options = training.workspace, training.options
    dataset, X = workspace.dataset, workspace.vectors
    shots, draws = workspace.shots, workspace.draws

    def make(seed: int) -> Any:
        return DEEP_SLP.make(**options | {"random_state": seed})

    def work(job: Job) -> Spread:
        return accuracy_over_draws_and_seeds(make, dataset, X, shots, draws, SEEDS, job.cancelled)

    title = f"Training on {len(draws)} draws from {len(SEEDS)} seeds"
    job_pool().start(_spread_key(training), title, work)


def _lessons(training: Training) -> None:
    with st.expander("What is there to learn?", on_change="rerun", key="lessons") as fold:
        if not fold.open:
            return
        for lesson in lessons(training):
            st.markdown(f"**{lesson.question}** {lesson.answer}")
            st.dataframe(
                [
                    {"loss or start": name, "query points right": share, lesson.second: second}
                    for name, share, second in lesson.rows
                ],
                hide_index=True,
                column_config={
                    "query points right": st.column_config.NumberColumn(format="percent"),
                    lesson.second: st.column_config.NumberColumn(format="%.3g"),
                },
            )


page(current_workspace())
