"""The methods and encoders that Compare runs, on fixed vectors or fine-tuned, and their jobs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from pages.session import settings
from pages.session.available_encoders import public_name
from pages.session.cache import cached_by
from pages.session.code import encoder_code, model_code, script
from pages.session.files import method_name, scaled_name
from pages.session.jobs import LONG, Job, job_pool
from pages.session.methods import ON_TEXTS, ready_to_train, refusal
from pages.session.public import limits
from pages.session.selection import choose_row
from pages.session.workspace import Workspace
from pages.widgets.job_progress import completed, offered
from slp_core.evaluation.method_runs import (
    MOST_QUERY,
    DrawRun,
    MethodRuns,
    text_runs,
    vector_runs,
)
from slp_core.evaluation.text import other_shots_text, settings_text
from slp_core.methods.table import METHODS, Method
from slp_core.progress import Progress
from slp_core.sentences import count, listed

_MOST = 128  # methods and numbers of shots whose runs are kept
_PARTS = 1_000  # progress is counted in whole numbers, so many for a run on vectors
Report = Callable[[str, float], None]
"""Called with what is running, if it takes long, and how many runs are done, parts included."""


@dataclass(frozen=True)
class System:
    """A method on an encoder's vectors, with the workspace's options."""

    title: str
    method: Method
    workspace: Workspace
    encoder_label: str
    file_name: str
    most_draws: int
    most_query: int | None
    seed: int = 0

    weight = 1  # rough cost of a run, in runs on vectors

    def draws(self, shots: int) -> tuple[int, ...]:
        workspace = self.workspace
        return workspace.dataset.available_draws(shots)[: self.most_draws] or (workspace.draw,)

    def key(self, shots: int) -> str:
        """Identifies its runs at a number of shots."""
        return f"{self._run_key(shots)} {self.draws(shots)}"

    def runs_so_far(self, shots: int) -> MethodRuns:
        done = _runs_of(self._run_key(shots))
        order = sorted(self.draws(shots))  # parameters are told of the first one
        runs = {draw: done[draw] for draw in order if draw in done}
        return MethodRuns(shots, runs, len(order) - len(runs))

    def run(self, shots: int, report: Report, cancelled: Callable[[], bool]) -> MethodRuns:
        """Run the draws that have not been run yet."""
        done = _runs_of(self._run_key(shots))
        if missing := [draw for draw in self.draws(shots) if draw not in done]:
            for draw, run in self._run_each(shots, missing, report, cancelled):
                done[draw] = run
        return MethodRuns(shots, {draw: done[draw] for draw in sorted(self.draws(shots))})

    def _run_key(self, shots: int) -> str:
        workspace = self.workspace
        return f"{workspace.data_key} {shots} {workspace.method_key} {self.most_query}"

    def _run_each(
        self, shots: int, draws: list[int], report: Report, cancelled: Callable[[], bool]
    ) -> Iterator[tuple[int, DrawRun]]:
        workspace = self.workspace
        make, data = partial(self.method.make, **workspace.options), workspace.dataset
        limits = cancelled, self.most_query
        runs = vector_runs(make, data, workspace.vectors, shots, draws, *limits)
        for done, found in enumerate(runs, 1):
            report("", done)
            yield found

    def explain(self, row: int) -> None:
        """Select this row on Explain, with this method."""
        choose_row(row)
        base, before = self.method.base.title, settings.METHOD.value
        chosen = {
            key: settings.Setting(key, str, label).value
            for key, label in self.method.choices.items()
        }
        changed = before != base or chosen != self.method.choices
        settings.METHOD_LEFT.set((before, self.method.title, base) if changed else ("", "", ""))
        settings.METHOD.set(base)
        for key, label in self.method.choices.items():
            settings.Setting(key, str, label).set(label)

    def style(self, place: int) -> int:
        """A method keeps its style whatever else is chosen; ``place`` is its encoder's number."""
        return list(METHODS).index(self.method.name) + len(METHODS) * place


def through_each(
    workspace: Workspace, methods: Sequence[Method], encoders: Sequence[str]
) -> Iterator[tuple[str, Method, Workspace]]:
    """Every method with every encoder, the sidebar's first, with unambiguous titles."""
    for name in (workspace.encoder_name, *encoders):
        through = workspace.through(name)
        for method in methods:
            suffix = f" ({through.encoder.info.title})" if encoders else ""
            yield method.title + suffix, method, through


def vector_systems(
    workspace: Workspace,
    methods: Sequence[Method],
    encoders: Sequence[str],
    most_draws: int = 10,
    most_query: int | None = None,
) -> list[System]:
    systems: list[System] = []
    for title, method, through in through_each(workspace, methods, encoders):
        ready = through.with_method(method)
        seed, limits = int(ready.options.get("random_state", 0)), (most_draws, most_query)
        names = scaled_name(ready), method_name(ready)
        systems.append(System(title, method, ready, *names, *limits, seed))
    return systems


@dataclass(frozen=True)
class TextSystem(System):
    """A method that trains an encoder's layers on the support set."""

    weight = 300

    def draws(self, shots: int) -> tuple[int, ...]:
        """The sidebar's draw first, then the others from 0 on."""
        draw, available = self.workspace.draw, self.workspace.dataset.available_draws(shots)
        first = (draw,) if draw in available or not available else ()
        return tuple(dict.fromkeys((*first, *available[: self.most_draws])))

    def _run_key(self, shots: int) -> str:
        data = f"{self.workspace.dataset.digest} {self.workspace.encoder_name}"
        return f"{data} {shots} {self.file_name} {self.most_query}"

    def _run_each(
        self, shots: int, draws: list[int], report: Report, cancelled: Callable[[], bool]
    ) -> Iterator[tuple[int, DrawRun]]:
        def progress(draw: int, share: float) -> None:
            what = f"Training {self.title} on support set {draw} ({count(shots, 'shot')})"
            report(what, draws.index(draw) + share)

        make = partial(self.method.make_lighter, self.workspace.encoder_name)
        data, most = self.workspace.dataset, self.most_query
        for draw, run, _ in text_runs(make, data, shots, draws, most, progress, cancelled):
            yield draw, run

    def explain(self, row: int) -> None:
        """Select this row on Explain, with the sidebar's method."""
        choose_row(row)


@cached_by(lambda key: key, most=_MOST)
def _runs_of(key: str) -> dict[int, DrawRun]:
    """What has been run under a key, by draw: jobs add to it."""
    return {}


def text_systems(
    workspace: Workspace,
    titles: Sequence[str],
    encoders: Sequence[str],
    most_draws: int,
    most_query: int | None,
) -> tuple[list[TextSystem], list[str]]:
    """Every chosen method on every chosen encoder; why some cannot be trained."""
    systems, refusals = [], []
    methods = [ON_TEXTS[title] for title in titles]
    for title, method, through in through_each(workspace, methods, encoders):
        refused = refusal(method, through)
        if refused:
            refusals.append(refused)
        else:
            # without a normalisation: training is always on vectors of unit length
            names = public_name(through.encoder_name), method.lighter_name
            systems.append(TextSystem(title, method, through, *names, most_draws, most_query))
    if systems:
        ready_to_train()
    return systems, list(dict.fromkeys(refusals))


def limit(workspace: Workspace) -> int | None:
    """How many query examples a fine-tuned method is tested on; None for all."""
    return MOST_QUERY if len(workspace.episode.query) > MOST_QUERY else None


def choose_draws(workspace: Workspace) -> int:
    most = max(1, len(workspace.dataset.available_draws(workspace.shots)))
    most = min(most, limits().trained_draws)
    choices = sorted({min(n, most) for n in (1, 2, 3, 5, 10)})
    return st.selectbox(
        "Support sets of each",
        help="From 0 on, and the sidebar's.",
        **settings.TRAINED_DRAWS.bound(min(settings.TRAINED_DRAWS.default, most), options=choices),
    )


def write_settings(trained: Sequence[TextSystem]) -> None:
    workspace, most_query = trained[0].workspace, trained[0].most_query
    draws = {draw for each in trained for draw in each.draws(workspace.shots)}
    methods = [each.method for each in trained]
    text = f"Support sets: {listed(sorted(draws))}. "
    text += settings_text(methods, most_query, len(workspace.episode.query))
    scaled = any(each.workspace.encoder.normalisation != "l2" for each in trained)
    text += " They always train on L2-normalised vectors." if scaled else ""
    if any(each.workspace.encoder.chunks for each in trained):
        text += " Of a text of many chunks they read the first ones."
    st.caption(text)


def follow_training(trained: Sequence[TextSystem], shots: int) -> dict[str, MethodRuns]:
    """Train systems, with a progress bar; returns the runs so far."""
    if not trained:
        _wait_only_for([], shots)
        return {}
    job = runs_job(trained, [shots]).started()
    _wait_only_for(trained, shots)
    completed(job)
    return so_far(trained, shots, job)


def so_far(systems: Sequence[System], shots: int, job: Job | None) -> dict[str, MethodRuns]:
    """By title, the runs at a number of shots that are finished, if any."""
    done: Mapping[str, MethodRuns] = job.result if job is not None and job.ready else {}
    return {each.title: done.get(each.key(shots)) or each.runs_so_far(shots) for each in systems}


def offer_other_shots(trained: Sequence[TextSystem], shots: int) -> Job | None:
    """A button that trains systems with the other numbers of shots, and its progress."""
    others = _other_shots(trained, shots)
    if not others:
        return None
    job = runs_job(trained, others)
    if not job.begun:
        runs = sum(len(each.draws(n)) for each in trained for n in others)
        text = other_shots_text([each.title for each in trained], runs)
        st.caption(f":material/info: {text}")
    offered(job, "Train with every number of shots", icon=":material/model_training:")
    return job if job.begun else None


def _other_shots(trained: Sequence[TextSystem], shots: int) -> list[int]:
    dataset = trained[0].workspace.dataset
    others = (n for n in dataset.shots_available if n != shots)
    return [n for n in others if not limits().refusal(len(dataset.classes), n)]


def _wait_only_for(trained: Sequence[TextSystem], shots: int) -> None:
    """Cancel this session's trainings that the page no longer shows."""
    now: tuple[Any, ...] = ()
    if trained:
        others = _other_shots(trained, shots)
        now = (runs_key(trained, [shots]), runs_key(trained, others))
    for key in settings.TRAINING_SHOWN.value or ():
        if key not in now:
            job_pool().forget(key)
    settings.TRAINING_SHOWN.set(now)


def runs_job(systems: Sequence[System], shots: Sequence[int]) -> Job:
    cells = [(system, n) for n in shots for system in systems]
    title = f"Running {count(len(systems), 'method')} over the support sets"

    def work(job: Job) -> dict[str, MethodRuns]:
        sizes = [_PARTS * system.weight * system.runs_so_far(n).missing for system, n in cells]
        start, runs, before = time.monotonic(), {}, 0
        for (system, n), size in zip(cells, sizes, strict=True):
            part = _PARTS * system.weight

            def report(what: str, done: float, before: int = before, part: int = part) -> None:
                job.title = what or title
                job.report(Progress.since(start, before + round(part * done), sum(sizes)))

            runs[system.key(n)] = system.run(n, report, job.cancelled)
            before += size
        return runs

    return job_pool().job(runs_key(systems, shots), title, work, LONG)


def runs_key(systems: Sequence[System], shots: Sequence[int]) -> tuple[str, ...]:
    return ("compare", *(system.key(n) for n in shots for system in systems))


_BODY = """
# Every method over the draws; methods that train the encoder are left out, which take minutes.
for title, encoder_name, make in (
{methods}):
    through = slp.load_encoder(encoder_name, normalisation={normalisation!r})
    scores = []
    for draw in {draws}:
        fitted, X_draw, y_draw = fit(make(), draw, through)
        scores.append(fitted.score(X_draw, y_draw))
    numbers[f"{{title}}: mean"], numbers[f"{{title}}: SD"] = np.mean(scores), np.std(scores)
"""


def code(workspace: Workspace, systems: Sequence[System]) -> str:
    lines: list[str] = []
    draws: tuple[int, ...] = ()
    for each in systems:
        made = model_code(each.method.make(**each.workspace.options))
        name = encoder_code(each.workspace.encoder_name)
        lines.append(f"    ({each.title!r}, {name}, lambda: {made}),\n")
        draws = each.draws(workspace.shots)
    if not lines:
        return script(workspace, "Compare")
    scaled = None if workspace.dataset.kind == "numeric" else workspace.encoder.normalisation
    body = _BODY.format(methods="".join(lines), draws=list(draws), normalisation=scaled)
    return script(workspace, "Compare", body)
