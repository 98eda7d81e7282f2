"""A typed example: its fields, its parts as a URL carries them, and its vector."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from pages.session.cache import cached_by
from pages.session.workspace import Workspace
from slp_core.data import Examples, FewShotDataset
from slp_core.errors import SLPError

if TYPE_CHECKING:
    import numpy as np

_LABELS = {"pair": ("First text", "Second text"), "span": ("Sentence", "Phrase in the sentence")}
_KEYS = {"pair": ("text", "second text"), "span": ("text", "phrase")}
_MISSING = {
    "pair": "Enter both texts.",
    "span": "The phrase has to occur in the sentence exactly.",
}


def typed_text(
    dataset: FewShotDataset,
    places: tuple[Any, Any],
    key: str,
    label: str,
    purpose: str,
    start: Examples | None = None,
    **options: Any,
) -> Examples | str:
    kind = dataset.kind
    first, *second = _LABELS.get(kind, (label,))
    before = ["", ""] if start is None else parts_of(start)
    keys = _keys(key, kind)
    typed = [places[0].text_input(first, before[0], key=keys[0], **options)]
    if second:
        typed.append(places[1].text_input(second[0], before[1], key=keys[1]))
    if start is not None and typed == before:
        return start  # of a phrase that stands there twice, the place that is meant
    parts = [part.strip() for part in typed]
    example = example_of(dataset, parts) if all(parts) else None
    return _MISSING.get(kind, f"Enter a sentence to {purpose}.") if example is None else example


def write_in(key: str, kind: str, parts: Sequence[str]) -> None:
    for field, part in zip(_keys(key, kind), parts, strict=True):
        st.session_state[field] = part


def _keys(key: str, kind: str) -> list[str]:
    return [f"{key} {part}" for part in _KEYS.get(kind, ("text",))]


@cached_by(lambda workspace, examples: f"{workspace.vectors_key} {examples.digest}")
def typed_vector(workspace: Workspace, examples: Examples) -> tuple[np.ndarray, bool]:
    """(d,) scaled as a row of the dataset: by its own mean and deviation, or the support set's."""
    vector: np.ndarray = workspace.place(examples)[0]
    return vector, workspace.encoder.n_truncated > 0


def parts_of(example: Examples) -> list[Any]:
    """The parts of an example in a URL: texts, a text and a phrase in it, or numbers."""
    if example.features is not None:
        return [float(number) for number in example.features[0]]
    assert example.texts is not None
    (text,) = example.texts
    if example.pairs is not None:
        return [text, *example.pairs]
    return [text] if example.spans is None else [text, text[slice(*example.spans[0])]]


def example_of(dataset: FewShotDataset, parts: list[Any]) -> Examples | None:
    """The example made of such parts, if it is of the dataset's kind."""
    kind, features = dataset.kind, dataset.examples.features
    try:
        if kind == "numeric":
            fits = features is not None and len(parts) == features.shape[1]
            return Examples(kind, features=pd.DataFrame([parts]).to_numpy(float)) if fits else None
        text, *more = parts
        if kind == "text" and not more:
            return Examples(kind, (text,))
        if kind == "pair" and len(more) == 1:
            return Examples(kind, (text,), pairs=(more[0],))
        if kind == "span" and len(more) == 1 and (at := text.find(more[0])) >= 0:
            return Examples(kind, (text,), spans=((at, at + len(more[0])),))
    except (SLPError, TypeError, ValueError):
        return None
    return None
