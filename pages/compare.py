"""Compare: methods against each other over draws, in pairs and point by point; and the paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

import slp_core as slp
from pages.shared.beside import offer_encoding
from pages.shared.chart import chart, theme
from pages.shared.compare_data import (
    VARIANTS,
    Contestant,
    contestants,
    find_runs,
    start_runs,
    watch,
    with_encoder,
)
from pages.shared.compare_pair import pair
from pages.shared.compare_paper import paper
from pages.shared.encoders_at_hand import encoders_at_hand
from pages.shared.frame import current_workspace
from pages.shared.state import Setting
from pages.shared.workspace import Workspace
from slp_core.evaluation.comparison import rank, runs_table
from slp_core.evaluation.latex import latex_table
from slp_core.evaluation.method_runs import MethodRuns
from slp_core.evaluation.pointwise import class_f1
from slp_core.evaluation.report import summarise
from slp_core.figures import compare_more as more
from slp_core.figures.compare_strip import strip_figure, strip_table
from slp_core.figures.theme import ClassStyle

HERE, PAPER = "on these data", "beside the paper"
VIEW = Setting("compare", str, HERE)
COMPARED = Setting("compared", list, [])
ENCODERS = Setting("compared_encoders", list, [])
OPENING = ("constraintSLP", "DeepSLP", "Nearest centroid", "Logistic regression")


def page(workspace: Workspace) -> None:
    """Our own comparison, or the paper's: only the one that is asked for is computed."""
    view = st.segmented_control(
        "Compare",
        [HERE, PAPER],
        default=HERE,
        required=True,
        label_visibility="collapsed",
        **VIEW.bound(),
    )
    if view == PAPER:
        paper(workspace)
    else:
        _here(workspace)


def _here(workspace: Workspace) -> None:
    headline = st.container()
    contest = _choose(workspace)
    if not contest:
        headline.subheader("Choose the methods to compare.")
        return
    if not len(workspace.episode.query):
        headline.subheader("There are no query points to compare methods on.")
        return
    shots = workspace.shots
    job = find_runs(contest, [shots])
    job.wait(0.5)
    if not job.ready:
        headline.subheader(f"{job.title} …")
        watch(job, lambda: start_runs(contest, [shots]))
        return
    runs = {one.title: job.result[one.key(shots)] for one in contest}
    styles = _styles(contest)
    headline.subheader(rank(runs).sentence(workspace.dataset.title, shots))
    _strip(runs, styles)
    st.divider()
    st.fragment(pair)(workspace, contest, runs)
    st.divider()
    left, right = st.columns(2, gap="large")
    with left:
        series = _by_shots(contest, styles)
    with right:
        _by_class(workspace, runs, styles)
    st.divider()
    _cost(runs)
    _files(workspace, contest, series or [runs])


def _choose(workspace: Workspace) -> list[Contestant]:
    """Methods and encoders; an encoder that has not seen the data is asked for first."""
    left, right = st.columns([3, 2], gap="medium")
    titles = left.multiselect(
        "Methods",
        list(VARIANTS),
        default=list(OPENING),
        placeholder="Choose methods",
        wrap=True,
        help="What else can be set of a method is as the sidebar has it, where the sidebar's "
        "method has it too; else it is the default.",
        **COMPARED.bound(),
    )
    others = {
        e.title: e.name
        for e in encoders_at_hand()
        if workspace.dataset.kind in e.kinds and e.name != workspace.encoder_name
    }
    chosen = right.multiselect(
        "More encoders",
        list(others),
        placeholder=f"beside {workspace.encoder.info.title}",
        wrap=True,
        help="Every method is run on the vectors of each, scaled as the sidebar says.",
        **ENCODERS.bound(),
    )
    names = []
    for title in chosen:
        other = with_encoder(workspace, others[title])
        if other.encoded:
            names.append(other.encoder_name)
        else:
            offer_encoding(other, "; the other encoders are compared meanwhile")
    return contestants(workspace, [VARIANTS[title] for title in titles], names)


def _styles(contest: Sequence[Contestant]) -> dict[str, ClassStyle]:
    encoders = list(dict.fromkeys(one.workspace.encoder_name for one in contest))
    return {
        one.title: one.style(encoders.index(one.workspace.encoder_name), theme()) for one in contest
    }


def _strip(runs: Mapping[str, MethodRuns], styles: Mapping[str, ClassStyle]) -> None:
    ranking = rank(runs)
    ordered = {name: runs[name] for name in ranking.names}
    n = ranking.n[0]
    chart(
        strip_figure(ordered, styles, theme()),
        lambda: strip_table(ordered),
        "runs",
        alt=f"Accuracy of {len(runs)} methods on each of {n} draws",
    )
    st.caption(
        f"One mark a draw, {n} a method; faint lines join what the same draw gave each. The "
        "upright is the mean, the band ± one standard deviation (ddof = 0)."
    )


def _by_shots(
    contest: Sequence[Contestant], styles: Mapping[str, ClassStyle]
) -> list[dict[str, MethodRuns]] | None:
    """Accuracy by shots; returns the runs of every number of shots, once they are there."""
    dataset = contest[0].workspace.dataset
    every = dataset.shots_available
    st.markdown("**Accuracy by shots**")
    job = find_runs(contest, every)
    job.wait(0.5)
    if not job.ready:
        watch(job, lambda: start_runs(contest, every))
        return None
    series = [{one.title: job.result[one.key(n)] for one in contest} for n in every]
    by_method = {title: [runs[title] for runs in series] for title in series[0]}
    chart(
        more.shots_figure(by_method, styles, theme()),
        lambda: more.shots_table(by_method),
        "accuracy by shots",
        alt=f"Accuracy of {len(contest)} methods with {', '.join(map(str, every))} shots",
    )
    numbers = sorted({len(found.draws) for runs in series for found in runs.values()})
    draws = f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else str(numbers[0])
    st.caption(f"Mean over {draws} draws; the band is ± one standard deviation (ddof = 0).")
    return series


def _by_class(
    workspace: Workspace, runs: Mapping[str, MethodRuns], styles: Mapping[str, ClassStyle]
) -> None:
    classes = workspace.dataset.classes
    st.markdown(f"**F1 of each class at {workspace.shots} shots**")
    f1 = {title: class_f1(found, len(classes)) for title, found in runs.items()}
    chart(
        more.class_f1_figure(f1, classes, styles, theme()),
        lambda: more.class_f1_table(f1, classes),
        "F1 by class",
        alt=f"F1 of {len(classes)} classes by {len(runs)} methods",
    )
    n = len(next(iter(runs.values())).draws)
    st.caption(f"Mean over {n} draws; the stroke is ± one standard deviation (ddof = 0).")


def _cost(runs: Mapping[str, MethodRuns]) -> None:
    """What each method is judged by, how many numbers it fits, and how long that takes."""
    st.markdown("**Accuracy, parameters and fit time**")
    percent = st.column_config.NumberColumn(format="percent")
    number = st.column_config.NumberColumn(format="localized")
    seconds = st.column_config.NumberColumn(format="%.4f")
    st.dataframe(
        _cost_table(runs),
        hide_index=True,
        height="content",
        column_config={
            "accuracy": percent,
            "± accuracy": percent,
            "trainable": number,
            "stored": number,
            "fit, s": seconds,
            "± fit, s": seconds,
        }
        | dict.fromkeys(["macro-F1", "NLL"], st.column_config.NumberColumn(format="%.3f")),
    )
    st.caption(
        "*Trainable*: numbers that fitting chooses, counted from the fitted model's arrays "
        "(constraintSLP solves for its own; the others that have any descend a gradient). "
        "*Stored*: all that is needed to answer, the prototypes or kept points too. The encoder's "
        "own are in neither: it is frozen. The paper counts 1,500 to 10,000 a line for DeepSLP, "
        "50,000 to 100,000 for LoRA of rank 2, and over 10⁸ for a fine-tuned BERT. Fit times are "
        "of this machine, beside whatever else it does."
    )


def _cost_table(runs: Mapping[str, MethodRuns]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "method": title,
                "draws": len(found.draws),
                "accuracy": found.accuracy.mean(),
                "± accuracy": found.accuracy.std(),
                "macro-F1": sum(s.macro_f1 for s in found.scores) / len(found.scores),
                "NLL": sum(s.nll for s in found.scores) / len(found.scores),
                "trainable": found.parameters.trainable,
                "stored": found.parameters.stored,
                "fit, s": found.fit_seconds.mean(),
                "± fit, s": found.fit_seconds.std(),
                "counted as": found.parameters.counted,
            }
            for title, found in runs.items()
        ]
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
                (one.encoder_label, one.variant.name, _seed(one), runs[one.title])
                for runs in series
                for one in contest
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


def _seed(one: Contestant) -> int:
    options: Mapping[str, Any] = one.workspace.options
    return int(options.get("seed", 0))


page(current_workspace())
