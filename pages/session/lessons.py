"""The current lesson: the workspace that it sets, the settings before it, and progress."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, quote, unquote

import streamlit as st

import slp_core as slp
from pages.session import settings
from pages.session.address import apply_url, known
from pages.session.available_encoders import titles_by_name
from pages.session.methods import ON_VECTORS
from pages.session.old_links import current_names
from pages.session.workspace import bundled_dataset
from slp_core.lessons.lesson import Lesson, Progress, Setup
from slp_core.lessons.table import LESSONS
from slp_core.methods.options import Choice
from slp_core.methods.table import METHODS

PROGRESS_COOKIE, BEFORE_COOKIE = "slp_lessons", "slp_before"
PAGE = "learn"
_ONE_LESSON = re.compile(r"([a-z0-9_]{1,40})\.(\d{1,2})\.(\d{1,2})\.(\d?)\.([01])")
_LONGEST_PROGRESS = 1_000  # characters that are read of what a browser kept
LENGTHS = {name: len(lesson.steps) for name, lesson in LESSONS.items()}


def current_lesson() -> Lesson | None:
    return LESSONS.get(settings.LESSON.value)


def progress_of(name: str) -> Progress:
    return _progress().get(name, Progress())


def _progress() -> dict[str, Progress]:
    if not settings.PROGRESS.is_set:
        settings.PROGRESS.set(read_progress(_cookie(PROGRESS_COOKIE), LENGTHS))
    return settings.PROGRESS.value


def begin(name: str, step: int | None = None) -> None:
    remember()
    settings.LECTURE.clear()
    settings.LESSON.set(name)
    at = progress_of(name).step if step is None else min(step, LENGTHS[name])
    _go(name, at)
    apply(setup_of(LESSONS[name], at))


def go(step: int) -> None:
    """Go to a step, and set its workspace if it differs from the last step's."""
    name, before = settings.LESSON.value, settings.LESSON_STEP.value
    if not name:  # somebody clicked after they had left it, and before the page was drawn
        return
    lesson = LESSONS[name]
    _go(name, step)
    if setup_of(lesson, step) != setup_of(lesson, before):
        apply(setup_of(lesson, step))


def remember() -> None:
    """Store the view before a lesson or a lecture, as a query; a new visit has its browser's."""
    if not settings.LESSON.value and not settings.LECTURE.value:
        link = settings.LINK.value
        settings.BEFORE_LESSON.set(unquote(_cookie(BEFORE_COOKIE)) if link is None else f"?{link}")


def leave() -> None:
    """Leave the lesson or the lecture, and open the view before it."""
    before = settings.BEFORE_LESSON.value
    if before or settings.LECTURE.value:
        clear_workspace()
        apply_url(current_names(parse_qs(before.removeprefix("?"))))
    settings.LESSON.clear()
    settings.LECTURE.clear()
    settings.BEFORE_LESSON.clear()


def clear_workspace() -> None:
    for key in _settled(_FIRST):
        st.session_state.pop(key, None)
    for setting in (
        settings.EDITS,
        settings.TYPED_SHOTS,
        settings.POINT,
        settings.TYPED,
        settings.MISSING,
    ):
        setting.clear()


def give_answer(name: str, answer: int, correct: bool) -> None:
    now = progress_of(name)
    _keep(name, replace(now, answer=answer, done=now.done or correct))


def setup_of(lesson: Lesson, step: int) -> Setup:
    """The workspace of a step; the question uses the last step's."""
    return lesson.steps[min(step, len(lesson.steps) - 1)].setup


def apply(setup: Setup) -> None:
    """Set the sidebar; only before it is drawn, or in a callback."""
    clear_workspace()
    st.session_state.update(_settled(setup))


def is_set(setup: Setup) -> bool:
    """Whether the sidebar is still as it was set."""
    now = ((known(key), value) for key, value in _settled(setup).items())
    return all(setting is not None and setting.value == value for setting, value in now)


def address_of(lesson: Lesson) -> dict[str, str]:
    """The URL that opens a lesson at its beginning."""
    return {settings.LESSON.key: lesson.name, settings.LESSON_STEP.key: "0"}


def for_the_browser() -> dict[str, str]:
    """What the browser stores, by cookie."""
    before = quote(settings.BEFORE_LESSON.value, safe="")
    return {
        PROGRESS_COOKIE: written_progress(_progress()),
        BEFORE_COOKIE: before if len(before) <= settings.LONGEST else "",
    }


def _go(name: str, step: int) -> None:
    settings.LESSON_STEP.set(step)
    now = progress_of(name)
    _keep(name, replace(now, step=step, furthest=max(now.furthest, step)))


def _keep(name: str, progress: Progress) -> None:
    settings.PROGRESS.set(_progress() | {name: progress})


def _settled(setup: Setup) -> dict[str, Any]:
    """The sidebar's settings of a workspace, by key."""
    infos = {info.name: info for info in slp.list_datasets()}
    options = {"dimension": setup.dimension} if "dimension" in infos[setup.dataset].options else {}
    dataset = bundled_dataset(setup.dataset, **options)
    encoder = setup.encoder or dataset.default_encoder
    return {
        settings.DATASET.key: infos[setup.dataset].title,
        settings.DIMENSION.key: setup.dimension,
        settings.ENCODER.key: titles_by_name()[encoder],
        settings.COMBINE.key: settings.COMBINE.default,
        settings.CHUNKS.key: settings.CHUNKS.default,
        settings.NORMALISATION.key: settings.NORMALISATION.default,
        settings.SHOTS.key: setup.shots,
        settings.DRAW.key: setup.draw,
        settings.METHOD.key: METHODS[setup.method].title,
        **{o.short_name: _label(o, setup) for m in ON_VECTORS.values() for o in (*m.main, *m.more)},
    }


def _label(option: Choice, setup: Setup) -> str:
    first = next(iter(option.choices.values()))
    return option.called(setup.options.get(option.parameter, first))


_FIRST = Setup("airline")


def _cookie(name: str) -> str:
    return st.context.cookies.get(name) or ""


def written_progress(progress: Mapping[str, Progress]) -> str:
    return "~".join(
        f"{name}.{p.step}.{p.furthest}.{'' if p.answer is None else p.answer}.{int(p.done)}"
        for name, p in progress.items()
    )


def read_progress(text: str, lengths: Mapping[str, int]) -> dict[str, Progress]:
    """The stored progress, as far as it is plausible."""
    found = {}
    for part in text[:_LONGEST_PROGRESS].split("~"):
        match = _ONE_LESSON.fullmatch(part)
        if match is None or match[1] not in lengths:
            continue
        most = lengths[match[1]]
        furthest = min(int(match[3]), most)
        answer = int(match[4]) if match[4] else None
        found[match[1]] = Progress(min(int(match[2]), furthest), furthest, answer, match[5] == "1")
    return found
