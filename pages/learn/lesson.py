"""A lesson: text and tasks beside the app's own views."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.learn.views import draw
from pages.session import settings
from pages.session.component import component
from pages.session.lessons import (
    apply,
    begin,
    for_the_browser,
    give_answer,
    go,
    is_set,
    leave,
    progress_of,
)
from pages.session.settings import view
from pages.session.workspace import Workspace
from pages.shell.navigation import PAGES, script
from pages.widgets.episode import taken_episode
from pages.widgets.readings import diagnostics_of
from slp_core.explain.text import predictions_text
from slp_core.lessons.lesson import Lesson, Setup, Step
from slp_core.lessons.questions import QuestionContext
from slp_core.lessons.table import LESSONS, SHORT_PATH
from slp_core.lessons.text import step_text
from slp_core.methods.protocols import HasMembers

TURNS = "lesson turns"  # what leads to another step, which is then read from its top
_kept = component(__file__, "kept_in_browser")
TOP = "lesson top"  # where who came by the keyboard goes on: goes_on.js


def show_lesson(workspace: Workspace, lesson: Lesson) -> None:
    at = min(settings.LESSON_STEP.value, len(lesson.steps))
    st.subheader(lesson.title)
    _ways(lesson, at)
    step = lesson.steps[min(at, len(lesson.steps) - 1)]
    left, right = st.columns([5, 9], gap="large")
    with right:
        draw(workspace, step.views)
    with left:
        if at < len(lesson.steps):
            _text(lesson, step, at)
        else:
            _question(workspace, lesson)
            _further(lesson)


def keep_in_browser() -> None:
    """Have the browser store progress, and the settings before the lesson, as cookies."""
    _kept(key="kept in browser", data=for_the_browser(), height="content")


def _ways(lesson: Lesson, at: int) -> None:
    steps = len(lesson.steps)
    with st.container(horizontal=True, vertical_alignment="center", key="lesson ways"):
        st.segmented_control(
            "Step",
            range(steps + 1),
            format_func=lambda i: "Question" if i == steps else str(i + 1),
            label_visibility="collapsed",
            required=True,
            width="content",
            default=at,
            **view("step_choice", at, go),
        )
        if settings.BEFORE_LESSON.value:
            label, icon = "Exit lesson", ":material/undo:"
            tip = "Restores your data and method."
        else:
            label, icon, tip = "All lessons", ":material/list:", None
        st.button(label, icon=icon, type="tertiary", on_click=leave, help=tip)


def _top(lesson: Lesson, at: int, title: str) -> None:
    with st.container(key=TOP):
        st.caption(step_text(at, len(lesson.steps)))
        st.markdown(f"**{title}**")


def _text(lesson: Lesson, step: Step, at: int) -> None:
    _top(lesson, at, step.title)
    for paragraph in step.text:
        st.markdown(paragraph)
    if step.task:
        st.markdown(f":material/touch_app: **Try it.** {step.task}")
    if step.tries:
        with st.container(horizontal=True):
            for number, (label, setup) in enumerate(step.tries.items()):
                st.button(
                    label,
                    key=f"try {lesson.name} {at} {number}",
                    type="primary" if is_set(setup) else "secondary",
                    on_click=apply,
                    args=(setup,),
                )
    _changed(step.setup, *step.tries.values())
    with st.container(horizontal=True, key=TURNS):
        st.button(
            "Back", icon=":material/arrow_back:", disabled=at == 0, on_click=go, args=(at - 1,)
        )
        st.button(
            "Next", icon=":material/arrow_forward:", type="primary", on_click=go, args=(at + 1,)
        )


def _changed(setup: Setup, *others: Setup) -> None:
    """A button to the setup of a step, unless that or another of its own stands."""
    if not any(map(is_set, (setup, *others))):
        st.caption(":material/info: The settings are no longer those of this step.")
        st.button("Reset step", icon=":material/restart_alt:", on_click=apply, args=(setup,))


def _question(workspace: Workspace, lesson: Lesson) -> None:
    question, progress = lesson.question, progress_of(lesson.name)
    steps = len(lesson.steps)
    _top(lesson, steps, question.text)
    found = question.answer(context_of(workspace))
    if found is None or found.correct is None:
        st.info(
            question.needs or "With the current settings this question has no single answer.",
            icon=":material/info:",
        )
        _changed(lesson.steps[-1].setup)
        return
    correct, choices = found.correct, list(question.choices)
    answer = progress.answer if (progress.answer or 0) < len(choices) else None
    st.radio(
        "Your answer",
        range(len(choices)),
        index=None,
        format_func=choices.__getitem__,
        **view(f"answer {lesson.name}", answer, partial(_answered, lesson.name, correct)),
    )
    if answer is None:
        return
    reply = question.choices[choices[answer]]
    if answer == correct:
        st.success(f"**Correct.** {reply}", icon=":material/check_circle:")
        st.markdown(found.evidence)
        st.markdown(predictions_text(workspace.predictions))
    else:
        st.warning(f"**Not quite.** {reply}", icon=":material/cancel:")


def _answered(lesson: str, correct: int, answer: int) -> None:
    give_answer(lesson, answer, answer == correct)


def _further(lesson: Lesson) -> None:
    with st.container(horizontal=True, key=TURNS):
        last = len(lesson.steps) - 1
        st.button("Back", icon=":material/arrow_back:", on_click=go, args=(last,))
        paths = {"Next of the three-minute path": SHORT_PATH, "Next lesson": tuple(LESSONS)}
        following = {
            path[path.index(lesson.name) + 1]: label
            for label, path in paths.items()
            if lesson.name in path[:-1]
        }
        for name, label in following.items():  # one button where both lead to the same lesson
            st.button(
                f"{label}: {LESSONS[name].title}",
                icon=":material/arrow_forward:",
                on_click=begin,
                args=(name,),
            )
    title, (_, icon) = next(
        (title, page) for title, page in PAGES.items() if page[0] == lesson.page
    )
    st.page_link(script(lesson.page), label=f"Continue on {title}", icon=icon)
    st.caption(lesson.further)


def context_of(workspace: Workspace) -> QuestionContext:
    query, model = workspace.episode.query, workspace.model
    divided = isinstance(model, HasMembers) and len(query)
    return QuestionContext(
        model,
        workspace.X[query],
        workspace.predictions.true,
        workspace.predictions.predicted,
        workspace.predictions.nearest,
        diagnostics_of(workspace, "none").jsd if divided else None,
        None if workspace.dataset.kind == "numeric" else taken_episode(workspace),
    )
