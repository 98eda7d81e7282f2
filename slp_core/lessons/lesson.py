"""What a lesson is made of: words, the workspace that a step sets, views, and a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from slp_core.lessons.question_context import QuestionContext

ViewName: TypeAlias = Literal[
    "shared",
    "one prediction",
    "map",
    "map alone",
    "editor",
    "bands",
    "five numbers",
    "counter-example",
    "lines",
    "soft labels",
    "strip",
    "theorem 2",
    "three to move",
    "dimensions",
    "local labels",
    "training",
    "loss weighting",
    "members",
    "divergence",
    "identity",
    "episode",
]
"""A view of the app that stands beside a step's text."""


@dataclass(frozen=True)
class Setup:
    """The workspace that a step sets: all that the sidebar settles."""

    dataset: str
    dimension: int = 16
    encoder: str = ""
    shots: int = 16
    draw: int = 0
    method: str = "constraint_slp"
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Try:
    """Something to try: a button that sets the workspace."""

    label: str
    setup: Setup


@dataclass(frozen=True)
class Step:
    """One screen of a lesson."""

    title: str
    text: tuple[str, ...]
    setup: Setup
    views: tuple[ViewName, ...]
    task: str = ""
    tries: tuple[Try, ...] = ()


class Answered(Protocol):
    """A computed result that tells which choice is correct."""

    @property
    def correct(self) -> int | None:
        """Its place among the choices."""


@dataclass(frozen=True)
class Choice:
    """One choice of a question, and the reply to whoever takes it."""

    text: str
    reply: str


@dataclass(frozen=True)
class Question:
    """The question at the end of a lesson, about the workspace as it then is."""

    text: str
    choices: tuple[Choice, ...]
    result: Callable[[QuestionContext], Answered | None]
    evidence: Callable[[QuestionContext], str]
    needs: str = ""

    def correct(self, context: QuestionContext) -> int | None:
        """The correct choice; None where the workspace has no single one."""
        found = self.result(context)
        return None if found is None else found.correct


@dataclass(frozen=True)
class Lesson:
    """A lesson; its title is what it claims."""

    name: str
    title: str
    steps: tuple[Step, ...]
    question: Question
    page: str
    further: str
