"""Contestants that read texts and train the encoder: choosing them, following their training."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.compare.contestants import Contestant, Report, through_each
from pages.compare.runs import let_go, runs_job, runs_key
from pages.compare.texts import more_facts, settings_facts, trained_draws_facts
from pages.session import settings
from pages.session.available_encoders import public_name
from pages.session.cache import BoundedStore
from pages.session.jobs import Job, job_pool
from pages.session.methods import ON_TEXTS, ready_to_train, refusal
from pages.session.public import limits
from pages.session.workspace import Workspace
from pages.widgets.job_progress import completed
from pages.widgets.say import say
from slp_core.evaluation.method_runs import MethodRuns, joined
from slp_core.evaluation.text_runs import MOST_QUERY, text_runs
from slp_core.evaluation.wording import Count

_MOST_RUNS = 512  # at most 16 kB each


@dataclass(frozen=True)
class TextContestant(Contestant):
    """A method that trains an encoder's layers on the support set.

    The workspace keeps the sidebar's method: Explain, which knows none of these, goes on with it.
    """

    weight = 300

    def draws(self, shots: int) -> tuple[int, ...]:
        """The sidebar's draw first, then the others from 0 on."""
        draw, available = self.workspace.draw, self.workspace.dataset.available_draws(shots)
        first = (draw,) if draw in available or not available else ()
        return tuple(dict.fromkeys((*first, *available[: self.most_draws])))

    def key(self, shots: int) -> str:
        """Names its runs over the draws of so many shots."""
        return f"{self._run_key(shots)} {self.draws(shots)}"

    def _run_key(self, shots: int) -> str:
        data = f"{self.workspace.dataset.digest} {self.workspace.encoder_name}"
        return f"{data} {shots} {self.file_name} {self.effort}"

    def runs_so_far(self, shots: int) -> MethodRuns | None:
        """What there is of its runs, as far as it has come; None where there is nothing."""
        order = sorted(self.draws(shots))  # a method's numbers are counted on the first one
        runs = [_store().get((self._run_key(shots), draw)) for draw in order]
        done = [run for run in runs if run is not None]
        return joined(done) if done else None

    def run(self, shots: int, report: Report, cancelled: Callable[[], bool]) -> MethodRuns:
        """Run it on its draws; each is kept as soon as it is done."""
        store, key = _store(), self._run_key(shots)
        runs = {draw: store.get((key, draw)) for draw in self.draws(shots)}
        missing = [draw for draw, run in runs.items() if run is None]

        def progress(draw: int, share: float) -> None:
            what = f"Training {self.title} on draw {draw} at {Count(shots, 'shot')}"
            report(what, missing.index(draw) + share)

        for _, run in text_runs(
            lambda: self.method.make_lighter(self.workspace.encoder_name),
            self.workspace.dataset,
            shots,
            missing,
            self.most_query,
            progress,
            cancelled,
        ):
            (draw,) = run.draws
            runs[draw] = run
            store.put((key, draw), run)
        return joined([run for run in runs.values() if run is not None])


@st.cache_resource(show_spinner=False)
def _store() -> BoundedStore[tuple[str, int], MethodRuns]:
    """One draw's runs each."""
    return BoundedStore(_MOST_RUNS)


def text_contestants(
    workspace: Workspace,
    titles: Sequence[str],
    encoders: Sequence[str],
    most_draws: int,
    most_query: int | None,
) -> tuple[list[TextContestant], list[str]]:
    """Every chosen method on every chosen encoder that can be trained, and why not on others."""
    contest, refusals = [], []
    methods = [ON_TEXTS[title] for title in titles]
    for title, method, through in through_each(workspace, methods, encoders):
        refused = refusal(method, through)
        if refused:
            refusals.append(refused)
        else:
            # without a scaling: it trains on vectors of unit length, whatever the sidebar says
            names = public_name(through.encoder_name), method.lighter_name
            contest.append(TextContestant(title, method, through, *names, most_draws, most_query))
    if contest:
        ready_to_train()
    return contest, list(dict.fromkeys(refusals))


def limit(workspace: Workspace) -> int | None:
    """How many query points to ask about when the encoder is trained; None where all are few."""
    return MOST_QUERY if len(workspace.episode.query) > MOST_QUERY else None


def choose_draws(workspace: Workspace) -> int:
    """On how many draws the methods that train the encoder are run."""
    public = limits()
    most = max(1, len(workspace.dataset.available_draws(workspace.shots)))
    most = min(most, public.trained_draws) if public else most
    choices = sorted({min(n, most) for n in (1, 2, 3, 5, 10)})
    return st.selectbox(
        "Draws of each",
        help="From 0 on, and the sidebar's draw.",
        width=140,
        **settings.TRAINED_DRAWS.bound(min(settings.TRAINED_DRAWS.default, most), options=choices),
    )


def say_settings(trained: Sequence[TextContestant]) -> None:
    """What the app has the methods do, which is less than the command line does."""
    workspace, most_query = trained[0].workspace, trained[0].most_query
    draws = {draw for each in trained for draw in each.draws(workspace.shots)}
    facts = (
        *trained_draws_facts(sorted(draws)),
        *settings_facts(
            [each.method for each in trained], most_query, len(workspace.episode.query)
        ),
    )
    scaled = any(each.workspace.encoder.normalisation != "l2" for each in trained)
    further = " They train on vectors of unit length, whatever the sidebar says." if scaled else ""
    if any(each.workspace.encoder.chunks for each in trained):
        further += " Of a text of many chunks they read the first ones."
    say(facts, st.caption, after=further)


def follow_training(trained: Sequence[TextContestant], shots: int) -> dict[str, MethodRuns]:
    """Have contestants trained, with a bar while it takes; returns what there is so far."""
    if not trained:
        _wait_only_for([], shots)
        return {}
    job = runs_job(trained, [shots])
    _wait_only_for(trained, shots)
    completed(job, lambda: runs_job(trained, [shots], again=True))
    return so_far(trained, shots, job)


def so_far(trained: Sequence[TextContestant], shots: int, job: Job | None) -> dict[str, MethodRuns]:
    """By title, what there is of contestants' runs with so many shots."""
    done: Mapping[str, MethodRuns] = job.result if job is not None and job.ready else {}
    runs = {each.title: done.get(each.key(shots)) or each.runs_so_far(shots) for each in trained}
    return {title: run for title, run in runs.items() if run is not None}


def unfinished(trained: Sequence[TextContestant], runs: Mapping[str, MethodRuns]) -> set[str]:
    """The titles of those that have some of their draws, and not all."""
    mine = [(each, runs[each.title]) for each in trained if each.title in runs]
    return {each.title for each, run in mine if len(run.draws) < len(each.draws(run.shots))}


def offer_other_shots(trained: Sequence[TextContestant], shots: int) -> Job | None:
    """A button that has contestants trained with other numbers of shots too, and its bar."""
    others = _other_shots(trained, shots)
    if not others:
        return None

    def start() -> None:
        runs_job(trained, others, again=True)

    job = job_pool().get(runs_key(trained, others))
    if job is not None:
        completed(job, start, patience=0)
        return job
    runs = sum(len(each.draws(n)) for each in trained for n in others)
    say(more_facts([each.title for each in trained], runs), st.caption, before=":material/info: ")
    icon = ":material/model_training:"
    st.button("Train with every number of shots", icon=icon, on_click=start)
    return None


def _other_shots(trained: Sequence[TextContestant], shots: int) -> list[int]:
    """With which other numbers of shots they can be trained here."""
    dataset, public = trained[0].workspace.dataset, limits()
    others = [n for n in dataset.shots_available if n != shots]
    if public:
        others = [n for n in others if not public.refusal(len(dataset.classes), n)]
    return others


def _wait_only_for(trained: Sequence[TextContestant], shots: int) -> None:
    """What this visit waited for before, and no page would show now, is wanted no more, by it."""
    now: tuple[Any, ...] = ()
    if trained:
        others = _other_shots(trained, shots)
        now = (runs_key(trained, [shots]), runs_key(trained, others))
    for key in settings.TRAINING_SHOWN.value or ():
        if key not in now:
            let_go(key)
    settings.TRAINING_SHOWN.set(now)
