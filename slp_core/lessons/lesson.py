"""What a lesson is made of: words, the workspace that a step sets, views, and a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from slp_core.facts import Facts
from slp_core.lessons.question_context import QuestionContext

ViewName: TypeAlias = Literal[
    "shared",
    "one vote",
    "map",
    "map alone",
    "editor",
    "bands",
    "worked example",
    "counter-example",
    "lines",
    "soft labels",
    "strip",
    "theorem 2",
    "three to move",
    "dimensions",
    "local labels",
    "training",
    "loss sharing",
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


@dataclass(frozen=True)
class Answer:
    """An answer that can be given."""

    text: str
    reply: str


@dataclass(frozen=True)
class Question:
    """What is asked at the end of a lesson, of the workspace as it then is."""

    text: str
    answers: tuple[Answer, ...]
    right: Callable[[QuestionContext], int | None]
    told: Callable[[QuestionContext], Facts]
    needs: str = ""


@dataclass(frozen=True)
class Lesson:
    """A lesson."""

    name: str
    title: str
    sentence: str
    steps: tuple[Step, ...]
    question: Question
    page: str
    further: str
