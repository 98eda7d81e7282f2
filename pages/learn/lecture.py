"""A scene of a lecture: a view of the app between a title and a sentence, as large as it fits."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.learn.views import draw
from pages.session import settings
from pages.session.lectures import go, picture_of
from pages.session.lessons import leave
from pages.session.workspace import Workspace
from slp_core.lessons.lecture import Lecture
from slp_core.markdown import literal

_HERE = Path(__file__).parent
_turns = st.components.v2.component(
    "lecture",
    html=(_HERE / "lecture_turns.html").read_text(encoding="utf-8"),
    css=(_HERE / "lecture_turns.css").read_text(encoding="utf-8"),
    js=(_HERE / "lecture.js").read_text(encoding="utf-8"),
)


def show_lecture(workspace: Workspace, lecture: Lecture) -> None:
    """The scene that is on, and the keys to others."""
    at = min(settings.SCENE.value, len(lecture.scenes) - 1)
    scene = lecture.scenes[at]
    st.html(_HERE / "lecture.css")
    with st.container(key="lecture"):
        st.title(literal(scene.title), anchor=False)
        with st.container(key="lecture-room"), st.container(key=f"lecture-picture-{at}"):
            draw(workspace, (picture_of(scene),))
        with st.container(key="lecture-words", gap="xsmall"):
            st.markdown(literal(scene.sentence))
            if scene.question:
                st.markdown(f"**{literal(scene.question)}**")
        _turns(
            key="lecture turns",
            data={"scene": at, "scenes": len(lecture.scenes)},
            height="content",
            on_scene_change=_turn,
            on_leave_change=leave,
        )


def _turn() -> None:
    go(int(st.session_state["lecture turns"]["scene"]))
