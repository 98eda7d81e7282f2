"""The parts of a lesson: words, the workspace that a step sets, views, and a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from slp_core.lessons.questions import Answer, QuestionContext


@dataclass(frozen=True)
class Progress:
    step: int = 0
    furthest: int = 0
    answer: int | None = None
    done: bool = False


@dataclass(frozen=True)
class Setup:
    """The workspace that a step sets, with all the sidebar's settings."""

    dataset: str
    dimension: int = 16
    encoder: str = ""
    shots: int = 16
    draw: int = 0
    method: str = "constraint_slp"
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Step:
    title: str
    text: tuple[str, ...]
    setup: Setup
    views: tuple[str, ...]  # of the app, which stand beside the text
    task: str = ""
    tries: Mapping[str, Setup] = field(default_factory=dict)  # buttons that set the workspace


@dataclass(frozen=True)
class Question:
    text: str
    choices: Mapping[str, str]  # with the reply to each
    answer: Callable[[QuestionContext], Answer | None]
    needs: str = ""


@dataclass(frozen=True)
class Lesson:
    """A lesson; its title is what it claims."""

    name: str
    title: str
    steps: tuple[Step, ...]
    question: Question
    page: str
    further: str
