"""A lecture: scenes shown one at a time, written as a file that teachers can write too."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from slp_core.errors import SLPError
from slp_core.sentences import count, listed

LONGEST = {  # characters
    "title": 80,
    "link": 2_000,
    "sentence": 200,
    "question": 200,
    "choices": 80,
    "correct": 80,
    "why": 200,
}
CLASSES = "classes"  # as choices: those of the data, one of which is predicted
MOST_CHOICES = 6
MOST_WORDS = 8  # of a title
MOST_SCENES = 40
MOST_BYTES = 20_000
LONGEST_LINE = 2_200  # bytes: a key of thousands of parts takes tomllib minutes


class LectureError(SLPError):
    """A file that cannot be read as a lecture."""


@dataclass(frozen=True)
class Scene:
    """One view, which a link opens, and the words around it.

    A room can be given a question that has choices: written ones, of which ``correct`` is one, or
    the classes of the data, where the method and the labels say what is correct.
    """

    title: str
    link: str
    sentence: str
    question: str = ""
    choices: tuple[str, ...] = ()
    correct: str = ""
    why: str = ""
    of_classes: bool = False

    @property
    def for_the_room(self) -> bool:
        """Whether its question has choices."""
        return self.of_classes or bool(self.choices)


@dataclass(frozen=True)
class Lecture:
    title: str
    scenes: tuple[Scene, ...]


def read_lecture(file: bytes, wrong_link: Callable[[str], str] = lambda link: "") -> Lecture:
    """A TOML file as a lecture; ``wrong_link`` says what is wrong with a link, or nothing."""
    if len(file) > MOST_BYTES:
        raise LectureError(f"The file is larger than {MOST_BYTES:,} bytes: shorten the lecture.")
    if (longest := max(map(len, file.splitlines()), default=0)) > LONGEST_LINE:
        raise LectureError(f"A line has {longest:,} bytes: at most {LONGEST_LINE:,} are read.")
    try:
        content = tomllib.loads(file.decode())
    except (ValueError, RecursionError) as error:
        raise LectureError(f"The file is not valid TOML: {error}.") from None
    _only(content, ("title", "scenes"), "The lecture")
    title = _text(content, "title", "The lecture")
    scenes = content.get("scenes")
    if not isinstance(scenes, list) or not scenes:
        raise LectureError("The lecture has no scenes: begin each with a line [[scenes]].")
    if len(scenes) > MOST_SCENES:
        raise LectureError(
            f"The lecture has {count(len(scenes), 'scene')}: at most {MOST_SCENES} can be shown."
        )
    return Lecture(
        title, tuple(_scene(each, f"Scene {n}", wrong_link) for n, each in enumerate(scenes, 1))
    )


def _scene(content: Any, where: str, wrong_link: Callable[[str], str]) -> Scene:
    if not isinstance(content, dict):
        raise LectureError(f"{where} is not a table: begin it with a line [[scenes]].")
    _only(content, LONGEST, where)
    title, link, sentence = (_text(content, key, where) for key in ("title", "link", "sentence"))
    question = _text({"question": ""} | content, "question", where, least=0)
    scene = Scene(title, link, sentence, question, **_choices(content, question, where))
    if (words := len(scene.title.split())) > MOST_WORDS:
        raise LectureError(
            f"{where}, field “title”, has {count(words, 'word')}: at most {MOST_WORDS} fit."
        )
    if wrong := wrong_link(scene.link):
        raise LectureError(f"{where}, field “link”: {wrong}")
    return scene


def _choices(content: Mapping[str, Any], question: str, where: str) -> dict[str, Any]:
    """The fields of a question that can be given to a room."""
    given = content.get("choices", [])
    if given and not question:
        raise LectureError(f'{where} has choices and no question: add a line question = "…".')
    if given in ([], CLASSES):
        if surplus := [key for key in ("correct", "why") if key in content]:
            raise LectureError(
                f"{where}, field “{surplus[0]}”, has no list of choices to go with: add one."
            )
        return {"of_classes": given == CLASSES}
    where_choices = f"{where}, field “choices”,"
    if not isinstance(given, list):
        raise LectureError(
            f'{where_choices} is not a list: write ["…", "…"], or "{CLASSES}" for those of the '
            "data."
        )
    if not 2 <= len(given) <= MOST_CHOICES:
        raise LectureError(
            f"{where_choices} has {count(len(given), 'choice')}: write 2 to {MOST_CHOICES}."
        )
    choices = tuple(_text({"choices": each}, "choices", where) for each in given)
    correct, why = (_text(content, key, where) for key in ("correct", "why"))
    if len(set(choices)) < len(choices) or correct not in choices:
        raise LectureError(f"{where}, field “correct”, is not one of choices that all differ.")
    return {"choices": choices, "correct": correct, "why": why}


def _only(content: Mapping[str, Any], known: Collection[str], where: str) -> None:
    if unknown := [key for key in content if key not in known]:
        raise LectureError(
            f"{where} has an unknown field “{unknown[0]}”: its fields are {listed(list(known))}."
        )


def _text(content: Mapping[str, Any], key: str, where: str, least: int = 1) -> str:
    if key not in content:
        raise LectureError(f'{where} has no field “{key}”: add a line {key} = "…".')
    if not isinstance(content[key], str):
        raise LectureError(f"{where}, field “{key}”, is not a text: put it in quotes.")
    text = " ".join(content[key].split())
    if not least <= len(text) <= LONGEST[key]:
        raise LectureError(
            f"{where}, field “{key}”, has {count(len(text), 'character')}: "
            f"write {least} to {LONGEST[key]:,}."
        )
    return text


FILES = {
    file.stem: file.read_bytes()
    for file in sorted(Path(__file__).with_name("lectures").glob("*.toml"))
}
"""The lectures of the app, as files."""
