"""What a lesson is made of: words, the workspace that a step sets, views, and a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from slp_core.facts import Facts
from slp_core.lessons.ground import Ground

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
    """The workspace that a step sets: all that the sidebar settles.

    Attributes
    ----------
    dataset : str
        Name of a bundled dataset.
    dimension : int
        Of a toy that has a choice of it.
    encoder : str
        Name of an encoder; "" for the dataset's own.
    shots, draw : int
    method : str
        Name in the table of methods.
    options : mapping of str to Any
        Parameters of the method that are not as it has them by itself.
    """

    dataset: str
    dimension: int = 16
    encoder: str = ""
    shots: int = 16
    draw: int = 0
    method: str = "constraint_slp"
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Try:
    """Something to try: a button that sets the workspace.

    Attributes
    ----------
    label : str
    setup : Setup
    """

    label: str
    setup: Setup


@dataclass(frozen=True)
class Step:
    """One screen of a lesson.

    Attributes
    ----------
    title : str
    text : tuple of str
        Paragraphs in Markdown, without computed numbers: what is defined, and what to look for.
    setup : Setup
    views : tuple of ViewName
        What stands beside the text, from the top.
    task : str
        What to do with it.
    tries : tuple of Try
    """

    title: str
    text: tuple[str, ...]
    setup: Setup
    views: tuple[ViewName, ...]
    task: str = ""
    tries: tuple[Try, ...] = ()


@dataclass(frozen=True)
class Answer:
    """An answer that can be given.

    Attributes
    ----------
    text : str
    reply : str
        What is said to whoever gives it, be it right or wrong.
    """

    text: str
    reply: str


@dataclass(frozen=True)
class Question:
    """What is asked at the end of a lesson, of the workspace as it then is.

    Attributes
    ----------
    text : str
    answers : tuple of Answer
    right : callable
        Which answer is right, counted from 0: computed from the workspace. None where the question
        makes no sense of it, or has no one answer there.
    told : callable
        What is to be seen of it, in numbers.
    needs : str
        What has to be done first, where it needs more than the step's workspace.
    """

    text: str
    answers: tuple[Answer, ...]
    right: Callable[[Ground], int | None]
    told: Callable[[Ground], Facts]
    needs: str = ""


@dataclass(frozen=True)
class Lesson:
    """A lesson.

    Attributes
    ----------
    name : str
        In addresses.
    title : str
    sentence : str
        What it is about.
    steps : tuple of Step
        The question follows the last.
    question : Question
    page : str
        The folder of the page on which to go on.
    further : str
        What is to be found there.
    """

    name: str
    title: str
    sentence: str
    steps: tuple[Step, ...]
    question: Question
    page: str
    further: str
