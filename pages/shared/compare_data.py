"""What the Compare page sets against each other, and the runs that it takes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pages.shared import state
from pages.shared.encoders_at_hand import public_name
from pages.shared.explain_own import choose_row
from pages.shared.jobs import Job, job_pool
from pages.shared.methods import METHODS, Method
from pages.shared.workspace import Workspace, encoder, failure
from slp_core.encoders import Progress
from slp_core.evaluation.method_runs import MethodRuns, run_method
from slp_core.figures.theme import ClassStyle, Theme, class_style

# What the sidebar starts at the first choice: only such a widget may be set from here. The others
# keep their values, and are left out of the next page's address.
SIDEBAR = (state.DATASET, state.NORMALISATION, state.DRAW)


@dataclass(frozen=True)
class Variant:
    """A method with its first option settled: what there is to choose from.

    Attributes
    ----------
    name : str
        In files, and on the command line.
    title : str
    method : Method
    parameter, label : str
        The option and what people read of its value; empty for a method without options.
    """

    name: str
    title: str
    method: Method
    parameter: str = ""
    label: str = ""

    @property
    def fixed(self) -> dict[str, Any]:
        """The settled option, as the estimator takes it."""
        if not self.parameter:
            return {}
        return {self.parameter: self.method.main[0].choices[self.label]}


def _variants(method: Method) -> list[Variant]:
    """A method as it stands first, then with the other values of its main option."""
    if not method.main:
        return [Variant(method.name, method.title, method)]
    option = method.main[0]
    return [
        Variant(
            f"{method.name}_{value}" if position else method.name,
            f"{method.title}, {label}" if position else method.title,
            method,
            option.parameter,
            label,
        )
        for position, (label, value) in enumerate(option.choices.items())
    ]


VARIANTS = {v.title: v for method in METHODS.values() for v in _variants(method)}


@dataclass(frozen=True)
class Contestant:
    """A method on an encoder's vectors.

    Attributes
    ----------
    title : str
    variant : Variant
    workspace : Workspace
        With this method, its options and this encoder.
    most_draws : int
        Later draws are left out.
    """

    title: str
    variant: Variant
    workspace: Workspace
    most_draws: int = 10

    def key(self, shots: int) -> str:
        """Names its runs over the draws of so many shots."""
        own = self.workspace
        return f"{own.data_key} {shots} {own.method_key} {self.most_draws}"

    def draws(self, shots: int) -> tuple[int, ...]:
        """The draws that it is run on."""
        own = self.workspace
        return own.dataset.available_draws(shots)[: self.most_draws] or (own.draw,)

    def style(self, place: int, theme: Theme) -> ClassStyle:
        """A method keeps its colour and shape whatever else is chosen; ``place`` is its encoder's.

        With several encoders the styles follow on, so that no two are alike.
        """
        return class_style(list(VARIANTS).index(self.variant.title) + len(VARIANTS) * place, theme)

    @property
    def encoder_label(self) -> str:
        """The encoder as rows of results name it."""
        own = self.workspace
        usual = encoder(own.encoder_name, None).normalisation
        here = own.encoder.normalisation
        name = public_name(own.encoder_name)
        return name if here == usual else f"{name}+{here}"

    def explain(self, row: int) -> None:
        """Have the sidebar take this method, and Explain read this row."""
        for key in (*(setting.key for setting in SIDEBAR), *self.workspace.options):
            if key in st.session_state:  # written again: the next page's address starts empty
                st.session_state[key] = st.session_state[key]
        state.METHOD.set(self.workspace.method.title)
        if self.variant.parameter:
            st.session_state[self.variant.parameter] = self.variant.label
        choose_row(row)


def contestants(
    workspace: Workspace,
    variants: Sequence[Variant],
    encoders: Sequence[str],
    most_draws: int = 10,
) -> list[Contestant]:
    """Every chosen method on every chosen encoder, the sidebar's encoder first."""
    found = []
    for name in (workspace.encoder_name, *encoders):
        own = with_encoder(workspace, name)
        for variant in variants:
            title = variant.title
            if encoders:
                title += f" ({own.encoder.info.title})"
            chosen = own.with_method(variant.method, **variant.fixed)
            found.append(Contestant(title, variant, chosen, most_draws))
    return found


def with_encoder(workspace: Workspace, name: str) -> Workspace:
    """The same through another encoder, with vectors scaled as they are here."""
    if name == workspace.encoder_name:
        return workspace
    normalisation = None if workspace.dataset.kind == "numeric" else workspace.encoder.normalisation
    return replace(workspace, encoder=encoder(name, normalisation), encoder_name=name)


def find_runs(contest: Sequence[Contestant], shots: Sequence[int]) -> Job:
    """The job that runs contestants on their draws; one that was cancelled stays so."""
    return job_pool().get(_job_key(contest, shots)) or start_runs(contest, shots)


def start_runs(
    contest: Sequence[Contestant],
    shots: Sequence[int],
    before: Callable[[Job], Any] = lambda job: None,
) -> Job:
    """Run contestants on their draws of each number of shots, in the background.

    The result maps ``Contestant.key(shots)`` to MethodRuns. What was run before is kept.

    Parameters
    ----------
    contest : sequence of Contestant
    shots : sequence of int
    before : callable
        What the job does first.
    """
    cells = [(one, n) for n in shots for one in contest]
    total = sum(len(one.draws(n)) for one, n in cells)

    def work(job: Job) -> dict[str, MethodRuns]:
        before(job)
        tally, done, found = Tally(job, total), 0, {}
        for one, n in cells:
            found[one.key(n)] = _runs(one.key(n), one, n, tally.one, job.cancelled)
            done += len(one.draws(n))
            tally.to(done)  # where they were kept from before, nothing was counted
        return found

    title = f"Running {len(contest)} method{'' if len(contest) == 1 else 's'} over the draws"
    return job_pool().start(_job_key(contest, shots), title, work)


def _job_key(contest: Sequence[Contestant], shots: Sequence[int]) -> tuple[str, ...]:
    return ("compare", *(one.key(n) for n in shots for one in contest))


class Tally:
    """Tells a job how far it is."""

    def __init__(self, job: Job, total: int):
        self._job, self._total, self._done, self._fresh = job, total, 0, 0
        self._start = time.monotonic()

    def one(self) -> None:
        """One run more is done."""
        self._fresh += 1
        self.to(self._done + 1)

    def to(self, done: int) -> None:
        """So many are done, those that were kept from before too."""
        self._done = done
        left = None
        if self._fresh:
            left = (time.monotonic() - self._start) / self._fresh * (self._total - done)
        self._job.report(Progress(done, self._total, left))


@st.cache_resource(max_entries=256, show_spinner=False)
def _runs(
    key: str,
    _contestant: Contestant,
    _shots: int,
    _done: Callable[[], None],
    _cancelled: Callable[[], bool],
) -> MethodRuns:
    own = _contestant.workspace
    return run_method(
        lambda: own.method.make(own.options),
        own.dataset,
        own.X,
        _shots,
        _contestant.draws(_shots),
        _done,
        _cancelled,
    )


def watch(job: Job, again: Callable[[], Any]) -> None:
    """A bar with a button to cancel; when it is done the page starts anew."""
    st.fragment(_watch, run_every=0.4 if job.running else None)(job, again)


def _watch(job: Job, again: Callable[[], Any]) -> None:
    if job.ready:
        st.rerun()
    if not job.running:
        st.warning(failure(job), icon=":material/info:")
        if st.button("Go on", type="primary", key=f"again {id(job)}"):
            again()
            st.rerun()  # the whole page, which looks at the new job
        return
    progress, text = job.progress, f"{job.title} …"
    if progress is not None:
        text = f"{job.title}: {progress.done:,} of {progress.total:,}"
        if progress.seconds_left is not None:
            text += f", about {max(1, round(progress.seconds_left))} s left"
    st.progress(min(job.share, 1.0), text=text)
    st.button("Cancel", icon=":material/close:", on_click=job.cancel, key=f"cancel {id(job)}")
