"""What the Compare page sets against each other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import streamlit as st

from pages.explain.typed_example import choose_row
from pages.session import settings
from pages.session.available_encoders import public_name
from pages.session.methods import METHODS, Method
from pages.session.text_methods import TEXT_METHODS
from pages.session.workspace import Workspace, encoder
from slp_core.evaluation.method_runs import MethodRuns, run_method
from slp_core.figures.style.theme import ClassStyle, Theme, class_style

# What the sidebar starts at the first choice: only such a widget may be set from here. The others
# keep their values, and are left out of the next page's address.
SIDEBAR = (settings.DATASET, settings.NORMALISATION, settings.DRAW)


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


Told = Callable[[str, float], None]
"""Told what is being run now, if it takes long, and how many runs are done, parts included."""


@dataclass(frozen=True)
class Contestant(ABC):
    """A method with an encoder.

    Attributes
    ----------
    title : str
    workspace : Workspace
        With this encoder.
    most_draws : int
        Later draws are left out.
    most_query : int or None
        Query points that it is judged by on each draw; None for all.
    """

    title: str
    workspace: Workspace
    most_draws: int = 10
    most_query: int | None = None

    weight = 1  # what a run of it takes, very roughly, in runs on vectors

    @property
    @abstractmethod
    def name(self) -> str:
        """Of the method; on the command line too."""

    @property
    def file_name(self) -> str:
        """Of the method in files: another one where its settings are not the command line's."""
        return self.name

    @property
    @abstractmethod
    def method_title(self) -> str:
        """Of the method alone."""

    @property
    @abstractmethod
    def encoder_label(self) -> str:
        """The encoder as rows of results name it."""

    @property
    def seed(self) -> int:
        """What it is run with."""
        return 0

    @property
    def effort(self) -> str:
        """How its runs are cut short, in key and in words; nothing where they are whole."""
        return "" if self.most_query is None else f"{self.most_query} query points"

    @abstractmethod
    def key(self, shots: int) -> str:
        """Names its runs over the draws of so many shots."""

    def draws(self, shots: int) -> tuple[int, ...]:
        """The draws that it is run on."""
        own = self.workspace
        return own.dataset.available_draws(shots)[: self.most_draws] or (own.draw,)

    @abstractmethod
    def run(self, shots: int, told: Told, cancelled: Callable[[], bool]) -> MethodRuns:
        """Run it on its draws; what was run before is kept."""

    @abstractmethod
    def explain(self, row: int) -> None:
        """Have Explain read this row."""

    def style(self, place: int, theme: Theme) -> ClassStyle:
        """A method keeps its colour and shape whatever else is chosen; ``place`` is its encoder's.

        With several encoders the styles follow on, so that no two are alike.
        """
        every = [*VARIANTS, *TEXT_METHODS]
        return class_style(every.index(self.method_title) + len(every) * place, theme)


@dataclass(frozen=True, kw_only=True)
class VectorContestant(Contestant):
    """A method on an encoder's vectors; the workspace has this method, with its options."""

    variant: Variant

    @property
    def name(self) -> str:
        """Of the method."""
        return self.variant.name

    @property
    def method_title(self) -> str:
        """Of the method alone."""
        return self.variant.title

    @property
    def encoder_label(self) -> str:
        """With the vectors' scaling, where it is not the encoder's usual one."""
        own = self.workspace
        usual = encoder(own.encoder_name, None).normalisation
        here = own.encoder.normalisation
        name = public_name(own.encoder_name)
        return name if here == usual else f"{name}+{here}"

    @property
    def seed(self) -> int:
        """What it is run with."""
        return int(self.workspace.options.get("seed", 0))

    def key(self, shots: int) -> str:
        """Names its runs over the draws of so many shots."""
        own = self.workspace
        return f"{own.data_key} {shots} {own.method_key} {self.most_draws} {self.effort}"

    def run(self, shots: int, told: Told, cancelled: Callable[[], bool]) -> MethodRuns:
        """Run it on its draws; what was run before is kept."""
        return _runs(self.key(shots), self, shots, told, cancelled)

    def explain(self, row: int) -> None:
        """Have the sidebar take this method, and Explain read this row."""
        keep_address(*self.workspace.options)
        settings.METHOD.set(self.workspace.method.title)
        if self.variant.parameter:
            st.session_state[self.variant.parameter] = self.variant.label
        choose_row(row)


def keep_address(*others: str) -> None:
    """What is written again stays in the next page's address, which starts empty."""
    for key in (*(setting.key for setting in SIDEBAR), *others):
        if key in st.session_state:
            st.session_state[key] = st.session_state[key]


def contestants(
    workspace: Workspace,
    variants: Sequence[Variant],
    encoders: Sequence[str],
    most_draws: int = 10,
    most_query: int | None = None,
) -> list[Contestant]:
    """Every chosen method on every chosen encoder's vectors, the sidebar's encoder first."""
    found: list[Contestant] = []
    for name in (workspace.encoder_name, *encoders):
        own = with_encoder(workspace, name)
        for variant in variants:
            title = titled(variant.title, own, encoders)
            chosen = own.with_method(variant.method, **variant.fixed)
            found.append(VectorContestant(title, chosen, most_draws, most_query, variant=variant))
    return found


def titled(title: str, own: Workspace, encoders: Sequence[str]) -> str:
    """A method's title, with the encoder's where there are several."""
    return f"{title} ({own.encoder.info.title})" if encoders else title


def with_encoder(workspace: Workspace, name: str) -> Workspace:
    """The same through another encoder, with vectors scaled as they are here."""
    if name == workspace.encoder_name:
        return workspace
    normalisation = None if workspace.dataset.kind == "numeric" else workspace.encoder.normalisation
    return replace(workspace, encoder=encoder(name, normalisation), encoder_name=name)


@st.cache_resource(max_entries=256, show_spinner=False)
def _runs(
    key: str,
    _contestant: VectorContestant,
    _shots: int,
    _told: Told,
    _cancelled: Callable[[], bool],
) -> MethodRuns:
    own, done = _contestant.workspace, count(1)
    return run_method(
        lambda: own.method.make(own.options),
        own.dataset,
        own.X,
        _shots,
        _contestant.draws(_shots),
        lambda: _told("", next(done)),
        _cancelled,
        _contestant.most_query,
    )
