"""Fields for a typed example: a text, a pair of texts, or a phrase in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from slp_core.data import Examples


def typed_text(
    kind: str,
    places: tuple[Any, Any],
    key: str,
    label: str,
    purpose: str,
    start: Examples | None = None,
    **options: Any,
) -> Examples | str:
    """The example in the fields, or what is missing from it."""
    first = second = ""
    if start is not None and start.texts is not None:
        first = start.texts[0]
        if start.pairs is not None:
            second = start.pairs[0]
        if start.spans is not None:
            second = first[slice(*start.spans[0])]
    label = {"pair": "First text", "span": "Sentence"}.get(kind, label)
    keys = _keys(key, kind)
    typed, beside = places[0].text_input(label, first, key=keys[0], **options), ""
    if kind == "pair":
        beside = places[1].text_input("Second text", second, key=keys[1])
    elif kind == "span":
        beside = places[1].text_input("Phrase in the sentence", second, key=keys[1])
    if start is not None and (typed, beside) == (first, second):
        return start  # of a phrase that stands there twice, the place that is meant
    text, beside = typed.strip(), beside.strip()
    if kind == "pair":
        whole = text and beside
        return Examples("pair", (text,), pairs=(beside,)) if whole else "Enter both texts."
    if kind == "span":
        at = text.find(beside) if beside else -1
        if at < 0:
            return "The phrase has to occur in the sentence exactly."
        return Examples("span", (text,), spans=((at, at + len(beside)),))
    return Examples("text", (text,)) if text else f"Enter a sentence to {purpose}."


def write_in(key: str, kind: str, parts: Sequence[str]) -> None:
    """Fill the fields with the parts of another example."""
    for field, part in zip(_keys(key, kind), parts, strict=True):
        st.session_state[field] = part


def _keys(key: str, kind: str) -> tuple[str, ...]:
    """Keys of the fields, in the order of an example's parts."""
    second = {"pair": (f"{key} second text",), "span": (f"{key} phrase",)}
    return (f"{key} text", *second.get(kind, ()))
