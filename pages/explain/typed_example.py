"""Something of one's own to explain: a sentence that is typed, or numbers that are entered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.session import settings
from pages.session.address import keep, take
from pages.session.selection import chosen_row
from pages.session.typed import example_of, parts_of, typed_vector
from pages.session.workspace import Workspace
from pages.widgets.say import refuse, say
from pages.widgets.typed_text import typed_text
from slp_core.data import Examples
from slp_core.errors import SLPError
from slp_core.evaluation.standing import cut_facts

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class TypedExample:
    """What was typed, with a key that names it, and where the encoder puts it: (d,)."""

    key: str
    words: str
    vector: np.ndarray


def typed_example(workspace: Workspace) -> TypedExample | None:
    """Ask for an example of one's own; returns the last one for these data, if there is one.

    Numbers start as those of the row that was clicked.
    """
    if take(settings.TYPED, lambda parts: _example(workspace, parts) is not None):
        example = _example(workspace, settings.TYPED.value)
        assert example is not None
        settings.TYPED_EXAMPLE.set((workspace.data_key, example))
    _form(workspace)
    key, examples = settings.TYPED_EXAMPLE.value or (None, None)
    typed = examples is not None and key == workspace.data_key
    settings.TYPED.set(parts_of(examples) if examples is not None and typed else None)
    keep(settings.TYPED)
    if examples is None or not typed:
        return None
    try:
        with st.spinner("Encoding …", show_time=True):
            vector, cut = typed_vector(workspace, examples)
    except SLPError as error:
        refuse(error)
        return None
    if cut:
        say(cut_facts(1, 1), st.caption, before=":material/info: ")
    words = examples.describe(0, workspace.dataset.feature_names)
    return TypedExample(f"typed {examples.digest}", words, vector)


def _example(workspace: Workspace, parts: list[Any] | None) -> Examples | None:
    return None if parts is None else example_of(workspace.dataset, parts)


def _form(workspace: Workspace) -> None:
    if workspace.encoder_name == "tfidf-svd":
        st.caption(
            ":material/info: This encoder is fitted on all rows of the dataset at once, so a "
            "sentence of your own has no place in it. Another encoder takes one."
        )
        return
    kind = workspace.dataset.kind
    with st.form(f"own {workspace.data_key}", border=False):
        row = st.container(horizontal=True, vertical_alignment="bottom")
    with row:
        examples = _numbers(workspace) if kind == "numeric" else _texts(kind, row)
        sent = st.form_submit_button("Explain it", icon=":material/play_arrow:")
        cleared = st.form_submit_button("Back to the data")
    if cleared:
        settings.TYPED_EXAMPLE.set(None)
    elif sent and isinstance(examples, Examples):
        settings.TYPED_EXAMPLE.set((workspace.data_key, examples))
    elif sent:
        refuse(str(examples))


def _texts(kind: str, row: DeltaGenerator) -> Examples | str:
    hint = "Type, and see it land"
    return typed_text(kind, (row, row), "own", "Try a sentence", "explain", placeholder=hint)


def _numbers(workspace: Workspace) -> Examples:
    clicked = chosen_row(workspace)
    row = int(workspace.episode.support[0]) if clicked is None else clicked
    features = workspace.dataset.examples.features
    assert features is not None
    names = workspace.dataset.feature_names or tuple(f"x{i + 1}" for i in range(features.shape[1]))
    table = st.data_editor(
        pd.DataFrame(features[[row]], columns=list(names)),
        hide_index=True,
        key=f"own numbers {workspace.data_key} {row}",
    )
    return Examples("numeric", features=table.to_numpy())
