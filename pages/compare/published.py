"""Published results beside ours, and a LEOPARD task to run here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from pages.compare.systems import (
    System,
    TextSystem,
    limit,
    runs_job,
    text_systems,
    vector_systems,
)
from pages.session import settings
from pages.session.available_encoders import encoders_for
from pages.session.code import offer_code, offer_report, script
from pages.session.jobs import Job, job_pool
from pages.session.methods import ON_TEXTS, VARIANTS
from pages.session.public import NO_FOLDERS, is_public, limits
from pages.session.reading import read_handed_in
from pages.session.workspace import Workspace, encoder
from pages.widgets.chart import csv_download, show
from pages.widgets.job_progress import completed
from pages.widgets.parts import alone, folded
from pages.widgets.say import read_sent, send
from pages.widgets.tables import NO_VALUE, plain_table
from slp_core.data import FewShotDataset, read_leopard
from slp_core.data.leopard import read_leopard_files
from slp_core.errors import SLPError
from slp_core.evaluation.comparison import on_shared_draws, runs_table
from slp_core.evaluation.method_runs import MOST_QUERY, MethodRuns
from slp_core.evaluation.paper import (
    PAPER_ENCODER,
    PAPER_ENCODER_NAME,
    StoredRuns,
    compare,
    compare_methods,
    encoder_title,
    method_title,
    our_results,
    outcome_counts,
    paper_systems,
    summarise,
    titled,
)
from slp_core.evaluation.protocol import whole_path
from slp_core.evaluation.report import beside_paper, paper_table
from slp_core.evaluation.text import (
    means_text,
    published_means_text,
    published_text,
    settings_text,
    task_text,
)
from slp_core.figures.compare_paper import AgainstPaperDisplay
from slp_core.markdown import literal
from slp_core.methods.table import METHODS
from slp_core.report.subject import Part
from slp_core.sentences import signed

COUNTERPART, EVERY = "its counterpart", "every one"  # as links have them
WORDS = {COUNTERPART: "the same method", EVERY: "all"}
MAIN, MAIN_ENCODER = settings.OUR_METHOD.default, "minilm-l4"
SYSTEMS = ("constraintSLP", "DeepSLP", "MetaSLP-Reptile")
RUN_FIRST = ("constraintSLP", "DeepSLP", "Nearest centroid")


_BODY = """
from slp_core.evaluation.paper import compare, compare_methods, our_results, outcome_counts

stored = our_results().summary
ours = stored[stored["method"].isin({methods}) & stored["encoder"].isin({encoders})]
for row in outcome_counts({comparison}).to_dict("records"):
    name = f"{{row['method']}}, {{row['encoder']}}, against {{row['system']}}"
    numbers[name] = {{key: row[key] for key in ("wins", "losses", "ties", "mean_difference")}}
"""


def code(workspace: Workspace, comparison: pd.DataFrame, against: str, system: str) -> str:
    """Of a comparison with a system of the paper's, or ``against`` another method of ours."""
    methods, encoders = (comparison[what].unique().tolist() for what in ("method", "encoder"))
    how = "compare(ours)"
    if against:
        (other,) = (name for name in METHODS if method_title(name) == against)
        methods, how = [*methods, other], f"compare_methods(ours, {other!r})"
    elif system != COUNTERPART:
        how = f"compare(ours, {system!r})"
    body = _BODY.format(methods=methods, encoders=encoders, comparison=how)
    return script(workspace, "Compare", body)


def published(workspace: Workspace, headline: Any, chart: Any, side: Any) -> None:
    stored = our_results()
    with side:
        summary, comparison, against = _choose(stored.summary)
    text = published_text(comparison, not against)
    headline.subheader(text)
    if not comparison.empty:
        system = settings.AGAINST.value
        offer_code(lambda: code(workspace, comparison, against, system), workspace)
        other = f"{against}, same encoder" if against else f"the paper's ({PAPER_ENCODER_NAME})"
        display = AgainstPaperDisplay(comparison, other)
        methods, encoders = (sorted(comparison[what].unique()) for what in ("method", "encoder"))
        offer_report(
            f"{text} {methods} {encoders} {other}",
            lambda: [Part("Published results", [text], [display])],
        )
        with chart:
            show(display)
            st.caption(
                "One marker per setting: a task and a number of shots, larger for more shots. "
                "Tasks are LEOPARD's: "
                "its *airline* is not the bundled *Airline tweets*."
            )
        alone(folded, "Wins, losses and ties", "outcomes", _outcomes, stored, comparison)
    alone(folded, "All settings", "all_settings", _table, summary)
    alone(folded, "Run a LEOPARD task here", "leopard", leopard, workspace)


def _choose(summary: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame, str]:
    """Our selected rows, their comparison, and the method of ours that they are compared with."""
    names = summary["method"].unique()
    methods = {method_title(name): name for name in METHODS if name in names}
    with st.popover("View", icon=":material/tune:", width="stretch"):
        method = st.selectbox(
            "Our method",
            format_func=_word,
            **settings.OUR_METHOD.bound(
                MAIN if MAIN in methods else EVERY, options=[EVERY, *methods]
            ),
        )
        chosen = summary if method == EVERY else summary[summary["method"] == methods[method]]
        encoders = {encoder_title(name): name for name in sorted(chosen["encoder"].unique())}
        main = encoder_title(MAIN_ENCODER)
        encoder = st.selectbox(
            "Our encoder",
            format_func=_word,
            **settings.OUR_ENCODER.bound(
                main if main in encoders else EVERY, options=[EVERY, *encoders]
            ),
        )
        if encoder != EVERY:
            chosen = chosen[chosen["encoder"] == encoders[encoder]]
        same = st.toggle(
            "Same encoder only",
            help=f"The paper's encoder is {PAPER_ENCODER}. With this, both methods are ours, on "
            "one encoder.",
            **settings.SAME_ENCODER.bound(),
        )
        if same:
            ran = set(summary["method"][summary["encoder"].isin(chosen["encoder"])])
            others = [title for title in methods if title != method and methods[title] in ran]
            bound = settings.OTHER.bound(others[0], options=others)
            other = st.selectbox("compared with", **bound)
            rows = pd.concat([chosen, summary[summary["method"] == methods[other]]])
            return chosen, compare_methods(rows.drop_duplicates(), methods[other]), other
        system = st.selectbox(
            "compared with the paper's",
            format_func=_word,
            **settings.AGAINST.bound(options=[COUNTERPART, *paper_systems()]),
        )
    return chosen, compare(chosen, None if system == COUNTERPART else system), ""


def _word(option: str) -> str:
    return WORDS.get(option, option)


def _outcomes(stored: StoredRuns, comparison: pd.DataFrame) -> None:
    table = titled(outcome_counts(comparison)).sort_values("encoder", kind="stable")
    columns = ["method", "encoder", "wins", "losses", "ties", "mean_difference", "system"]
    plain_table(
        table[columns].style.format({"mean_difference": partial(signed, decimals=1)}),
        columns={
            "encoder": st.column_config.TextColumn("our encoder", width=270),
            "method": st.column_config.TextColumn("our method", width=150),
            "mean_difference": "mean difference (points)",
            "system": st.column_config.TextColumn("compared with", width=150),
        },
    )
    st.caption(published_means_text(comparison))
    st.markdown("Our results were made by these commands:")
    st.code("\n".join(stored.made_by), language="bash", wrap_lines=True, height=200)


def _table(summary: pd.DataFrame) -> None:
    systems = st.multiselect(
        "The paper's systems",
        placeholder="all of them",
        **settings.SYSTEMS.bound(list(SYSTEMS), options=paper_systems(), opens="default"),
    )
    table = paper_table(titled(summary), systems or paper_systems())
    flat = table.reset_index()
    flat.columns = [" · ".join(filter(None, map(str, name))) for name in flat.columns]
    st.dataframe(table, height=420, placeholder=NO_VALUE)
    st.caption(
        "Accuracy (%), mean ± SD; the header names the encoder. Ours as chosen above, with the "
        "number of runs. A dash: not run."
    )
    csv_download("This table (CSV)", "paper-and-ours", lambda: flat, "")


@dataclass(frozen=True, eq=False)
class Requested:
    systems: list[System]
    shots: tuple[int, ...]
    refusals: list[str]

    def job(self) -> Job:
        return runs_job(self.systems, self.shots)


def leopard(workspace: Workspace) -> None:
    path = "" if is_public() else "give its path on the machine that runs this app, or "
    st.markdown(
        "A LEOPARD task folder holds `TASK_eval.json` and `TASK_train_DRAW_SHOTS.json` files: "
        f"{path}upload its files."
    )
    if is_public():
        st.caption(f"{NO_FOLDERS} {limits().sentence()}")
    _ask_for_task()
    dataset = settings.LEOPARD_TASK.value
    if dataset is None:
        return
    st.markdown(f"**{literal(dataset.title)}**: {dataset.size_text()}")
    for warning in dataset.warnings:
        st.caption(f":material/info: {warning}")
    _ask_for_runs(workspace, dataset)
    requested: Requested | None = settings.LEOPARD_RUNS.value
    if requested is None:
        return
    for refusal in requested.refusals:
        st.caption(f":material/info: {refusal}")
    if not requested.systems:
        return
    task = requested.systems[0].workspace
    on_vectors = not all(isinstance(each, TextSystem) for each in requested.systems)
    if on_vectors and not task.encoded and completed(task.encoding) is None:
        return
    if (runs := completed(requested.job())) is not None:
        _results(dataset, requested, runs)


def _ask_for_task() -> None:
    with st.form("leopard", border=False):
        public = is_public()
        left, right = [st.container()] * 2 if public else st.columns(2, gap="large")
        path = "" if public else left.text_input("Folder of one task", key="leopard path").strip()
        uploads = right.file_uploader(
            "JSON files of one task" if public else "Or its JSON files",
            type=["json"],
            accept_multiple_files=True,
            key="leopard files",
        )
        icon = ":material/folder_open:"
        left.form_submit_button("Read it", icon=icon, on_click=send, args=("leopard",))

    def read() -> None:
        if not path and not uploads:
            folder = "" if public else "Give the path of a folder, or u"
            raise SLPError(f"{folder or 'U'}pload the JSON files of one task.")
        if path:
            dataset = read_handed_in(read_leopard, whole_path(path), name=path)
        else:
            files = [(file.name, file.getvalue()) for file in uploads]
            dataset = read_handed_in(read_leopard_files, files, name="The upload")
        limits().check(dataset)
        settings.LEOPARD_TASK.set(dataset)
        _request(None)

    read_sent("leopard", read)


def _ask_for_runs(workspace: Workspace, dataset: FewShotDataset) -> None:
    encoders = encoders_for(dataset.kind)
    names = list(encoders.values())
    opening = workspace.encoder_name if workspace.encoder_name in names else dataset.default_encoder
    with st.form("leopard runs", border=False):
        left, right = st.columns(2, gap="large")
        first = names.index(opening)
        title = left.selectbox("Encoder", list(encoders), index=first, key="leopard encoder")
        titles = left.multiselect("Methods", list(VARIANTS), list(RUN_FIRST), key="leopard methods")
        training = left.multiselect(
            "Fine-tuning methods",
            list(ON_TEXTS),
            placeholder="minutes each",
            key="leopard trained",
            help=f"{settings_text(list(ON_TEXTS.values()))} "
            f"At most {MOST_QUERY:,} query examples are used.",
        )
        every, most = list(dataset.shots_available), dataset.n_draws
        key = f"leopard shots {dataset.digest}"
        shots = right.multiselect("Shots per class", every, every, key=key)
        draws = right.number_input("Support sets, at most", 1, most, most)
        label, fewer = "Support sets of fine-tuning methods, at most", settings.TRAINED_DRAWS
        most = min(most, limits().trained_draws)
        trained_draws = right.number_input(label, 1, most, min(fewer.default, most))
        icon = ":material/play_arrow:"
        st.form_submit_button("Run", type="primary", icon=icon, on_click=send, args=("runs",))

    def run() -> None:
        if not (titles or training) or not shots:
            raise SLPError("Choose a method and a number of shots.")
        if training and (why := limits().refusal(len(dataset.classes), max(shots))):
            raise SLPError(why)
        name, draw = encoders[title], dataset.available_draws(shots[0])[0]
        method = METHODS["constraint_slp"]
        task = Workspace(dataset, encoder(name, None), name, shots[0], draw, method, {})
        few = limit(task) if training else None  # the same examples for all methods of one table
        trained, refusals = text_systems(task, training, [], int(trained_draws), few)
        on_vectors = vector_systems(task, [VARIANTS[t] for t in titles], [], int(draws), few)
        _request(Requested([*on_vectors, *trained], tuple(sorted(shots)), refusals))
        for job in (task.encoding, settings.LEOPARD_RUNS.value.job()):
            if job.begun:
                job.start()

    read_sent("runs", run)


def _request(requested: Requested | None) -> None:
    """Remember what to run; cancel an earlier request."""
    before: Requested | None = settings.LEOPARD_RUNS.value
    if before and not (requested and requested.job().key == before.job().key):
        job_pool().forget(before.job().key)
    settings.LEOPARD_RUNS.set(requested)


def _results(dataset: FewShotDataset, requested: Requested, runs: dict[str, MethodRuns]) -> None:
    """Ours by method and shots, with the paper's results where it has this task."""
    shown = on_shared_draws(runs)

    def rows(name: Callable[[System], str], of: Mapping[str, MethodRuns] = runs) -> pd.DataFrame:
        cells = ((each, n) for n in requested.shots for each in requested.systems)
        lines = ((each.encoder_label, name(each), 0, of[each.key(n)]) for each, n in cells)
        return runs_table(lines, dataset.name)

    table = beside_paper(summarise(rows(lambda each: each.method.name, shown)))
    table["method"] = table["method"].map(method_title)
    titles = {
        "ours": f"ours, {encoder_title(requested.systems[0].workspace.encoder_name)}",
        "paper": f"paper, {PAPER_ENCODER}",
    }
    first = ["method", "shots", "outcome"]  # in sight without scrolling
    plain_table(table[[*first, *table.columns.drop(first)]], columns=titles)
    st.caption(task_text(dataset.name))
    trained = [each for each in requested.systems if isinstance(each, TextSystem)]
    st.caption(means_text(list(shown.values())))
    if trained:
        m = len(trained[0].workspace.episode.query)
        methods = [each.method for each in trained]
        st.caption(settings_text(methods, trained[0].most_query, m))
    csv_download(
        "Every run (CSV)",
        f"{dataset.name}_runs",
        lambda: rows(lambda each: each.file_name),
        "",
        plain=True,
    )
