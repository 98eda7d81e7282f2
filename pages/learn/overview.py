"""All lessons, how far each has come, and something to move at once."""

from __future__ import annotations

import streamlit as st

from pages.learn.views import draw
from pages.session import settings
from pages.session.lessons import begin, progress_of
from pages.session.workspace import Workspace
from pages.widgets.say import say
from slp_core.lessons.lesson import Lesson
from slp_core.lessons.progress import Progress, done_facts, step_facts
from slp_core.lessons.table import LESSONS

_ACROSS = 3


def overview(workspace: Workspace) -> None:
    """The first picture of the first lesson, then a card for each."""
    st.subheader("Nine short lessons, each on the app's own pictures")
    st.markdown(
        "Two points at the ends of a line can serve three classes: that is what soft labels are "
        "for. Move the slider, and see when the class in the middle begins to win."
    )
    left, right = st.columns([9, 5], gap="large")
    with left:
        draw(workspace, ("shared",))
    with right:
        st.markdown(
            "A lesson sets data and method for you. Everything on its pictures can be clicked, "
            "moved and changed in the sidebar, and what it says is computed from what you see. "
            "You can leave it at any time: what was on the table before comes back, and the "
            "lesson goes on where you left it."
        )
        done = settings.PROGRESS.value
        say(done_facts(done, LESSONS), st.caption)
        name = _next(done)
        st.button(
            f"{_verb(progress_of(name))}: {LESSONS[name].title}",
            type="primary",
            icon=":material/play_arrow:",
            on_click=begin,
            args=(name,),
            key="go on",
        )
    lessons = list(LESSONS.values())
    for start in range(0, len(lessons), _ACROSS):
        for column, lesson in zip(
            st.columns(_ACROSS), lessons[start : start + _ACROSS], strict=True
        ):
            with column:
                _card(lesson, lessons.index(lesson))


def _next(progress: dict[str, Progress]) -> str:
    """The lesson that was begun last and is not done, or else the first that is not done."""
    open_ones = [name for name in LESSONS if not progress_of(name).done]
    begun = [name for name in progress if name in open_ones]
    return (begun[-1:] or open_ones or list(LESSONS))[0]


def _verb(progress: Progress) -> str:
    return "Again" if progress.done else "Go on" if progress.furthest else "Begin"


def _card(lesson: Lesson, number: int) -> None:
    progress = progress_of(lesson.name)
    with st.container(border=True, height="stretch", key=f"card {lesson.name}"):
        st.markdown(f"**{number + 1} · {lesson.title}**")
        st.markdown(lesson.sentence)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                _verb(progress),
                key=f"begin {lesson.name}",
                on_click=begin,
                args=(lesson.name, 0 if progress.done else None),
            )
            if progress.done:
                st.caption(":material/check_circle: Done")
            elif progress.furthest:
                say(step_facts(progress.step, len(lesson.steps)), st.caption)
