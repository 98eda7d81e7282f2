"""The lessons in their order; each builds on earlier ones, in a file beside this one."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from slp_core.lessons import questions
from slp_core.lessons.lesson import Lesson, Question, Setup, Step
from slp_core.lessons.questions import Answer, QuestionContext

_HERE = Path(__file__).parent
_QUESTIONS: dict[str, Callable[[QuestionContext], Answer | None]] = {
    "soft_label": questions.middle_class,
    "toy_example": questions.midway,
    "lines": questions.assignment,
    "theorem1": questions.smallest_share,
    "theorem2": questions.far_away,
    "dimensions": questions.deciding,
    "deep_slp": questions.same_weight,
    "ensemble": questions.jsd_halves,
    "meta_slp": questions.placing,
}


def _lesson(name: str) -> Lesson:
    content = tomllib.loads((_HERE / f"{name}.toml").read_text(encoding="utf-8"))
    asked = content["question"]
    choices = {_line(each["text"]): _line(each["reply"]) for each in asked["choices"]}
    needs = _line(asked.get("needs", ""))
    question = Question(_line(asked["text"]), choices, _QUESTIONS[name], needs)
    steps, further = tuple(map(_step, content["steps"])), _line(content["further"])
    return Lesson(name, content["title"], steps, question, content["page"], further)


def _step(content: Mapping[str, Any]) -> Step:
    paragraphs = tuple(map(_line, content["text"].split("\n\n")))
    tries = {each["label"]: Setup(**each["setup"]) for each in content.get("tries", ())}
    setup, views = Setup(**content["setup"]), tuple(content["views"])
    return Step(content["title"], paragraphs, setup, views, _line(content["task"]), tries)


def _line(text: str) -> str:
    """Text that a file has on several lines, on one."""
    return " ".join(text.split())


LESSONS: dict[str, Lesson] = {name: _lesson(name) for name in _QUESTIONS}
SHORT_PATH = ("soft_label", "dimensions", "deep_slp")
"""Three lessons of about a minute each, to begin with."""
