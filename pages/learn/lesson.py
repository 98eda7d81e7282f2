"""A lesson on the page: text and what to try on the left, the app's own views on the right."""

from __future__ import annotations

import streamlit as st

from pages.learn.views import draw
from pages.session import settings
from pages.session.lessons import (
    answered,
    apply,
    begin,
    go,
    is_set,
    leave,
    progress_of,
    setup_of,
)
from pages.session.settings import view
from pages.session.workspace import Workspace
from pages.shell.navigation import PAGES, script
from pages.widgets.episode import taken_episode
from pages.widgets.readings import causes_of, diagnostics_of
from pages.widgets.say import say
from slp_core.lessons.lesson import Lesson, Step, Try
from slp_core.lessons.progress import step_facts
from slp_core.lessons.question_context import QuestionContext
from slp_core.lessons.table import LESSONS
from slp_core.methods.protocols import has_members

TURNS = "lesson turns"  # what leads to another step, which is then read from its top
TOP = "lesson top"  # where who came by the keyboard goes on: goes_on.js


def show_lesson(workspace: Workspace, lesson: Lesson) -> None:
    """The step that the visitor is at, or the question."""
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


def _ways(lesson: Lesson, at: int) -> None:
    """Which step it is, and the ways to others and out."""
    steps = len(lesson.steps)
    with st.container(horizontal=True, vertical_alignment="center", key="lesson ways"):
        st.segmented_control(
            "Step",
            range(steps + 1),
            format_func=lambda i: _step_name(i, steps),
            label_visibility="collapsed",
            required=True,
            width="content",
            default=at,
            **view("step_choice", at, go),
        )
        if settings.BEFORE_LESSON.value:
            label, icon = "Back to where I was", ":material/undo:"
            tip = "Out of the lesson: data and method as they were before it."
        else:
            label, icon, tip = "All lessons", ":material/list:", "Out of this lesson."
        st.button(label, icon=icon, type="tertiary", on_click=leave, help=tip)


def _step_name(step: int, steps: int) -> str:
    return "Question" if step == steps else str(step + 1)


def _top(lesson: Lesson, at: int, title: str) -> None:
    with st.container(key=TOP):
        say(step_facts(at, len(lesson.steps)), st.caption)
        st.markdown(f"**{title}**")


def _text(lesson: Lesson, step: Step, at: int) -> None:
    _top(lesson, at, step.title)
    for paragraph in step.text:
        st.markdown(paragraph)
    if step.task:
        st.markdown(f":material/touch_app: **Try it.** {step.task}")
    if step.tries:
        with st.container(horizontal=True):
            for number, each in enumerate(step.tries):
                _try_button(lesson, each, f"try {lesson.name} {at} {number}")
    _changed(lesson, at)
    with st.container(horizontal=True, key=TURNS):
        st.button(
            "Back", icon=":material/arrow_back:", disabled=at == 0, on_click=go, args=(at - 1,)
        )
        st.button(
            "Next", icon=":material/arrow_forward:", type="primary", on_click=go, args=(at + 1,)
        )


def _try_button(lesson: Lesson, each: Try, key: str) -> None:
    st.button(
        each.label,
        key=key,
        type="primary" if is_set(each.setup) else "secondary",
        on_click=apply,
        args=(each.setup,),
    )


def _changed(lesson: Lesson, at: int) -> None:
    """That the sidebar is no longer as the step has it, nor as one of its buttons sets it."""
    step = lesson.steps[min(at, len(lesson.steps) - 1)]
    setup = setup_of(lesson, at)
    if any(is_set(each) for each in (setup, *(each.setup for each in step.tries))):
        return
    st.caption(
        ":material/info: The sidebar is no longer as this step has it. The views follow the "
        "sidebar; the text is about the step's own data."
    )
    st.button("As the step has it", icon=":material/restart_alt:", on_click=apply, args=(setup,))


def _question(workspace: Workspace, lesson: Lesson) -> None:
    question, progress = lesson.question, progress_of(lesson.name)
    steps = len(lesson.steps)
    _top(lesson, steps, question.text)
    ground = ground_of(workspace)
    right = question.right(ground)
    if right is None:
        st.info(
            question.needs
            or "With what is on the table now this question has no single answer: take the "
            "lesson's own data.",
            icon=":material/info:",
        )
        if not is_set(setup_of(lesson, steps)):
            st.button(
                "Take the lesson's own data",
                icon=":material/restart_alt:",
                on_click=apply,
                args=(setup_of(lesson, steps),),
            )
        return
    key = f"answer {lesson.name}"

    def given() -> None:
        if (answer := st.session_state.get(key)) is not None:
            answered(lesson.name, answer, answer == right)

    st.radio(
        "Your answer",
        range(len(question.answers)),
        index=progress.answer if (progress.answer or 0) < len(question.answers) else None,
        format_func=lambda i: question.answers[i].text,
        key=key,
        on_change=given,
    )
    answer = progress_of(lesson.name).answer
    if answer is None or answer >= len(question.answers):
        st.caption("Look at the views again, if you like, before you answer.")
        return
    if answer == right:
        st.success(f"**Right.** {question.answers[answer].reply}", icon=":material/check_circle:")
        st.markdown("**What is to be seen**")
        say(question.told(ground))
        say(workspace.answers.facts())
        st.caption("Computed from what is on the table now: change it, and this changes.")
    else:
        st.warning(f"**Not so.** {question.answers[answer].reply}", icon=":material/cancel:")


def _further(lesson: Lesson) -> None:
    """The next lesson, and the page on which to go on."""
    with st.container(horizontal=True, key=TURNS):
        last = len(lesson.steps) - 1
        st.button("Back", icon=":material/arrow_back:", on_click=go, args=(last,))
        names = list(LESSONS)
        after = names.index(lesson.name) + 1
        if after < len(names):
            following = LESSONS[names[after]]
            st.button(
                f"Next lesson: {following.title}",
                icon=":material/arrow_forward:",
                on_click=begin,
                args=(following.name,),
            )
    title, (_, icon, _) = next(
        (title, page) for title, page in PAGES.items() if page[0] == lesson.page
    )
    st.page_link(script(lesson.page), label=f"Go on: {title}", icon=icon)
    st.caption(lesson.further)


def ground_of(workspace: Workspace) -> QuestionContext:
    """What a question is asked of."""
    query = workspace.episode.query
    model = workspace.model
    jsd = None
    if has_members(model) and len(query):
        jsd = diagnostics_of(workspace, "none").jsd
    return QuestionContext(
        model,
        workspace.X[query],
        workspace.answers.true,
        workspace.answers.predicted,
        causes_of(workspace).nearest,
        jsd,
        None if workspace.dataset.kind == "numeric" else taken_episode(workspace),
    )
