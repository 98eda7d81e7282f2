"""The lessons in their order; each builds on earlier ones, in a file beside this one."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from slp_core.lessons import questions, text
from slp_core.lessons.lesson import Choice, Lesson, Question, Setup, Step, Try
from slp_core.lessons.questions import QuestionContext

_HERE = Path(__file__).parent
_QUESTIONS: dict[str, tuple[Callable[[QuestionContext], Any], Callable[[Any], str]]] = {
    "soft_label": (questions.MiddleClass.of, text.middle_text),
    "toy_example": (questions.midway, text.midway_text),
    "lines": (questions.assignment, text.assignment_text),
    "theorem1": (questions.SmallestShare.of, text.middle_text),
    "theorem2": (questions.FarAway.of, text.far_text),
    "dimensions": (questions.deciding, text.deciding_text),
    "deep_slp": (questions.same_weight, text.same_weight_text),
    "ensemble": (questions.jsd_halves, text.halves_text),
    "meta_slp": (questions.placing, text.placing_text),
}
"""Each lesson's question: what is computed, and what is said of it."""


def _lesson(name: str) -> Lesson:
    content = tomllib.loads((_HERE / f"{name}.toml").read_text(encoding="utf-8"))
    asked = content["question"]
    choices = tuple(Choice(_line(each["text"]), _line(each["reply"])) for each in asked["choices"])
    needs = _line(asked.get("needs", ""))
    question = Question(_line(asked["text"]), choices, *_QUESTIONS[name], needs)
    steps, further = tuple(map(_step, content["steps"])), _line(content["further"])
    return Lesson(name, content["title"], steps, question, content["page"], further)


def _step(content: Mapping[str, Any]) -> Step:
    paragraphs = tuple(map(_line, content["text"].split("\n\n")))
    tries = tuple(Try(each["label"], Setup(**each["setup"])) for each in content.get("tries", ()))
    setup, views = Setup(**content["setup"]), tuple(content["views"])
    return Step(content["title"], paragraphs, setup, views, _line(content["task"]), tries)


def _line(text: str) -> str:
    """Text that a file has on several lines, on one."""
    return " ".join(text.split())


LESSONS: dict[str, Lesson] = {name: _lesson(name) for name in _QUESTIONS}
SHORT_PATH = ("soft_label", "dimensions", "deep_slp")
"""Three lessons of about a minute each, to begin with."""
