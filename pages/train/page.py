"""Train: DeepSLP learning while you watch, or constraintSLP's linear programme being solved."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from pages.session import settings
from pages.session.code import offer_code, offer_report
from pages.session.jobs import Job, job_pool
from pages.session.methods import trained_on_less
from pages.session.workspace import Workspace
from pages.shell.frame import current_workspace
from pages.shell.navigation import script
from pages.train.downloads import code, model_downloads, run_downloads, saved_model
from pages.train.programme import show_programme
from pages.widgets.accuracy import say_as_drawn
from pages.widgets.chart import show
from pages.widgets.job_progress import offered
from pages.widgets.parts import alone, folded
from pages.widgets.pickers import option_widget
from pages.widgets.shots import selected_shot
from pages.widgets.training import (
    CUSTOM,
    DEEP_SLP,
    finished_run,
    reported_run,
    run_headline,
    run_title,
    seed_used,
    show_run,
    stage_of,
)
from slp_core.evaluation.draws import accuracy_over_draws
from slp_core.figures.compare_draws import DrawsDisplay
from slp_core.figures.training import (
    RunsDisplay,
    drawn_text,
    spread_offer_text,
    took_text,
)
from slp_core.glossary import term
from slp_core.methods.base import LineClassifier
from slp_core.methods.options import LINES, PRESET
from slp_core.methods.table import METHODS
from slp_core.methods.training import TrainingRun

SIDEBAR, PAPER = "as in the sidebar", "as in the paper"
SEEDS = (0, 1, 2)
MOST_SEEN = 24  # runs that can be compared with another


def page(workspace: Workspace) -> None:
    if workspace.method is METHODS["constraint_slp"]:
        show_programme(workspace)
        if isinstance(workspace.model, LineClassifier):
            alone(folded, "Training log", "training_log", _solved, workspace)
    else:
        _trained(workspace)
    alone(folded, "Load a saved model", "saved_model", saved_model, workspace)
    st.page_link(
        script("learn"),
        label="Lesson: what is learnt, in three small experiments",
        icon=":material/school:",
        query_params={settings.LESSON.key: "deep_slp", settings.LESSON_STEP.key: "2"},
    )


def _trained(workspace: Workspace) -> None:
    row = st.container(horizontal=True)
    above = row.container()
    with row.popover("View", icon=":material/tune:"):
        options = _run_options(workspace)
    trained = replace(workspace, method=DEEP_SLP, options=options)
    offer_code(lambda: code(trained), trained)
    with st.container(key="run"):
        run = finished_run(trained)
        if run is None:
            return
        above.subheader(run_headline(trained, run))
        models: list[Any] = [DEEP_SLP.make(**each.options) for each in (trained, workspace)]
        if models[0].get_params() != models[1].get_params():
            above.caption("The line on top is of DeepSLP with other hyperparameters.")
        about = trained, stage_of(trained, run), run, "Training", run_headline(trained, run)
        offer_report(trained.model_key, lambda: [reported_run(*about)])
        show_run(trained, run, shots=True)
        st.caption(
            f"Large: {term('centroid', 'centroids')}; outlined: support examples (click one); "
            "small: query examples. Axes: PCA of centroids. Bars: mean "
            f"{term('soft label', 'soft labels')} over the support set; 1A is prototype A of "
            f"line 1. {drawn_text(stage_of(trained, run))}"
        )
        selected_shot(trained)
        if less := trained_on_less(DEEP_SLP, options, len(workspace.dataset.classes)):
            st.caption(f":material/info: {less}")
    seen = settings.SEEN_RUNS.value | {trained.model_key: (run_title(trained), run.curves)}
    settings.SEEN_RUNS.set(dict(list(seen.items())[-MOST_SEEN:]))
    alone(folded, "Training log", "training_log", _log, trained, run)
    alone(folded, "Compare runs", "compare_runs", _compared, trained, run)
    alone(folded, "Variation across support sets", "draws_and_seeds", _spread, trained)


def _log(trained: Workspace, run: TrainingRun) -> None:
    st.caption(took_text(run))
    run_downloads(trained, run)


def _solved(workspace: Workspace) -> None:
    assert isinstance(workspace.model, LineClassifier)
    with st.container(horizontal=True):
        model_downloads(workspace, workspace.model, "without epochs")


def _compared(trained: Workspace, run: TrainingRun) -> None:
    others = {
        f"{title} ({number})": curves
        for number, (key, (title, curves)) in enumerate(settings.SEEN_RUNS.value.items(), 1)
        if key != trained.model_key
    }
    if not others:
        st.caption("Train with other settings as well to compare the two runs.")
        return
    title = st.selectbox("Compare with", ["none", *others], key="beside run")
    if title == "none":
        return
    display = RunsDisplay({"this run": run.curves, title: others[title]}, same_examples=False)
    show(display)
    st.caption(display.sentence())


def _spread(trained: Workspace) -> None:
    dataset, X, options = trained.dataset, trained.vectors, trained.options
    shots, draws = trained.shots, trained.draws
    seeds = SEEDS if seed_used(trained) else SEEDS[:1]

    def make(seed: int) -> Any:
        return DEEP_SLP.make(**{**options, "random_state": seed})

    def work(job: Job) -> pd.Series:
        return accuracy_over_draws(make, dataset, X, shots, draws, job.cancelled, seeds)

    size = spread_offer_text(len(draws), len(seeds))
    job = job_pool().job(("seeds", trained.model_key), f"Training on {size}", work)
    spread = offered(job, f"Train on {size}", icon=":material/casino:")
    if spread is None:
        return
    display = DrawsDisplay(spread, DEEP_SLP.title, 1 / len(dataset.classes))
    show(display, "draws and seeds", workspace=trained)
    st.caption(display.sentence())
    say_as_drawn(trained)


def _run_options(workspace: Workspace) -> dict[str, Any]:
    """Widgets for a run of DeepSLP; returns the classifier's parameters."""
    in_sidebar = settings.METHOD.value in (DEEP_SLP.title, METHODS["meta_slp"].title)
    choices = [*([SIDEBAR] if in_sidebar else []), *PRESET.choices, CUSTOM]
    bound = settings.RUN_PRESET.bound(SIDEBAR if in_sidebar else PAPER, options=choices)
    chosen = st.selectbox("Hyperparameters", help=PRESET.help, **bound)
    options = dict(workspace.options) if in_sidebar else {}
    if chosen in PRESET.choices:
        options[PRESET.parameter] = PRESET.choices[chosen]
    elif chosen == CUSTOM and not settings.METHOD.is_set:
        options[PRESET.parameter] = "prototype"
    if not in_sidebar:
        n_classes = len(workspace.dataset.classes)
        options |= {
            option.parameter: option_widget(option, "run_", option.opening(n_classes))
            for option in DEEP_SLP.more
            if option not in LINES
        }
    training = DEEP_SLP.training if chosen == CUSTOM else ()
    return options | {option.parameter: option_widget(option, "run_") for option in training}


page(current_workspace())
