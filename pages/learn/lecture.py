"""A scene of a lecture: a view between a title and a sentence, as large as fits."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.learn import poll
from pages.learn.views import draw
from pages.session import settings
from pages.session.component import component
from pages.session.lectures import go, picture_of
from pages.session.lessons import leave
from pages.session.selection import row_or_default
from pages.session.workspace import Workspace
from pages.widgets.guess import guessed_example
from pages.widgets.parts import alone
from slp_core.lessons.lecture import Lecture, Scene
from slp_core.markdown import literal

_CSS = Path(__file__).with_suffix(".css")
_turns = component(__file__, "lecture_turns")


def show_lecture(workspace: Workspace, lecture: Lecture) -> None:
    at = min(settings.SCENE.value, len(lecture.scenes) - 1)
    scene = lecture.scenes[at]
    st.html(_CSS)
    with st.container(key="lecture"):
        st.title(literal(scene.title), anchor=False)
        with st.container(key="lecture-middle"):
            with st.container(key="lecture-room"), st.container(key=f"lecture-picture-{at}"):
                _picture(workspace, scene, at)
            if scene.for_the_room:
                poll.panel(workspace, scene, at)
        with st.container(key="lecture-words", gap="xsmall"):
            st.markdown(literal(scene.sentence))
            if scene.question:
                with st.container(horizontal=True, vertical_alignment="center"):
                    st.markdown(f"**{literal(scene.question)}**")
                    if scene.for_the_room:
                        poll.controls(workspace, scene, at)
        _turns(
            key="lecture turns",
            data={"scene": at, "scenes": len(lecture.scenes), "beside": poll.is_on(at)},
            height="content",
            on_scene_change=_turn,
            on_leave_change=leave,
        )


def _picture(workspace: Workspace, scene: Scene, at: int) -> None:
    """The view; before the answer is revealed, only the example."""
    if not scene.of_classes or poll.is_revealed(at):
        draw(workspace, (picture_of(scene),))
        return
    row = row_or_default(workspace)
    alone(guessed_example, workspace, row)


def _turn() -> None:
    go(int(st.session_state["lecture turns"]["scene"]))
