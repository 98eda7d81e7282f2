"""Compare: methods against each other over draws, in pairs and point by point; and the paper."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import pandas as pd
import streamlit as st

import slp_core as slp
from pages.compare.code import code
from pages.compare.contestants import Contestant, contestants
from pages.compare.draws import choose_draws_shown
from pages.compare.pairs import pair
from pages.compare.paper import paper
from pages.compare.parts import COSTS, PARTS, RUNS, SHOTS
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
    unfinished,
)
from pages.compare.texts import files_facts
from pages.session import settings
from pages.session.available_encoders import other_encoders
from pages.session.code import offer_code
from pages.session.files import file_name, origin
from pages.session.methods import ON_TEXTS, VARIANTS
from pages.session.text import job_text
from pages.session.workspace import Workspace
from pages.shell.frame import current_workspace
from pages.widgets.chart import csv_download, show
from pages.widgets.controls import controls
from pages.widgets.encoding import encoded_or_offered
from pages.widgets.job_progress import completed
from pages.widgets.parts import folded, heading, list_parts
from pages.widgets.say import say
from pages.widgets.tables import plain_table
from slp_core.evaluation.comparison import (
    costs_table,
    means_facts,
    on_shared_draws,
    rank,
    runs_table,
    same_draws_facts,
)
from slp_core.evaluation.method_runs import MethodRuns
from slp_core.evaluation.pointwise import class_f1
from slp_core.evaluation.report import latex_table, summarise
from slp_core.facts import said
from slp_core.figures.compare_draws import RunsDisplay
from slp_core.figures.compare_methods import ClassF1Display, ShotsDisplay
from slp_core.markdown import unmarked

HERE, PAPER = "on these data", "beside the paper"
Runs = Mapping[str, MethodRuns]  # by the methods' titles
OPENING = ("constraintSLP", "DeepSLP", "Nearest centroid", "Logistic regression")


def page(workspace: Workspace) -> None:
    """Our own comparison, or the paper's: only the one that is asked for is computed."""
    view = st.segmented_control(
        "Compare",
        required=True,
        label_visibility="collapsed",
        **settings.COMPARE_VIEW.bound(options=[HERE, PAPER], opens="default"),
    )
    if view == PAPER:
        paper(workspace)
    else:
        _here(workspace)


def _here(workspace: Workspace) -> None:
    headline = st.container()
    with controls():
        contest, trained = _choose(workspace)
    offer_code(lambda: code(workspace, contest), workspace)
    if not contest and not trained:
        headline.subheader("Choose the methods to compare.")
        return
    if not len(workspace.episode.query):
        headline.subheader("There are no query points to compare methods on.")
        return
    shots = workspace.shots
    with st.container():  # a bar or none, what follows stays where it is
        runs = follow_training(trained, shots)
    if contest:
        job = runs_job(contest, [shots])
        if not completed(job, lambda: runs_job(contest, [shots], again=True), patience=0.5):
            say(job_text(job.title, None, None), headline.subheader)
            return
        runs = {each.title: job.result[each.key(shots)] for each in contest} | runs
    if not runs:
        headline.subheader("Training; what comes of it will stand here.")
        return
    every, styles = [*contest, *trained], _styles([*contest, *trained])
    of = [each.workspace for each in every]
    asked = {each.title: len(each.draws(shots)) for each in trained}
    ranking = rank(runs, workspace.dataset.title, shots, asked)
    with headline:
        say(ranking.facts(), st.subheader)
        say(ranking.unfinished_facts(), st.caption)
        list_parts(PARTS)
    heading(RUNS)
    begun = unfinished(trained, runs)
    shared = choose_draws_shown(runs, unfinished=begun)

    def on_chosen(of: Runs) -> dict[str, MethodRuns]:
        return on_shared_draws(of, unfinished(trained, of)) if shared else dict(of)

    shown = on_chosen(runs)
    _each_run(shown, styles, begun, of)
    st.divider()
    st.fragment(pair)(workspace, every, shown, runs)
    st.divider()
    heading(SHOTS)
    left, right = st.columns(2, gap="large")
    with left:
        series = _by_shots(of, contest, trained, styles, on_chosen)
    with right:
        _by_class(of, shown, styles)
    st.fragment(folded)(COSTS, _costs, shown)
    _files(workspace, every, series or [runs], on_chosen)


def _choose(workspace: Workspace) -> tuple[list[Contestant], list[TextContestant]]:
    """Methods and encoders; an encoder that has not seen the data is asked for first."""
    titles = st.multiselect(
        "Methods",
        placeholder="Choose methods",
        wrap=True,
        help="What else can be set of a method is as the sidebar has it, where the sidebar's "
        "method has it too; else it is the default.",
        **settings.COMPARED.bound(list(OPENING), options=list(VARIANTS), opens="default"),
    )
    left, right = st.columns(2, gap="medium")
    training = left.multiselect(
        "Methods that train the encoder",
        placeholder="takes a minute or so each",
        wrap=True,
        help="They read the texts and change the encoder's own layers, anew on each draw. They "
        "are trained in the background, as soon as they are chosen.",
        **settings.TRAINED.bound(options=list(ON_TEXTS), opens="default"),
    )
    others = other_encoders(workspace, settings.COMPARED_ENCODERS)
    chosen = right.multiselect(
        "More encoders",
        placeholder=f"beside {workspace.encoder.info.title}",
        wrap=True,
        help="Every method is run on each: on its vectors, scaled as the sidebar says, or "
        "training its layers.",
        **settings.COMPARED_ENCODERS.bound(options=list(others), opens="default"),
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


def _each_run(
    runs: Runs, styles: Mapping[str, int], begun: Collection[str], of: Sequence[Workspace]
) -> None:
    """The best first, and last those that have only begun."""
    best_first = sorted(runs, key=lambda name: (name in begun, -runs[name].accuracy.mean()))
    display = RunsDisplay({name: runs[name] for name in best_first}, styles)
    show(display, workspace=of)
    say(display.caption_facts(), st.caption)


def _by_shots(
    of: Sequence[Workspace],
    contest: Sequence[Contestant],
    trained: Sequence[TextContestant],
    styles: Mapping[str, int],
    on_chosen: Callable[[Runs], dict[str, MethodRuns]],
) -> list[dict[str, MethodRuns]] | None:
    """Accuracy by shots; returns the runs of every number of shots, once they are there."""
    every = of[0].dataset.shots_available
    st.markdown("**Accuracy by shots**")
    series: list[dict[str, MethodRuns]] = [{} for _ in every]
    if contest:
        job = runs_job(contest, every)
        if not completed(job, lambda: runs_job(contest, every, again=True), patience=0.5):
            return None
        series = [{each.title: job.result[each.key(n)] for each in contest} for n in every]
    if trained:
        training = offer_other_shots(trained, of[0].shots)
        for n, runs in zip(every, series, strict=True):
            runs |= so_far(trained, n, training)
    shown = [on_chosen(runs) for runs in series]
    titles = dict.fromkeys(title for runs in shown for title in runs)
    display = ShotsDisplay(
        {title: [runs[title] for runs in shown if title in runs] for title in titles}, styles
    )
    show(display, workspace=of)
    say(display.caption_facts(), st.caption)
    return series


def _by_class(of: Sequence[Workspace], runs: Runs, styles: Mapping[str, int]) -> None:
    classes = of[0].dataset.classes
    st.markdown(f"**F1 of each class at {of[0].shots_said}**")
    f1 = {title: class_f1(run, len(classes)) for title, run in runs.items()}
    show(ClassF1Display(f1, classes, styles), workspace=of)
    say(means_facts(list(runs.values()), "the stroke to either side"), st.caption)


def _costs(runs: Runs) -> None:
    formats = {
        "percent": ["accuracy", "± accuracy"],
        "localized": ["trainable", "stored"],
        "%.4f": ["fit, s", "± fit, s"],
        "%.3f": ["macro-F1", "NLL"],
    }
    plain_table(costs_table(runs), formats, placeholder="–")
    say(means_facts(list(runs.values()), "a figure after ±"), st.caption)
    st.caption(
        "*Trainable*: numbers that fitting chooses, counted from the fitted model's arrays "
        "(constraintSLP solves for its own; the others that have any descend a gradient). "
        "*Stored*: all that is needed to answer, the prototypes or kept points too. What stays as "
        "it was in the encoder is in neither, and a dash is a method that does not say. Both are "
        "of the fit on the first of these draws: another may have other lines. The paper counts "
        "1,500 to 10,000 a line for DeepSLP, 50,000 to 100,000 for LoRA of rank 2, and over 10⁸ "
        "for a fine-tuned BERT. Fit times are of this machine, beside whatever else it does."
    )


def _files(
    workspace: Workspace,
    contest: Sequence[Contestant],
    series: Sequence[Runs],
    on_chosen: Callable[[Runs], dict[str, MethodRuns]],
) -> None:
    """Every run as rows of a results file, and the means as a LaTeX table."""
    dataset = workspace.dataset
    bundled = dataset.name in {info.name for info in slp.list_datasets()}
    task = f"sample/{dataset.name}" if bundled else dataset.name

    across = [each.workspace for each in contest]

    def table(cells: Sequence[Runs]) -> pd.DataFrame:
        rows = [
            (runs[each.title], each) for runs in cells for each in contest if each.title in runs
        ]
        return runs_table(
            ((each.encoder_label, each.file_name, each.seed, run) for run, each in rows), task
        )

    def latex() -> bytes:
        means = [on_chosen(runs) for runs in series]
        runs = [run for cell in means for run in cell.values()]
        of = unmarked(said(same_draws_facts(runs, dataset.title)))
        about = ", ".join(f"{what} {value}" for what, value in origin("data", across).items())
        return latex_table(summarise(table(means)), [f"{of} {about}"]).encode()

    with st.container(horizontal=True):
        csv_download("Every run (CSV)", "runs", lambda: table(series), "data", across, plain=True)
        st.download_button(
            "Table (LaTeX)",
            latex,
            file_name("runs", "tex", "data", across),
            "application/x-tex",
            icon=":material/download:",
            on_click="ignore",
        )
    say(files_facts([run for runs in series for run in runs.values()]), st.caption)


page(current_workspace())
