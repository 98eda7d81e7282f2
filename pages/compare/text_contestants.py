"""Contestants that read texts and train the encoder: choosing them, following their training."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.compare.contestants import Contestant, Told, keep_address, titled, with_encoder
from pages.compare.runs import find_runs, known_runs, runs_key, start_runs, watch
from pages.explain.typed_example import choose_row
from pages.session import settings
from pages.session.available_encoders import public_name
from pages.session.jobs import Job, job_pool
from pages.session.text_methods import TEXT_METHODS, TextMethod, efforts, ready_to_train
from pages.session.workspace import Workspace
from slp_core.evaluation.method_runs import MethodRuns, joined
from slp_core.evaluation.text_runs import MOST_QUERY, text_runs

_KEPT = 512  # runs, at most 16 kB each


@dataclass(frozen=True, kw_only=True)
class TextContestant(Contestant):
    """A method that trains an encoder's layers on the support set; the workspace's is left out."""

    method: TextMethod

    weight = 300

    @property
    def name(self) -> str:
        """Of the method; on the command line too."""
        return self.method.name

    @property
    def file_name(self) -> str:
        """With its setting, which is not the command line's: ``lora_epochs_10``."""
        return f"{self.name}_{self.method.setting}_{self.method.value}"

    @property
    def method_title(self) -> str:
        """Of the method alone."""
        return self.method.title

    @property
    def encoder_label(self) -> str:
        """Without a scaling: it trains on vectors of unit length, whatever the sidebar says."""
        return public_name(self.workspace.encoder_name)

    def draws(self, shots: int) -> tuple[int, ...]:
        """The sidebar's draw first, then the others from 0 on."""
        own = self.workspace
        available = own.dataset.available_draws(shots)
        first = (own.draw,) if own.draw in available or not available else ()
        return tuple(dict.fromkeys((*first, *available[: self.most_draws])))

    def key(self, shots: int) -> str:
        """Names its runs over the draws of so many shots."""
        return f"{self._run_key(shots)} {self.draws(shots)}"

    def _run_key(self, shots: int) -> str:
        own = self.workspace
        return f"{own.dataset.digest} {own.encoder_name} {shots} {self.method} {self.effort}"

    def kept(self, shots: int) -> MethodRuns | None:
        """What there is of its runs, as far as it has come; None where there is nothing."""
        keys = [(self._run_key(shots), draw) for draw in self.draws(shots)]
        parts = [found for key in keys if (found := _store().get(key)) is not None]
        return joined(parts) if parts else None

    def run(self, shots: int, told: Told, cancelled: Callable[[], bool]) -> MethodRuns:
        """Run it on its draws; each is kept as soon as it is done."""
        own, store, key = self.workspace, _store(), self._run_key(shots)
        parts = {draw: store.get((key, draw)) for draw in self.draws(shots)}
        missing = [draw for draw, found in parts.items() if found is None]

        def progress(draw: int, share: float) -> None:
            what = (
                f"Training {self.title} on draw {draw} at {shots} shot{'' if shots == 1 else 's'}"
            )
            told(what, missing.index(draw) + share)

        for found in text_runs(
            lambda: self.method.make(own.encoder_name),
            own.dataset,
            shots,
            missing,
            self.most_query,
            progress,
            cancelled,
        ):
            (draw,) = found.draws
            parts[draw] = found
            store.keep((key, draw), found)
        return joined([found for found in parts.values() if found is not None])

    def explain(self, row: int) -> None:
        """Have Explain read this row as the sidebar has it: it knows methods on vectors."""
        keep_address(*self.workspace.options)
        choose_row(row)


class _Store:
    """One draw's runs by key, the oldest forgotten first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: OrderedDict[tuple[str, int], MethodRuns] = OrderedDict()

    def get(self, key: tuple[str, int]) -> MethodRuns | None:
        with self._lock:
            return self._found.get(key)

    def keep(self, key: tuple[str, int], found: MethodRuns) -> None:
        with self._lock:
            self._found[key] = found
            while len(self._found) > _KEPT:
                self._found.popitem(last=False)


@st.cache_resource(show_spinner=False)
def _store() -> _Store:
    return _Store()


def text_contestants(
    workspace: Workspace,
    titles: Sequence[str],
    encoders: Sequence[str],
    most_draws: int,
    most_query: int | None,
) -> tuple[list[TextContestant], list[str]]:
    """Every chosen method on every chosen encoder that can be trained, and why not on others."""
    found, refusals = [], []
    for name in (workspace.encoder_name, *encoders):
        own = with_encoder(workspace, name)
        for method in (TEXT_METHODS[title] for title in titles):
            refusal = method.refusal(own)
            if refusal:
                refusals.append(refusal)
                continue
            title = titled(method.title, own, encoders)
            found.append(TextContestant(title, own, most_draws, most_query, method=method))
    if found:
        ready_to_train()
    return found, list(dict.fromkeys(refusals))


def limit(workspace: Workspace) -> int | None:
    """How many query points to ask about when the encoder is trained; None where all are few."""
    return MOST_QUERY if len(workspace.episode.query) > MOST_QUERY else None


def choose_draws(workspace: Workspace) -> int:
    """On how many draws the methods that train the encoder are run."""
    most = max(1, len(workspace.dataset.available_draws(workspace.shots)))
    choices = sorted({min(n, most) for n in (1, 2, 3, 5, 10)})
    return st.selectbox(
        "Draws of each",
        choices,
        index=choices.index(min(settings.TRAINED_DRAWS.default, most)),
        help="From 0 on, and the sidebar's draw.",
        width=140,
        **settings.TRAINED_DRAWS.bound(),
    )


def say_settings(trained: Sequence[TextContestant]) -> None:
    """What the app has the methods do, which is less than the command line does."""
    one = trained[0]
    draws = sorted({draw for each in trained for draw in each.draws(one.workspace.shots)})
    numbers = f"draw{'' if len(draws) == 1 else 's'} {', '.join(map(str, draws))}"
    text = (
        f"Trained on {numbers}. Settings lower than the command line's: "
        f"{efforts([each.method for each in trained])}."
    )
    if one.most_query is not None:
        text += (
            f" Every method here is judged by the same {one.most_query:,} of the "
            f"{len(one.workspace.episode.query):,} query points, drawn at random once."
        )
    if any(each.workspace.encoder.normalisation != "l2" for each in trained):
        text += " They train on vectors of unit length, whatever the sidebar says."
    st.caption(text)


def follow_training(trained: Sequence[TextContestant], shots: int) -> dict[str, MethodRuns]:
    """Have contestants trained, with a bar while it takes; returns what there is so far."""
    if not trained:
        _wait_only_for([], shots)
        return {}
    job = find_runs(trained, [shots])
    _wait_only_for(trained, shots)
    job.wait(0.3)
    if not job.ready:
        watch(job, lambda: start_runs(trained, [shots]))
    return so_far(trained, shots, job)


def so_far(trained: Sequence[TextContestant], shots: int, job: Job | None) -> dict[str, MethodRuns]:
    """By title, what there is of contestants' runs with so many shots."""
    done: Mapping[str, MethodRuns] = job.result if job is not None and job.ready else {}
    found = {one.title: done.get(one.key(shots)) or one.kept(shots) for one in trained}
    return {title: runs for title, runs in found.items() if runs is not None}


def offer_other_shots(trained: Sequence[TextContestant], others: Sequence[int]) -> Job | None:
    """A button that has contestants trained with other numbers of shots too, and its bar."""
    job = known_runs(trained, others)
    if job is not None:
        if not job.ready:
            watch(job, lambda: start_runs(trained, others))
        return job
    runs = sum(len(one.draws(n)) for one in trained for n in others)
    names = ", ".join(one.title for one in trained)
    st.caption(
        f":material/info: {names}: only the sidebar's number of shots. The others take "
        f"{runs} more training{'' if runs == 1 else 's'}."
    )
    st.button(
        "Train with every number of shots",
        icon=":material/model_training:",
        on_click=start_runs,
        args=(trained, others),
    )
    return None


@st.cache_resource(show_spinner=False)
def _waiting() -> WeakKeyDictionary[Job, set[str]]:
    """Which sessions wait for a training."""
    return WeakKeyDictionary()


def _wait_only_for(trained: Sequence[TextContestant], shots: int) -> None:
    """What this session waited for before stops, unless another one waits for it."""
    waiting, me = _waiting(), _session()
    before, now = settings.TRAINING_SHOWN.value, runs_key(trained, [shots]) if trained else None
    left = job_pool().get(before)
    if left is not None and before != now:
        others = waiting.get(left, set())
        others.discard(me)
        if left.running and not others:
            job_pool().forget(before)  # so that coming back starts it again
    job = job_pool().get(now)
    if job is not None:
        waiting.setdefault(job, set()).add(me)
    settings.TRAINING_SHOWN.set(now)


def _session() -> str:
    context = get_script_run_ctx()
    return context.session_id if context else ""
