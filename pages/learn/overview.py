"""All lessons, how far each has come, and something to move at once."""

from __future__ import annotations

import streamlit as st

from pages.learn.views import draw
from pages.session import settings
from pages.session.lessons import begin, progress_of
from pages.session.workspace import Workspace
from pages.widgets.say import say
from slp_core.lessons.progress import Progress
from slp_core.lessons.table import LESSONS, SHORT_PATH
from slp_core.lessons.text import done_text, step_text

_ACROSS = 3


def overview(workspace: Workspace) -> None:
    """The first picture of the first lesson, and a button for each lesson."""
    st.subheader("Two prototypes can serve three classes: raise the share of the middle one.")
    left, right = st.columns([13, 7], gap="medium")
    with left:
        draw(workspace, ("shared",))
    with right:
        _start()
    names = list(LESSONS)
    for start in range(0, len(names), _ACROSS):
        row = names[start : start + _ACROSS]
        for column, name in zip(st.columns(_ACROSS), row, strict=True):
            with column:
                _lesson_button(name, names.index(name) + 1)


def _start() -> None:
    """The way in: the lesson begun last, or else the next of the short path."""
    progress = settings.PROGRESS.value
    name = next_lesson(progress)
    say(done_text(progress, LESSONS), st.caption)
    st.button(
        f"{_verb(progress_of(name))}: {LESSONS[name].title}",
        type="primary",
        icon=":material/play_arrow:",
        on_click=begin,
        args=(name,),
        key="go on",
    )
    path = ", ".join(str(list(LESSONS).index(each) + 1) for each in SHORT_PATH)
    st.caption(
        f"Three minutes: lessons {path}. A lesson sets data and method; leaving it restores yours."
    )


def next_lesson(progress: dict[str, Progress]) -> str:
    """The lesson that was begun last and is not done; else the first undone of the short path."""
    undone = [name for name in (*SHORT_PATH, *LESSONS) if not progress_of(name).done]
    begun = [name for name in progress if name in undone]
    return (begun[-1:] or undone or list(LESSONS))[0]


def _verb(progress: Progress) -> str:
    return "Repeat" if progress.done else "Continue" if progress.furthest else "Begin"


def _lesson_button(name: str, number: int) -> None:
    progress, lesson = progress_of(name), LESSONS[name]
    tip = step_text(progress.step, len(lesson.steps)) if progress.furthest else None
    st.button(
        f"{number} · {lesson.title}",
        icon=":material/check_circle:" if progress.done else ":material/circle:",
        key=f"begin {name}",
        help="Done" if progress.done else tip,
        on_click=begin,
        args=(name, 0 if progress.done else None),
        width="stretch",
    )
