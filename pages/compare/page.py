"""Compare: methods against each other over draws, in pairs and point by point; and the paper."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import pandas as pd
import streamlit as st

import slp_core as slp
from pages.compare.contestants import VARIANTS, Contestant, contestants, with_encoder
from pages.compare.cost import cost
from pages.compare.pairs import pair
from pages.compare.paper import paper
from pages.compare.runs import find_runs, start_runs, watch
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
from pages.explore.beside import offer_encoding
from pages.session import settings
from pages.session.available_encoders import available_encoders
from pages.session.text_methods import TEXT_METHODS
from pages.session.workspace import Workspace
from pages.shell.frame import current_workspace
from pages.widgets.chart import chart, theme
from slp_core.evaluation.comparison import rank, runs_table
from slp_core.evaluation.latex import latex_table
from slp_core.evaluation.method_runs import MethodRuns
from slp_core.evaluation.pointwise import class_f1
from slp_core.evaluation.report import summarise
from slp_core.figures import compare_methods as more
from slp_core.figures.compare_draws import strip_figure, strip_table
from slp_core.figures.style.theme import ClassStyle

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
        job = find_runs(contest, [shots])
        job.wait(0.5)
        if not job.ready:
            headline.subheader(f"{job.title} …")
            watch(job, lambda: start_runs(contest, [shots]))
            return
        runs = {one.title: job.result[one.key(shots)] for one in contest} | runs
    if not runs:
        headline.subheader("Training; what comes of it will stand here.")
        return
    styles = _styles([*contest, *trained])
    headline.subheader(rank(runs).sentence(workspace.dataset.title, shots))
    _strip(runs, styles)
    st.divider()
    st.fragment(pair)(workspace, [*contest, *trained], runs)
    st.divider()
    left, right = st.columns(2, gap="large")
    with left:
        series = _by_shots(workspace, contest, trained, styles)
    with right:
        _by_class(workspace, runs, styles)
    st.divider()
    cost(runs)
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
        list(TEXT_METHODS),
        placeholder="takes a minute or so each",
        wrap=True,
        help="They read the texts and change the encoder's own layers, anew on each draw. They "
        "are trained in the background, as soon as they are chosen.",
        **settings.TRAINED.bound(),
    )
    others = {
        e.title: e.name
        for e in available_encoders()
        if workspace.dataset.kind in e.kinds and e.name != workspace.encoder_name
    }
    chosen = right.multiselect(
        "More encoders",
        list(others),
        placeholder=f"beside {workspace.encoder.info.title}",
        wrap=True,
        help="Every method is run on each: on its vectors, scaled as the sidebar says, or "
        "training its layers.",
        **settings.COMPARED_ENCODERS.bound(),
    )
    names = []
    for title in chosen:
        other = with_encoder(workspace, others[title])
        if other.encoded:
            names.append(other.encoder_name)
        else:
            offer_encoding(other, "; the other encoders are compared meanwhile")
    trained = _choose_trained(workspace, training, names) if training else []
    variants, most = [VARIANTS[title] for title in titles], limit(workspace) if trained else None
    return contestants(workspace, variants, names, most_query=most), trained


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


def _styles(contest: Sequence[Contestant]) -> dict[str, ClassStyle]:
    encoders = list(dict.fromkeys(one.workspace.encoder_name for one in contest))
    return {
        one.title: one.style(encoders.index(one.workspace.encoder_name), theme()) for one in contest
    }


def _strip(runs: Mapping[str, MethodRuns], styles: Mapping[str, ClassStyle]) -> None:
    ranking = rank(runs)
    ordered = {name: runs[name] for name in ranking.names}
    n = _to({len(found.draws) for found in runs.values()})
    chart(
        strip_figure(ordered, styles, theme()),
        lambda: strip_table(ordered),
        "runs",
        alt=f"Accuracy of {len(runs)} methods on each of {n} draws",
    )
    shared = "one draw" if ranking.n[0] == 1 else f"{ranking.n[0]} draws"
    over = f", over the {shared} that all have; others are faint"
    st.caption(
        f"One mark a draw, {n} a method; faint lines join what the same draw gave each. The "
        "upright is the mean, the band ± one standard deviation (ddof = 0)"
        f"{over if ranking.partial else ''}."
    )


def _by_shots(
    workspace: Workspace,
    contest: Sequence[Contestant],
    trained: Sequence[TextContestant],
    styles: Mapping[str, ClassStyle],
) -> list[dict[str, MethodRuns]] | None:
    """Accuracy by shots; returns the runs of every number of shots, once they are there."""
    every = workspace.dataset.shots_available
    others = [n for n in every if n != workspace.shots]
    st.markdown("**Accuracy by shots**")
    series: list[dict[str, MethodRuns]] = [{} for _ in every]
    if contest:
        job = find_runs(contest, every)
        job.wait(0.5)
        if not job.ready:
            watch(job, lambda: start_runs(contest, every))
            return None
        series = [{one.title: job.result[one.key(n)] for one in contest} for n in every]
    if trained:
        training = offer_other_shots(trained, others) if others else None
        for n, runs in zip(every, series, strict=True):
            runs |= so_far(trained, n, training)
    titles = dict.fromkeys(title for runs in series for title in runs)
    by_method = {title: [runs[title] for runs in series if title in runs] for title in titles}
    chart(
        more.shots_figure(by_method, styles, theme()),
        lambda: more.shots_table(by_method),
        "accuracy by shots",
        alt=f"Accuracy of {len(by_method)} methods with {', '.join(map(str, every))} shots",
    )
    draws = _to({len(found.draws) for runs in series for found in runs.values()})
    st.caption(f"Mean over {draws} draws; the band is ± one standard deviation (ddof = 0).")
    return series


def _by_class(
    workspace: Workspace, runs: Mapping[str, MethodRuns], styles: Mapping[str, ClassStyle]
) -> None:
    classes = workspace.dataset.classes
    st.markdown(f"**F1 of each class at {workspace.shots_said}**")
    f1 = {title: class_f1(found, len(classes)) for title, found in runs.items()}
    chart(
        more.class_f1_figure(f1, classes, styles, theme()),
        lambda: more.class_f1_table(f1, classes),
        "F1 by class",
        alt=f"F1 of {len(classes)} classes by {len(runs)} methods",
    )
    n = _to({len(found.draws) for found in runs.values()})
    st.caption(f"Mean over {n} draws; the stroke is ± one standard deviation (ddof = 0).")


def _to(numbers: Collection[int]) -> str:
    """One number, or from the least to the greatest."""
    least, most = min(numbers), max(numbers)
    return str(least) if least == most else f"{least} to {most}"


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
                (one.encoder_label, one.file_name, one.seed, runs[one.title])
                for runs in series
                for one in contest
                if one.title in runs
            ),
            f"sample/{dataset.name}" if bundled else dataset.name,
        )

    with st.container(horizontal=True):
        _download("Every run (CSV)", "runs.csv", "text/csv", lambda: table().to_csv(index=False))
        _download(
            "Table (LaTeX)",
            "runs.tex",
            "application/x-tex",
            lambda: latex_table(summarise(table())),
        )
    shots = sorted({found.shots for runs in series for found in runs.values()})
    numbers = ", ".join(map(str, shots))
    st.caption(
        f"{numbers} shot{'' if shots == [1] else 's'}, as the command line's `evaluate` writes "
        "them; the LaTeX table needs the package booktabs."
    )


def _download(title: str, name: str, mime: str, content: Callable[[], str]) -> None:
    def data() -> bytes:
        return content().encode()

    st.download_button(title, data, name, mime, icon=":material/download:", on_click="ignore")


page(current_workspace())
