"""A LEOPARD task folder, run here and set beside the paper's figures for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import streamlit as st

from pages.compare.contestants import Contestant, VectorContestant, contestants
from pages.compare.draws import choose_draws_shown
from pages.compare.runs import let_go, runs_job, runs_key
from pages.compare.text_contestants import TextContestant, limit, text_contestants
from pages.compare.texts import most_asked_fact, settings_facts
from pages.session import settings
from pages.session.available_encoders import encoders_for
from pages.session.jobs import Job
from pages.session.methods import ON_TEXTS, VARIANTS
from pages.session.public import NO_FOLDERS, limits
from pages.session.reading import read_handed_in
from pages.session.text import encoding_text
from pages.session.workspace import Workspace, encoder
from pages.widgets.chart import csv_download
from pages.widgets.job_progress import completed
from pages.widgets.say import refuse, say
from pages.widgets.tables import plain_table
from slp_core.data import FewShotDataset, read_leopard
from slp_core.data.leopard import read_leopard_files
from slp_core.errors import SLPError
from slp_core.evaluation.comparison import on_shared_draws, other_draws_facts, runs_table
from slp_core.evaluation.method_runs import MethodRuns
from slp_core.evaluation.paper import PAPER_ENCODER
from slp_core.evaluation.report import beside_paper, summarise, task_facts
from slp_core.evaluation.stored import encoder_title, method_title
from slp_core.facts import said
from slp_core.markdown import literal, unmarked
from slp_core.methods.table import METHODS

OPENING = ("constraintSLP", "DeepSLP", "Nearest centroid")


@dataclass(frozen=True, eq=False)
class Asked:
    """What is to be run, and what was asked for and cannot be."""

    contest: list[Contestant]
    shots: tuple[int, ...]
    refusals: list[str]

    @property
    def key(self) -> tuple[str, ...]:
        """Of the job that runs it."""
        return runs_key(self.contest, self.shots)

    def job(self, again: bool = False) -> Job:
        """What runs it; with ``again`` it is taken up where it was cancelled."""
        return runs_job(self.contest, self.shots, again, self._encode)

    def _encode(self, job: Job) -> None:
        workspace = self.contest[0].workspace
        on_vectors = any(isinstance(each, VectorContestant) for each in self.contest)
        if on_vectors and not workspace.encoded:
            title, dataset = job.title, workspace.dataset
            job.title = unmarked(encoding_text(len(dataset), workspace.encoder.info.title))
            workspace.encoder.encode(dataset, progress=job.report, cancelled=job.cancelled)
            job.title = title


def leopard(workspace: Workspace) -> None:
    """Ask for a folder, then for what to run on it; follow that, and show what came of it."""
    st.markdown("**Run it yourself**")
    public = limits()
    path = "" if public else "give its path on the machine that runs this app, or "
    st.markdown(
        "A LEOPARD task folder holds `TASK_eval.json` and `TASK_train_DRAW_SHOTS.json` files: "
        f"{path}upload its files."
    )
    if public:
        st.caption(f"{NO_FOLDERS} {public.sentence()}")
    _ask_for_task()
    dataset = settings.LEOPARD_TASK.value
    if dataset is None:
        return
    say(dataset.size_text(), before=f"**{literal(dataset.title)}**: ")
    for warning in dataset.warnings:
        st.caption(f":material/info: {warning}")
    _ask_for_runs(workspace, dataset)
    asked: Asked | None = settings.LEOPARD_RUNS.value
    if asked is None:
        return
    for refusal in asked.refusals:
        st.caption(f":material/info: {refusal}")
    if not asked.contest:
        return
    job = asked.job()
    if completed(job, lambda: asked.job(again=True)):
        _results(dataset, asked, job.result)


def _ask_for_task() -> None:
    with st.form("leopard", border=False):
        public = limits()
        left, right = [st.container()] * 2 if public else st.columns(2, gap="large")
        path = "" if public else left.text_input("Folder of one task", key="leopard path").strip()
        uploads = right.file_uploader(
            "JSON files of one task" if public else "Or its JSON files",
            type=["json"],
            accept_multiple_files=True,
            key="leopard files",
        )
        sent = left.form_submit_button("Read it", icon=":material/folder_open:")
    if not sent:
        return
    try:
        if not path and not uploads:
            folder = "" if public else "Give the path of a folder, or u"
            raise SLPError(f"{folder or 'U'}pload the JSON files of one task.")
        if path:
            dataset = _folder(path)
        else:
            files = [(file.name, file.getvalue()) for file in uploads]
            dataset = read_handed_in(read_leopard_files, files, name="The upload")
        if public:
            public.check(dataset)
    except SLPError as error:
        refuse(error)
        return
    settings.LEOPARD_TASK.set(dataset)
    _ask(None)


def _folder(path: str) -> FewShotDataset:
    try:
        folder = Path(path).expanduser()
    except RuntimeError as error:  # of a user who is not known
        raise SLPError(f"{path} names no folder here: give its whole path.") from error
    return read_handed_in(read_leopard, folder, name=path)


def _ask_for_runs(workspace: Workspace, dataset: FewShotDataset) -> None:
    encoders = encoders_for(dataset.kind)
    names = list(encoders.values())
    opening = workspace.encoder_name if workspace.encoder_name in names else dataset.default_encoder
    with st.form("leopard runs", border=False):
        left, right = st.columns(2, gap="large")
        first = names.index(opening)
        title = left.selectbox("Encoder", list(encoders), index=first, key="leopard encoder")
        titles = left.multiselect("Methods", list(VARIANTS), list(OPENING), key="leopard methods")
        training = left.multiselect(
            "Methods that train the encoder",
            list(ON_TEXTS),
            placeholder="minutes each",
            key="leopard trained",
            help=said((*settings_facts(list(ON_TEXTS.values())), most_asked_fact())),
        )
        every, most = list(dataset.shots_available), dataset.n_draws
        shots = right.multiselect("Shots", every, every, key=f"leopard shots {dataset.digest}")
        draws = right.number_input("Draws, at most", 1, most, most)
        label, fewer = "Draws of methods that train the encoder, at most", settings.TRAINED_DRAWS
        public = limits()
        most = min(most, public.trained_draws) if public else most
        trained_draws = right.number_input(label, 1, most, min(fewer.default, most))
        sent = st.form_submit_button("Run", type="primary", icon=":material/play_arrow:")
    if not sent:
        return
    if not (titles or training) or not shots:
        st.error("Choose a method and a number of shots.", icon=":material/error:")
        return
    if training and public and (why := public.refusal(len(dataset.classes), max(shots))):
        refuse(why)
        return
    name, draw = encoders[title], dataset.available_draws(shots[0])[0]
    method = METHODS["constraint_slp"]
    task = Workspace(dataset, encoder(name, None), name, shots[0], draw, method, {})
    few = limit(task) if training else None  # the same points for all that stand in one table
    trained, refusals = text_contestants(task, training, [], int(trained_draws), few)
    on_vectors = contestants(task, [VARIANTS[t] for t in titles], [], int(draws), few)
    contest = [*on_vectors, *trained]
    asked = Asked(contest, tuple(sorted(shots)), refusals)
    _ask(asked)
    if contest:
        asked.job(again=True)


def _ask(asked: Asked | None) -> None:
    """What was asked for before is wanted no more: nothing would show it, or could cancel it."""
    before: Asked | None = settings.LEOPARD_RUNS.value
    if before is not None and (asked is None or asked.key != before.key):
        let_go(before.key)
    settings.LEOPARD_RUNS.set(asked)


def _results(dataset: FewShotDataset, asked: Asked, runs: dict[str, MethodRuns]) -> None:
    """Ours by method and shots, beside the paper's counterpart where it has this task."""
    shared = choose_draws_shown(runs, f"leopard draws {dataset.digest}")
    shown = on_shared_draws(runs) if shared else runs

    def rows(
        name: Callable[[Contestant], str], of: Mapping[str, MethodRuns] = runs
    ) -> pd.DataFrame:
        cells = ((each, n) for n in asked.shots for each in asked.contest)
        lines = ((each.encoder_label, name(each), 0, of[each.key(n)]) for each, n in cells)
        return runs_table(lines, dataset.name)

    table = beside_paper(summarise(rows(lambda each: each.method.name, shown)))
    table["method"] = table["method"].map(method_title)
    titles = {
        "ours": f"ours, {encoder_title(asked.contest[0].workspace.encoder_name)}",
        "paper": f"paper, {PAPER_ENCODER}",
    }
    first = ["method", "shots", "outcome"]  # in sight without scrolling
    plain_table(table[[*first, *table.columns.drop(first)]], columns=titles)
    say(task_facts(dataset.name), st.caption)
    trained = [each for each in asked.contest if isinstance(each, TextContestant)]
    facts = other_draws_facts(list(shown.values()))
    if trained:
        m = len(trained[0].workspace.episode.query)
        methods = [each.method for each in trained]
        facts = (*facts, *settings_facts(methods, trained[0].most_query, m))
    if facts:
        say(facts, st.caption)
    csv_download(
        "Every run (CSV)",
        f"{dataset.name}_runs",
        lambda: rows(lambda each: each.file_name),
        "",
        plain=True,
    )
