"""Learn: nine lessons on the app's own views, the paper's numbers, and links for a class."""

from __future__ import annotations

import streamlit as st

from pages.learn.lecture import show_lecture
from pages.learn.lesson import keep_in_browser, show_lesson
from pages.learn.stage import opening_stage
from pages.learn.teachers import for_teachers
from pages.session import settings
from pages.session.lectures import current_lecture
from pages.session.lessons import begin, current_lesson, progress_of
from pages.session.workspace import Workspace
from pages.shell.frame import current_workspace
from pages.widgets.parts import alone, folded
from pages.widgets.worked_example import papers_examples
from slp_core.lessons.lesson import Progress
from slp_core.lessons.table import LESSONS, SHORT_PATH
from slp_core.lessons.text import done_text, step_text

_COLUMNS = 2  # of lessons


def page(workspace: Workspace) -> None:
    lecture, lesson = current_lecture(), current_lesson()
    if lecture is not None:
        show_lecture(workspace, lecture)
        return
    if lesson is None:
        _overview()
        alone(folded, "The paper's examples, number by number", "examples", papers_examples)
    else:
        show_lesson(workspace, lesson)
    alone(for_teachers)
    keep_in_browser()


def _overview() -> None:
    st.subheader("Two prototypes can serve three classes: drag a centroid.")
    alone(opening_stage)
    progress = settings.PROGRESS.value
    names, following = list(LESSONS), _next_lesson(progress)
    path = ", ".join(str(names.index(name) + 1) for name in SHORT_PATH)
    st.caption(f"{done_text(progress, LESSONS)} In three minutes: {path}.")
    with st.container(key="lessons"):
        columns = st.columns(_COLUMNS, gap="small")
        for number, name in enumerate(names):
            with columns[number // -(-len(names) // _COLUMNS)]:
                _lesson_button(name, number + 1, name == following)


def _next_lesson(progress: dict[str, Progress]) -> str:
    """The lesson last begun and not done; else the first undone one of the short path."""
    undone = [name for name in (*SHORT_PATH, *LESSONS) if not progress_of(name).done]
    begun = [name for name in progress if name in undone]
    return (begun[-1:] or undone or list(LESSONS))[0]


def _lesson_button(name: str, number: int, following: bool) -> None:
    progress, lesson = progress_of(name), LESSONS[name]
    tip = step_text(progress.step, len(lesson.steps)) if progress.furthest else None
    st.button(
        f"{number} · {lesson.title}",
        icon=f":material/{'check_circle' if progress.done else 'play_circle'}:",
        key=f"begin {name}",
        type="primary" if following else "secondary",
        help="Done" if progress.done else tip,
        on_click=begin,
        args=(name, 0 if progress.done else None),
        width="stretch",
    )


page(current_workspace())
