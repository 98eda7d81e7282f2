"""Compare: methods against each other over draws, in pairs and point by point; and the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

import slp_core as slp
from pages.compare.contestants import Contestant, contestants
from pages.compare.pairs import pair
from pages.compare.paper import paper
from pages.compare.runs import runs_job
from pages.compare.text_contestants import (
    TextContestant,
    choose_draws,
    follow_training,
    limit,
    offer_other_shots,
    say_settings,
    so_far,
    text_contestants,
)
from pages.session import settings
from pages.session.available_encoders import other_encoders
from pages.session.files import file_name, origin
from pages.session.methods import ON_TEXTS, VARIANTS
from pages.session.workspace import Workspace
from pages.shell.frame import current_workspace
from pages.widgets.chart import csv_download, show
from pages.widgets.encoding import encoded_or_offered
from pages.widgets.job_progress import completed
from pages.widgets.tables import plain_table
from slp_core.evaluation.comparison import Ranking, costs_table, number_of_draws, rank, runs_table
from slp_core.evaluation.latex import latex_table
from slp_core.evaluation.method_runs import MethodRuns
from slp_core.evaluation.pointwise import class_f1
from slp_core.evaluation.report import summarise
from slp_core.figures.compare_draws import RunsDisplay
from slp_core.figures.compare_methods import ClassF1Display, ShotsDisplay

HERE, PAPER = "on these data", "beside the paper"
OPENING = ("constraintSLP", "DeepSLP", "Nearest centroid", "Logistic regression")


def page(workspace: Workspace) -> None:
    """Our own comparison, or the paper's: only the one that is asked for is computed."""
    view = st.segmented_control(
        "Compare",
        [HERE, PAPER],
        default=HERE,
        required=True,
        label_visibility="collapsed",
        **settings.COMPARE_VIEW.bound(),
    )
    if view == PAPER:
        paper(workspace)
    else:
        _here(workspace)


def _here(workspace: Workspace) -> None:
    headline = st.container()
    contest, trained = _choose(workspace)
    if not contest and not trained:
        headline.subheader("Choose the methods to compare.")
        return
    if not len(workspace.episode.query):
        headline.subheader("There are no query points to compare methods on.")
        return
    shots = workspace.shots
    runs = follow_training(trained, shots)
    if contest:
        job = runs_job(contest, [shots])
        if not completed(job, lambda: runs_job(contest, [shots], again=True), patience=0.5):
            headline.subheader(f"{job.title} …")
            return
        runs = {each.title: job.result[each.key(shots)] for each in contest} | runs
    if not runs:
        headline.subheader("Training; what comes of it will stand here.")
        return
    styles, ranking = _styles([*contest, *trained]), rank(runs)
    headline.subheader(ranking.sentence(workspace.dataset.title, shots))
    _each_run(runs, ranking, styles)
    st.divider()
    st.fragment(pair)(workspace, [*contest, *trained], runs)
    st.divider()
    left, right = st.columns(2, gap="large")
    with left:
        series = _by_shots(workspace, contest, trained, styles)
    with right:
        _by_class(workspace, runs, styles)
    st.divider()
    _costs(runs)
    _files(workspace, [*contest, *trained], series or [runs])


def _choose(workspace: Workspace) -> tuple[list[Contestant], list[TextContestant]]:
    """Methods and encoders; an encoder that has not seen the data is asked for first."""
    left, middle, right = st.columns([6, 5, 4], gap="medium")
    titles = left.multiselect(
        "Methods",
        list(VARIANTS),
        default=list(OPENING),
        placeholder="Choose methods",
        wrap=True,
        help="What else can be set of a method is as the sidebar has it, where the sidebar's "
        "method has it too; else it is the default.",
        **settings.COMPARED.bound(),
    )
    training = middle.multiselect(
        "Methods that train the encoder",
        list(ON_TEXTS),
        placeholder="takes a minute or so each",
        wrap=True,
        help="They read the texts and change the encoder's own layers, anew on each draw. They "
        "are trained in the background, as soon as they are chosen.",
        **settings.TRAINED.bound(),
    )
    others = other_encoders(workspace)
    chosen = right.multiselect(
        "More encoders",
        list(others),
        placeholder=f"beside {workspace.encoder.info.title}",
        wrap=True,
        help="Every method is run on each: on its vectors, scaled as the sidebar says, or "
        "training its layers.",
        **settings.COMPARED_ENCODERS.bound(),
    )
    names = [
        others[title]
        for title in chosen
        if encoded_or_offered(
            workspace.through(others[title]), "; the other encoders are compared meanwhile"
        )
    ]
    trained = _choose_trained(workspace, training, names) if training else []
    methods, most = [VARIANTS[title] for title in titles], limit(workspace) if trained else None
    return contestants(workspace, methods, names, most_query=most), trained


def _choose_trained(
    workspace: Workspace, titles: Sequence[str], encoders: Sequence[str]
) -> list[TextContestant]:
    """With the draws that they are run on, and what they are made to do."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        draws = choose_draws(workspace)
        with st.container():
            trained, refusals = text_contestants(
                workspace, titles, encoders, draws, limit(workspace)
            )
            for refusal in refusals:
                st.caption(f":material/info: {refusal}")
            if trained:
                say_settings(trained)
    return trained


def _styles(contest: Sequence[Contestant]) -> dict[str, int]:
    encoders = list(dict.fromkeys(each.workspace.encoder_name for each in contest))
    return {each.title: each.style(encoders.index(each.workspace.encoder_name)) for each in contest}


def _each_run(runs: Mapping[str, MethodRuns], ranking: Ranking, styles: Mapping[str, int]) -> None:
    show(RunsDisplay({name: runs[name] for name in ranking.names}, styles))
    shared = "one draw" if ranking.n[0] == 1 else f"{ranking.n[0]} draws"
    over = f", over the {shared} that all have; others are faint"
    st.caption(
        f"One mark a draw, {number_of_draws(runs.values())} a method; faint lines join what the "
        "same draw gave each. The upright is the mean, the band ± one standard deviation (ddof = 0)"
        f"{over if ranking.partial else ''}."
    )


def _by_shots(
    workspace: Workspace,
    contest: Sequence[Contestant],
    trained: Sequence[TextContestant],
    styles: Mapping[str, int],
) -> list[dict[str, MethodRuns]] | None:
    """Accuracy by shots; returns the runs of every number of shots, once they are there."""
    every = workspace.dataset.shots_available
    others = [n for n in every if n != workspace.shots]
    st.markdown("**Accuracy by shots**")
    series: list[dict[str, MethodRuns]] = [{} for _ in every]
    if contest:
        job = runs_job(contest, every)
        if not completed(job, lambda: runs_job(contest, every, again=True), patience=0.5):
            return None
        series = [{each.title: job.result[each.key(n)] for each in contest} for n in every]
    if trained:
        training = offer_other_shots(trained, others) if others else None
        for n, runs in zip(every, series, strict=True):
            runs |= so_far(trained, n, training)
    titles = dict.fromkeys(title for runs in series for title in runs)
    by_method = {title: [runs[title] for runs in series if title in runs] for title in titles}
    show(ShotsDisplay(by_method, styles))
    draws = number_of_draws(run for runs in series for run in runs.values())
    st.caption(f"Mean over {draws} draws; the band is ± one standard deviation (ddof = 0).")
    return series


def _by_class(
    workspace: Workspace, runs: Mapping[str, MethodRuns], styles: Mapping[str, int]
) -> None:
    classes = workspace.dataset.classes
    st.markdown(f"**F1 of each class at {workspace.shots_said}**")
    f1 = {title: class_f1(run, len(classes)) for title, run in runs.items()}
    show(ClassF1Display(f1, classes, styles))
    n = number_of_draws(runs.values())
    st.caption(f"Mean over {n} draws; the stroke is ± one standard deviation (ddof = 0).")


def _costs(runs: Mapping[str, MethodRuns]) -> None:
    st.markdown("**Accuracy, parameters and fit time**")
    formats = {
        "percent": ["accuracy", "± accuracy"],
        "localized": ["trainable", "stored"],
        "%.4f": ["fit, s", "± fit, s"],
        "%.3f": ["macro-F1", "NLL"],
    }
    plain_table(costs_table(runs), formats, placeholder="–")
    st.caption(
        "*Trainable*: numbers that fitting chooses, counted from the fitted model's arrays "
        "(constraintSLP solves for its own; the others that have any descend a gradient). "
        "*Stored*: all that is needed to answer, the prototypes or kept points too. What stays as "
        "it was in the encoder is in neither. The paper counts 1,500 to 10,000 a line for DeepSLP, "
        "50,000 to 100,000 for LoRA of rank 2, and over 10⁸ for a fine-tuned BERT. Fit times are "
        "of this machine, beside whatever else it does. All is of a method's own draws."
    )


def _files(
    workspace: Workspace,
    contest: Sequence[Contestant],
    series: Sequence[Mapping[str, MethodRuns]],
) -> None:
    """Every run as rows of a results file, and the means as a LaTeX table."""
    dataset = workspace.dataset
    bundled = dataset.name in {info.name for info in slp.list_datasets()}

    def table() -> pd.DataFrame:
        return runs_table(
            (
                (each.encoder_label, each.file_name, each.seed, runs[each.title])
                for runs in series
                for each in contest
                if each.title in runs
            ),
            f"sample/{dataset.name}" if bundled else dataset.name,
        )

    with st.container(horizontal=True):
        csv_download("Every run (CSV)", "runs", table, "data", plain=True)
        st.download_button(
            "Table (LaTeX)",
            lambda: _latex(table()),
            file_name("runs", "tex", "data"),
            "application/x-tex",
            icon=":material/download:",
            on_click="ignore",
        )
    shots = sorted({run.shots for runs in series for run in runs.values()})
    numbers = ", ".join(map(str, shots))
    st.caption(
        f"{numbers} shot{'' if shots == [1] else 's'}, as the command line's `evaluate` writes "
        "them; the LaTeX table needs the package booktabs."
    )


def _latex(table: pd.DataFrame) -> bytes:
    """The means, below a line that says what they are of."""
    about = ", ".join(f"{what} {value}" for what, value in origin("data").items())
    return f"% {about}\n{latex_table(summarise(table))}".encode()


page(current_workspace())
