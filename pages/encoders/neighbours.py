"""The nearest neighbours of a sentence under two encoders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.session import settings
from pages.session.selection import chosen_row
from pages.session.workspace import Workspace
from pages.widgets.example import example
from pages.widgets.say import refuse
from pages.widgets.typed_text import example_of, parts_of, typed_text, typed_vector, write_in
from slp_core.data import Examples
from slp_core.diagnostics.encoders import EncoderChange, nearest_rows
from slp_core.diagnostics.text import cut_text, neighbour_text, neighbours_text
from slp_core.errors import SLPError
from slp_core.sentences import EncoderName, class_names, count

if TYPE_CHECKING:
    import numpy as np

HOW_MANY = 5


def neighbours(before: Workspace, after: Workspace, change: EncoderChange) -> None:
    row = shown_row(before, change)
    examples = _typed(before, row)
    if isinstance(examples, str):
        refuse(examples)
        return
    is_row = examples.digest == before.dataset.examples.take([row]).digest
    both = (before, after)
    try:
        vectors = [w.X[row] for w in both] if is_row else _vectors(both, examples)
    except SLPError as error:
        refuse(error)
        return
    among = before.episode.support, before.episode.query
    lists = [
        nearest_rows(x, w.X, among, HOW_MANY, row if is_row else None)
        for x, w in zip(vectors, both, strict=True)
    ]
    true = int(before.dataset.y[row]) if is_row else None
    _show(both, lists, true)
    st.caption(f"Nearest by cosine among {count(sum(map(len, among)), 'example')}.")


def shown_row(workspace: Workspace, change: EncoderChange) -> int:
    """The selected row; else a query example that is newly correct, or any."""
    episode, row = workspace.episode, chosen_row(workspace)
    if row is not None:
        return row
    if not len(episode.query):
        return int(episode.support[0])
    return int(episode.query[change.gained[0] if len(change.gained) else 0])


def _typed(workspace: Workspace, row: int) -> Examples | str:
    """The text in the fields, at first that of the row; or what is missing from it."""
    dataset = workspace.dataset
    start = dataset.examples.take([row])
    widths = {"span": (2, 1), "pair": (1, 1)}.get(start.kind, (1,))
    places = st.columns(widths)
    key = f"near {dataset.digest} {row}"
    if settings.NEAR.was_read:
        asked = example_of(dataset, settings.NEAR.value or [])
        write_in(key, start.kind, parts_of(start if asked is None else asked))
    examples = typed_text(
        dataset,
        (places[0], places[-1]),
        key,
        "Text",
        "look for",
        start,
        help="Change it and press Enter, or click a point to take its text.",
    )
    own = None
    if isinstance(examples, Examples) and examples.digest != start.digest:
        own = parts_of(examples)
    settings.NEAR.set(own)
    settings.NEAR.shows()
    return examples


def _vectors(both: tuple[Workspace, ...], examples: Examples) -> list[Any]:
    """(d,) of a typed example under either encoder; a note says where it was truncated."""
    vectors, cut_by = [], []
    for workspace in both:
        title = workspace.encoder.info.title
        with st.spinner(f"Encoding with {EncoderName(title)} …", show_time=True):
            vector, cut = typed_vector(workspace, examples)
        vectors.append(vector)
        if cut and title not in cut_by:
            cut_by.append(title)
    if cut_by:
        st.caption(cut_text(cut_by))
    return vectors


def _show(
    both: tuple[Workspace, ...], lists: Sequence[tuple[np.ndarray, np.ndarray]], true: int | None
) -> None:
    dataset, texts = both[0].dataset, both[0].texts
    rows = [near for near, _ in lists]
    st.markdown(neighbours_text(dataset.classes, dataset.y, rows, true))
    names, shared = class_names(dataset.classes), set.intersection(*map(set, rows))
    for column, workspace, (near, cosines) in zip(
        st.columns(2, gap="large"), both, lists, strict=True
    ):
        with column, st.container(border=True):
            st.markdown(f"{EncoderName(workspace.encoder.info.title)}")
            for row, cosine in zip(near.tolist(), cosines.tolist(), strict=True):
                with st.container(gap=None):
                    st.markdown(neighbour_text(names[dataset.y[row]], cosine, row in shared))
                    example(texts[row], border=False)
