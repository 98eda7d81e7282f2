"""The user's own example: a typed sentence or numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from pages.session import settings
from pages.session.text import truncated_text
from pages.session.typed import example_of, parts_of, typed_vector
from pages.session.workspace import Workspace
from pages.widgets.say import refuse, say
from pages.widgets.typed_text import typed_text, write_in
from slp_core.data import Examples
from slp_core.errors import SLPError

if TYPE_CHECKING:
    import numpy as np

_FIELDS = "own"
_OWN_NUMBERS = "Try your own numbers"
_MOST = 3.4e38  # of either sign: encoders compute with 32 bits


@dataclass(frozen=True)
class TypedExample:
    """A typed example, its key, and its vector (d,)."""

    key: str
    words: str
    example: Examples  # one row
    vector: np.ndarray


def typed_example(workspace: Workspace, row: int) -> TypedExample | None:
    """Ask for an example; returns the last one typed for these data, if any."""
    if settings.TYPED.was_read:
        settings.TYPED_DATA.set(workspace.data_key)
        example = _typed(workspace)
        if example is None:
            settings.TYPED.clear()
        elif example.texts is not None:
            write_in(_FIELDS, example.kind, parts_of(example))
    _form(workspace, row)
    examples = _typed(workspace)
    if examples is None:
        return None
    settings.TYPED.shows()
    try:
        with st.spinner("Encoding …", show_time=True):
            vector, cut = typed_vector(workspace, examples)
    except SLPError as error:
        refuse(error)
        return None
    if cut:
        say(truncated_text(1, 1), st.caption, before=":material/info: ")
    words = examples.describe(0, workspace.dataset.feature_names)
    return TypedExample(f"typed {examples.digest}", words, examples, vector)


def _typed(workspace: Workspace) -> Examples | None:
    """The last typed example, if it belongs to these data."""
    parts = settings.TYPED.value
    if settings.TYPED_DATA.value != workspace.data_key or parts is None:
        return None
    whole = all(str(part).strip() for part in parts)  # as the form wants it
    return example_of(workspace.dataset, parts) if whole else None


def _form(workspace: Workspace, start: int) -> None:
    kind = workspace.dataset.kind
    with st.form(f"own {workspace.data_key}", border=False):
        row = st.container(horizontal=True, vertical_alignment="bottom")
    with row:
        examples = _numbers(workspace, start) if kind == "numeric" else _texts(kind, row)
        sent = st.form_submit_button("Explain it", icon=":material/play_arrow:")
        # Before the page runs again: numbers are then those of the row at once.
        st.form_submit_button("Back to the dataset", on_click=settings.TYPED.clear)
    if sent and isinstance(examples, Examples):
        settings.TYPED.set(parts_of(examples))
        settings.TYPED_DATA.set(workspace.data_key)
    elif sent:
        refuse(str(examples))


def _texts(kind: str, row: Any) -> Examples | str:
    return typed_text(kind, (row, row), _FIELDS, "Try your own text", "explain")


def _numbers(workspace: Workspace, row: int) -> Examples | str:
    """A row of numbers to edit, or what is missing from it."""
    shown, point = workspace.dataset.examples.take([row]), f"{row}"
    if (typed := _typed(workspace)) is not None:
        shown, point = typed, typed.digest
    features = shown.features
    assert features is not None
    names = workspace.dataset.feature_names or tuple(f"x{i + 1}" for i in range(features.shape[1]))
    with st.container(gap="xsmall"):
        st.markdown(f":small[{_OWN_NUMBERS}]")  # the table has no label of its own
        table = st.data_editor(
            pd.DataFrame(features, columns=list(names)),
            hide_index=True,
            key=f"own numbers {workspace.data_key} {point}",
            alt=_OWN_NUMBERS,
        )
    numbers = table.to_numpy(dtype=float)
    for name, number in zip(names, numbers[0], strict=True):
        if not abs(number) <= _MOST:
            return f"{name} has no number, or one too large: a number up to {_MOST} is needed."
    return Examples("numeric", features=numbers)
