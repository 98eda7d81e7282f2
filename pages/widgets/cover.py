"""What is not told before it was guessed, where a teacher's link asks for that."""

from __future__ import annotations

import streamlit as st

from pages.session.teaching import asks, guess, guess_of
from pages.session.workspace import Workspace
from pages.widgets.example import example
from pages.widgets.readings import causes_of
from pages.widgets.say import say
from slp_core.explain import PointReading
from slp_core.lessons.text import guess_text
from slp_core.markdown import literal

_RIGHT = "none: the answer is right"
_WHICH = "Which class will the method answer?"


def told(
    workspace: Workspace, name: str, words: str, row: int | None, reading: PointReading
) -> bool:
    """Whether the reading of a point may be told; until then what is asked stands here."""
    classes = list(workspace.dataset.classes)
    answer = classes[reading.predicted]
    if asks("answer") and not _guessed(workspace, (name, words), _WHICH, classes, answer):
        return False
    place = None if row is None else workspace.episode.place_of(row)
    if not asks("cause") or place is None:
        return True
    causes = causes_of(workspace)
    labels = {kind: f"{kind.replace('_', ' ')}: {causes.meaning(kind)}" for kind in causes.kinds}
    kind = str(causes.cause[place])
    right = labels[kind] if kind else _RIGHT
    options = [*labels.values(), _RIGHT]
    return _guessed(workspace, (name, words), "What is the cause of the error?", options, right)


def is_revealed(workspace: Workspace, name: str, words: str) -> bool:
    """Whether what shows a point's answer may be drawn: nobody asks for it, or it was guessed."""
    return not asks("answer") or guess_of(_key(workspace, name, words, _WHICH)) is not None


def guess_first(*_: object) -> None:
    """Stands for what would tell."""
    st.caption(":material/visibility_off: Shown when you have guessed.")


def _key(workspace: Workspace, name: str, words: str, question: str) -> str:
    return f"{workspace.model_key} {name} {words} {question}"


def _guessed(
    workspace: Workspace, point: tuple[str, str], question: str, options: list[str], right: str
) -> bool:
    """Whether a guess was made: it is then judged here, and else asked for."""
    name, words = point
    key = _key(workspace, name, words, question)
    given = guess_of(key)
    if given is not None:
        icon = "check_circle" if given == right else "cancel"
        with st.container(key=f"judged {question}"):
            say(guess_text(given, right), before=f":material/{icon}: ")
        return True
    # Marks tell on hover what the method answers.
    st.html("<style>.js-plotly-plot .hoverlayer { display: none }</style>")
    st.markdown(f"**{name}**")
    example(words)
    with st.container(key="covered"):

        def choose() -> None:
            if chosen := st.session_state.get(key):
                guess(key, chosen)

        st.radio(question, options, index=None, format_func=literal, key=key, on_change=choose)
        st.caption("The rest is told when you have guessed.")
    return False
