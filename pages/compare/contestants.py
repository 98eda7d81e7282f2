"""What the Compare page sets against each other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from pages.session import settings
from pages.session.cache import cached_by
from pages.session.files import method_name, scaled_name
from pages.session.selection import choose_row
from pages.session.workspace import Workspace
from slp_core.evaluation.method_runs import MethodRuns, run_method
from slp_core.methods.table import METHODS, Method

Report = Callable[[str, float], None]
"""Told what is being run now, if it takes long, and how many runs are done, parts included."""


@dataclass(frozen=True)
class Contestant(ABC):
    """A method with an encoder."""

    title: str
    method: Method
    workspace: Workspace
    encoder_label: str
    file_name: str
    most_draws: int
    most_query: int | None
    seed: int = 0

    weight = 1  # what a run of it takes, very roughly, in runs on vectors

    @property
    def effort(self) -> str:
        """How its runs are cut short, in key and in words; nothing where they are whole."""
        return "" if self.most_query is None else f"{self.most_query} query points"

    @abstractmethod
    def key(self, shots: int) -> str:
        """Names its runs over the draws of so many shots."""

    def draws(self, shots: int) -> tuple[int, ...]:
        """The draws that it is run on."""
        workspace = self.workspace
        return workspace.dataset.available_draws(shots)[: self.most_draws] or (workspace.draw,)

    @abstractmethod
    def run(self, shots: int, report: Report, cancelled: Callable[[], bool]) -> MethodRuns:
        """Run it on its draws; what was run before is kept."""

    def explain(self, row: int) -> None:
        """Have Explain read this row."""
        choose_row(row)

    def style(self, place: int) -> int:
        """A method keeps its style whatever else is chosen; ``place`` is its encoder's."""
        return list(METHODS).index(self.method.name) + len(METHODS) * place


@dataclass(frozen=True)
class VectorContestant(Contestant):
    """A method on an encoder's vectors; the workspace has this method, with its options."""

    def key(self, shots: int) -> str:
        """Names its runs over the draws of so many shots."""
        data, method = self.workspace.data_key, self.workspace.method_key
        return f"{data} {shots} {method} {self.most_draws} {self.effort}"

    @cached_by(lambda self, shots, report, cancelled: self.key(shots))
    def run(self, shots: int, report: Report, cancelled: Callable[[], bool]) -> MethodRuns:
        """Run it on its draws; what was run before is kept."""
        workspace, done = self.workspace, count(1)
        return run_method(
            lambda: self.method.make(**workspace.options),
            workspace.dataset,
            workspace.vectors,
            shots,
            self.draws(shots),
            lambda: report("", next(done)),
            cancelled,
            self.most_query,
        )

    def explain(self, row: int) -> None:
        """Have the sidebar take this method, and Explain read this row."""
        super().explain(row)
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


def through_each(
    workspace: Workspace, methods: Sequence[Method], encoders: Sequence[str]
) -> Iterator[tuple[str, Method, Workspace]]:
    """Every method through every encoder, the sidebar's first, with a title that tells which."""
    for name in (workspace.encoder_name, *encoders):
        through = workspace.through(name)
        for method in methods:
            suffix = f" ({through.encoder.info.title})" if encoders else ""
            yield method.title + suffix, method, through


def contestants(
    workspace: Workspace,
    methods: Sequence[Method],
    encoders: Sequence[str],
    most_draws: int = 10,
    most_query: int | None = None,
) -> list[Contestant]:
    """Every chosen method on every chosen encoder's vectors, the sidebar's encoder first."""
    contest: list[Contestant] = []
    for title, method, through in through_each(workspace, methods, encoders):
        ready = through.with_method(method)
        seed, limits = int(ready.options.get("random_state", 0)), (most_draws, most_query)
        names = scaled_name(ready), method_name(ready)
        contest.append(VectorContestant(title, method, ready, *names, *limits, seed))
    return contest
