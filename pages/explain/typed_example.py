"""Something of one's own to explain: a sentence that is typed, or numbers that are entered."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from pages.session import settings
from pages.session.workspace import Workspace
from slp_core.data import Examples
from slp_core.errors import SLPError
from slp_core.markdown import literal


@dataclass(frozen=True)
class Own:
    """One's own example, and where the encoder puts it: (d,)."""

    words: str
    vector: np.ndarray


def own_example(workspace: Workspace) -> Own | None:
    """Ask for an example of one's own; returns the last one for these data, if there is one.

    Numbers start as those of the row that was clicked.
    """
    _form(workspace)
    key, examples = settings.TYPED_EXAMPLE.value or (None, None)
    if key != workspace.data_key:
        return None
    try:
        with st.spinner("Encoding …", show_time=True):
            vector = encoded_own(f"{key} {examples.digest}", examples, workspace)
    except SLPError as error:
        st.error(literal(str(error)), icon=":material/error:")
        return None
    return Own(examples.describe(0, workspace.dataset.feature_names), vector)


def _form(workspace: Workspace) -> None:
    if workspace.encoder_name == "tfidf-svd":
        st.caption(
            ":material/info: This encoder is fitted on all rows of the dataset at once, so a "
            "sentence of your own has no place in it. Another encoder takes one."
        )
        return
    kind = workspace.dataset.kind
    with (
        st.form(f"own {workspace.data_key}", border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        examples = _numbers(workspace) if kind == "numeric" else _texts(kind)
        sent = st.form_submit_button("Explain it", icon=":material/play_arrow:")
        cleared = st.form_submit_button("Back to the data")
    if cleared:
        settings.TYPED_EXAMPLE.set(None)
    elif sent and isinstance(examples, str):
        st.error(literal(examples), icon=":material/error:")
    elif sent:
        settings.TYPED_EXAMPLE.set((workspace.data_key, examples))


def choose_row(row: int) -> None:
    """A row of the dataset is to be explained, and no longer what was typed."""
    settings.POINT.set(row)
    settings.TYPED_EXAMPLE.set(None)


def _texts(kind: str) -> Examples | str:
    """The example, or what is missing from it."""
    first = {"pair": "First text", "span": "Sentence"}.get(kind, "Try a sentence")
    text = st.text_input(first, key="own text", placeholder="Type, and see it land").strip()
    if kind == "pair":
        second = st.text_input("Second text", key="own second text").strip()
        if not text or not second:
            return "Both texts are needed."
        return Examples("pair", texts=(text,), pairs=(second,))
    if kind == "span":
        mention = st.text_input("The phrase in it", key="own phrase").strip()
        start = text.find(mention) if mention else -1
        if start < 0:
            return "The phrase has to stand in the sentence, letter by letter."
        return Examples("span", texts=(text,), spans=((start, start + len(mention)),))
    return Examples("text", texts=(text,)) if text else "There is no sentence to explain."


def _numbers(workspace: Workspace) -> Examples:
    row = (
        settings.POINT.value
        if settings.POINT.value is not None
        else int(workspace.episode.support[0])
    )
    features = workspace.dataset.examples.features
    assert features is not None
    names = workspace.dataset.feature_names or tuple(f"x{i + 1}" for i in range(features.shape[1]))
    table = st.data_editor(
        {name: [float(value)] for name, value in zip(names, features[row], strict=True)},
        hide_index=True,
        key=f"own numbers {workspace.data_key} {row}",
    )
    return Examples("numeric", features=np.array([[table[name][0] for name in names]]))


@st.cache_resource(max_entries=64, show_spinner=False)
def encoded_own(key: str, _examples: Examples, _workspace: Workspace) -> np.ndarray:
    """(d,) as a row of the dataset: with the dataset's own mean and deviation where these count."""
    return _workspace.encoder.encode_like(_workspace.dataset, _examples)[0]
