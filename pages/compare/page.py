"""Compare: methods over support sets, in pairs and example by example; and published results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

import slp_core as slp
from pages.compare.pairs import keep_pair, pair
from pages.compare.published import published
from pages.compare.systems import (
    System,
    TextSystem,
    choose_draws,
    code,
    follow_training,
    limit,
    offer_other_shots,
    runs_job,
    so_far,
    text_systems,
    vector_systems,
    write_settings,
)
from pages.session import settings
from pages.session.available_encoders import other_encoders
from pages.session.code import offer_code, offer_report
from pages.session.files import file_name, origin_text
from pages.session.methods import ON_TEXTS, VARIANTS
from pages.session.text import job_text
from pages.session.workspace import Workspace
from pages.shell.frame import current_workspace
from pages.widgets.accuracy import say_as_drawn
from pages.widgets.chart import csv_download, download, show
from pages.widgets.job_progress import completed, encoded_or_offered
from pages.widgets.parts import alone, folded
from pages.widgets.tables import plain_table
from slp_core.evaluation.comparison import (
    Ranking,
    class_f1,
    costs_table,
    on_shared_draws,
    rank,
    runs_table,
)
from slp_core.evaluation.method_runs import MethodRuns
from slp_core.evaluation.paper import summarise
from slp_core.evaluation.report import latex_table
from slp_core.evaluation.text import (
    COSTS_TIP,
    SD_TIP,
    files_text,
    means_text,
    ranking_text,
    unfinished_text,
)
from slp_core.figures.compare_draws import RunsDisplay
from slp_core.figures.compare_methods import ClassF1Display, ShotsDisplay
from slp_core.markdown import literal, unmarked
from slp_core.report.subject import Part

HERE, PUBLISHED = "on these data", "beside the paper"  # as links have them
VIEWS = {HERE: "This dataset", PUBLISHED: "Published results"}
Runs = Mapping[str, MethodRuns]  # by the methods' titles
OPENING = ("constraintSLP", "DeepSLP", "Nearest centroid", "Logistic regression")


def page(workspace: Workspace) -> None:
    above = st.container(horizontal=True)
    headline = above.container()
    with above.container(width="content"):
        view = st.segmented_control(
            "Compare",
            required=True,
            label_visibility="collapsed",
            format_func=VIEWS.__getitem__,
            **settings.COMPARE_VIEW.bound(options=[HERE, PUBLISHED], opens="default"),
        )
    chart, side = st.columns([7, 3], gap="medium")
    if view == PUBLISHED:
        published(workspace, headline, chart, side)
    else:
        _here(workspace, headline, chart, side)


def _here(workspace: Workspace, headline: Any, chart: Any, side: Any) -> None:
    with side:
        systems, trained = _choose(workspace)
    offer_code(lambda: code(workspace, systems), workspace)
    if not systems and not trained:
        headline.subheader("Choose the methods to compare.", anchor=False)
        return
    if not len(workspace.episode.query):
        headline.subheader("There is no query example to compare methods on.", anchor=False)
        return
    shots = workspace.shots
    with side, st.container():  # with or without a progress bar, what follows keeps its place
        runs = follow_training(trained, shots)
    if systems:
        job = runs_job(systems, [shots]).started()
        with chart:
            done = completed(job, patience=0.5)
        if done is None:
            with headline:
                st.subheader(job_text(job.title, None))
            return
        runs = so_far(systems, shots, job) | runs
    ranking = rank(runs, workspace.dataset.title, shots)
    runs = _begun(runs)
    if not runs:
        headline.subheader("Training; results will appear here.", anchor=False)
        return
    every, styles = [*systems, *trained], _styles([*systems, *trained])
    of = [each.workspace for each in every]
    headline.subheader(ranking_text(ranking))
    with side:
        say_as_drawn(workspace)
        if ranking.unfinished:
            st.caption(f"Not finished: {unfinished_text(ranking)}.")
    shown = on_shared_draws(runs)
    with chart:
        display = RunsDisplay(shown, styles)
        show(display, workspace=of)
        st.caption(display.caption(), help=SD_TIP)
    counted = {title: run.draws for title, run in shown.items()}
    offer_report(
        f"{[each.key(shots) for each in every]} {counted}",
        lambda: [_reported(ranking, display, shown)],
    )
    keep_pair([each.title for each in every])  # also while it is folded
    alone(folded, "Pairwise comparison", "points", pair, workspace, every, shown, runs)
    alone(
        folded,
        "By shots and by class, downloads",
        "by_shots",
        _by_shots_and_class,
        of,
        systems,
        trained,
        styles,
        shown,
    )
    alone(folded, "Accuracy, parameters and fit time", "costs", _costs, shown)


def _choose(workspace: Workspace) -> tuple[list[System], list[TextSystem]]:
    """The methods and encoders to compare; what is not encoded yet is offered for encoding."""
    others = other_encoders(workspace, settings.COMPARED_ENCODERS)
    with st.popover("View", icon=":material/tune:", width="stretch"):
        titles = st.multiselect(
            "Methods",
            placeholder="Choose methods",
            wrap=True,
            help="With the sidebar's options where the sidebar's method has them too, else with "
            "the defaults.",
            **settings.COMPARED.bound(list(OPENING), options=list(VARIANTS), opens="default"),
        )
        training = st.multiselect(
            "Fine-tuning methods",
            placeholder="takes a minute or so each",
            wrap=True,
            help="They read the texts and train the encoder's own layers, anew on each support "
            "set. Training starts in the background as soon as they are chosen.",
            **settings.TRAINED.bound(options=list(ON_TEXTS), opens="default"),
        )
        draws = choose_draws(workspace) if training else 0
        chosen = st.multiselect(
            "More encoders",
            placeholder=f"besides {workspace.encoder.info.title}",
            wrap=True,
            help="Every method is run on each of them.",
            **settings.COMPARED_ENCODERS.bound(options=list(others), opens="default"),
        )
    names = [
        others[title]
        for title in chosen
        if encoded_or_offered(
            workspace.through(others[title]), "; the other encoders are compared meanwhile"
        )
    ]
    most = limit(workspace) if training else None
    trained, refusals = text_systems(workspace, training, names, draws, most)
    for refusal in refusals:
        st.caption(f":material/info: {refusal}")
    if trained:
        write_settings(trained)
    methods = [VARIANTS[title] for title in titles]
    return vector_systems(workspace, methods, names, most_query=most if trained else None), trained


def _styles(systems: Sequence[System]) -> dict[str, int]:
    encoders = list(dict.fromkeys(each.workspace.encoder_name for each in systems))
    return {each.title: each.style(encoders.index(each.workspace.encoder_name)) for each in systems}


def _reported(ranking: Ranking, display: RunsDisplay, runs: Runs) -> Part:
    texts = [ranking_text(ranking), means_text(list(runs.values()))]
    tables = {"Accuracy, parameters and fit time": costs_table(runs)}
    return Part("Methods compared", texts, [display], tables)


def _begun(runs: Runs) -> dict[str, MethodRuns]:
    return {title: run for title, run in runs.items() if run.draws}


def _by_shots_and_class(
    of: Sequence[Workspace],
    systems: Sequence[System],
    trained: Sequence[TextSystem],
    styles: Mapping[str, int],
    shown: Runs,
) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        series = _by_shots(of, systems, trained, styles)
    with right:
        classes = of[0].dataset.classes
        st.markdown("**F1 of each class**")
        f1 = {title: class_f1(run, len(classes)) for title, run in shown.items()}
        show(ClassF1Display(f1, classes, styles), workspace=of)
        st.caption(means_text(list(shown.values())), help=SD_TIP)
    _files(of[0], [*systems, *trained], series or [shown])


def _by_shots(
    of: Sequence[Workspace],
    systems: Sequence[System],
    trained: Sequence[TextSystem],
    styles: Mapping[str, int],
) -> list[dict[str, MethodRuns]] | None:
    """Draw accuracy by shots; returns the finished runs of every number of shots."""
    every = of[0].dataset.shots_available
    st.markdown("**Accuracy by shots**")
    job = runs_job(systems, every) if systems else None
    if job and completed(job, patience=0.5) is None:
        return None
    training = offer_other_shots(trained, of[0].shots) if trained else None
    series = [_begun(so_far(systems, n, job) | so_far(trained, n, training)) for n in every]
    shown = [on_shared_draws(runs) for runs in series]
    titles = dict.fromkeys(title for runs in shown for title in runs)
    display = ShotsDisplay(
        {title: [runs[title] for runs in shown if title in runs] for title in titles}, styles
    )
    show(display, workspace=of)
    st.caption(display.caption(), help=SD_TIP)
    return series


def _costs(runs: Runs) -> None:
    formats = {
        "percent": ["accuracy", "± accuracy"],
        "localized": ["trainable", "stored"],
        "%.4f": ["fit, s", "± fit, s"],
        "%.3f": ["macro-F1", "NLL"],
    }
    table = costs_table(runs)
    plain_table(table.drop(columns="counted as"), formats)  # said below
    st.caption(means_text(list(runs.values())), help=f"{SD_TIP}\n\n{COSTS_TIP}")
    counted = table[["method", "counted as"]].dropna().to_numpy().tolist()
    st.caption("  \n".join(f"{literal(name)}: {literal(how)}." for name, how in counted))


def _files(workspace: Workspace, systems: Sequence[System], series: Sequence[Runs]) -> None:
    dataset = workspace.dataset
    bundled = dataset.name in {info.name for info in slp.list_datasets()}
    task = f"sample/{dataset.name}" if bundled else dataset.name
    across = [each.workspace for each in systems]

    def table(cells: Sequence[Runs]) -> pd.DataFrame:
        rows = (
            (each.encoder_label, each.file_name, each.seed, runs[each.title])
            for runs in cells
            for each in systems
            if each.title in runs
        )
        return runs_table(rows, task)

    def latex() -> bytes:
        means = [on_shared_draws(runs) for runs in series]
        of = means_text([run for cell in means for run in cell.values()])
        about = f"{unmarked(of)} {origin_text('data', across)}"
        return latex_table(summarise(table(means)), [about]).encode()

    with st.container(horizontal=True):
        csv_download("Every run (CSV)", "runs", lambda: table(series), "data", across, plain=True)
        download("Table (LaTeX)", latex, file_name("runs", "tex", "data", across))
    st.caption(files_text([run for runs in series for run in runs.values()]))


page(current_workspace())
