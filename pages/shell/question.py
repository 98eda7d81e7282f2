"""A teacher's link can ask a question first: until the guess, one example and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import streamlit as st

from pages.session import settings
from pages.session.selection import choose_row, row_or_default
from pages.session.workspace import Workspace
from pages.widgets.example import example_row
from pages.widgets.guess import draw_question, question_display
from pages.widgets.pickers import point_number
from pages.widgets.readings import causes_of, line_view
from slp_core.explain import CAUSES
from slp_core.explain.causes import CAUSE_NAMES
from slp_core.figures.display import Display
from slp_core.lessons.text import guess_text
from slp_core.markdown import literal
from slp_core.sentences import MethodTitle, class_names

_STRIDE = 7  # query examples from one question to the next


@dataclass(frozen=True)
class Guesses:
    """Guesses about one example of one fitted method, by kind of question."""

    model_key: str
    row: int
    given: Mapping[str, str] = field(default_factory=dict)


def asks_first(asked: tuple[str, ...], workspace: Workspace) -> bool:
    """Whether a guess is still missing, drawn instead of the page; then the verdict."""
    if not len(workspace.episode.query):
        return False
    guesses: Guesses | None = settings.GUESSES.value
    if guesses is None or guesses.model_key != workspace.model_key:
        guesses = Guesses(workspace.model_key, row_or_default(workspace))
    kind = _kind(workspace, guesses.row)
    open_ones = [q for q in asked if q not in guesses.given and (q != "cause" or kind)]
    if open_ones:
        _ask(workspace, guesses, open_ones[0])
        return True
    _verdict(workspace, guesses, asked)
    return False


def _ask(workspace: Workspace, guesses: Guesses, question: str) -> None:
    row, classes = guesses.row, workspace.dataset.classes
    if question == "prediction":
        title = f"Which class does {MethodTitle(workspace.method.title):inside} predict?"
        options, display = list(classes), question_display(workspace, row)
    else:
        names = class_names(classes)
        true, predicted = int(workspace.dataset.y[row]), workspace.reading(row).predicted
        title = f"True label {names[true]}, predicted {names[predicted]}: what is the cause?"
        options = [_cause(kind) for kind in causes_of(workspace).kinds]
        display = _strip(workspace, row)
    st.subheader(title)
    left, right = st.columns([13, 7], gap="medium")
    with left:
        draw_question(display)
    with right, st.container(key="guess"):
        example_row(workspace.dataset, row)
        key = f"guess {workspace.model_key} {row} {question}"

        def choose() -> None:
            if chosen := st.session_state.get(key):
                given = {**guesses.given, question: chosen}
                choose_row(row)  # which the page then shows
                settings.GUESSES.set(replace(guesses, given=given))

        label = "Your guess"
        st.radio(label, options, index=None, format_func=literal, key=key, on_change=choose)
        if not guesses.given:
            point_number(workspace, row)


def _kind(workspace: Workspace, row: int) -> str:
    """The cause of an error; empty for other query examples and the support set."""
    place = workspace.episode.place_of(row)
    return "" if place is None else str(causes_of(workspace).examples["cause"][place])


def _cause(kind: str) -> str:
    return f"{CAUSE_NAMES[kind]}: {CAUSES[kind]}"


def _verdict(workspace: Workspace, guesses: Guesses, asked: tuple[str, ...]) -> None:
    row, texts = guesses.row, []
    if "prediction" in asked:
        predicted = workspace.dataset.classes[workspace.reading(row).predicted]
        texts.append(guess_text(guesses.given["prediction"], predicted))
    if "cause" in guesses.given:
        texts.append(guess_text(guesses.given["cause"], _cause(_kind(workspace, row))))
    with st.container(horizontal=True, vertical_alignment="center", key="verdict"):
        st.markdown("  \n".join(texts))
        st.button(
            "Next question",
            icon=":material/arrow_forward:",
            on_click=_next_question,
            args=(workspace, row, asked),
        )
        st.button(
            "Stop asking",
            icon=":material/undo:",
            type="tertiary",
            on_click=settings.QUESTIONS.clear,
        )


def _next_question(workspace: Workspace, row: int, asked: tuple[str, ...]) -> None:
    query, place = workspace.episode.query, workspace.episode.place_of(row)
    error = workspace.predictions.error_after(place) if asked == ("cause",) else None
    following = ((place or 0) + _STRIDE) % len(query)
    choose_row(int(query[following if error is None else error]))
    settings.GUESSES.clear()


def _strip(workspace: Workspace, row: int) -> Display:
    """The example's line over w, without what tells two causes apart."""
    at, causes = workspace.reading(row), causes_of(workspace)
    if at.line is None:
        return question_display(workspace, row)
    view = line_view(workspace, at.line, workspace.X[row], causes.where(), "")
    return view.strip(marked=(at.w, at.along), row=row, along=False)
