"""Fields for an example in words: a text, a pair of texts, or a phrase in a sentence."""

from __future__ import annotations

from typing import Any

from streamlit.delta_generator import DeltaGenerator

from slp_core.data import Examples


def typed_text(
    kind: str,
    places: tuple[DeltaGenerator, DeltaGenerator],
    key: str,
    label: str,
    purpose: str,
    start: Examples | None = None,
    **options: Any,
) -> Examples | str:
    """The example that stands in the fields, or what is missing from it.

    Parameters
    ----------
    kind : {"text", "pair", "span"}
    places : two containers
        Of the first field and of the second.
    key : str
        The beginning of the fields' keys.
    label, purpose : str
        Of the field where there is one, and what the text is wanted for.
    start : Examples, optional
        What stands in the fields at first.
    **options
        Of the first field.
    """
    first = second = ""
    if start is not None and start.texts is not None:
        first = start.texts[0]
        if start.pairs is not None:
            second = start.pairs[0]
        if start.spans is not None:
            second = first[slice(*start.spans[0])]
    label = {"pair": "First text", "span": "Sentence"}.get(kind, label)
    typed, beside = places[0].text_input(label, first, key=f"{key} text", **options), ""
    if kind == "pair":
        beside = places[1].text_input("Second text", second, key=f"{key} second text")
    elif kind == "span":
        beside = places[1].text_input("The phrase in it", second, key=f"{key} phrase")
    if start is not None and (typed, beside) == (first, second):
        return start  # of a phrase that stands there twice, the place that is meant
    text, beside = typed.strip(), beside.strip()
    if kind == "pair":
        whole = text and beside
        return Examples("pair", (text,), pairs=(beside,)) if whole else "Both texts are needed."
    if kind == "span":
        at = text.find(beside) if beside else -1
        if at < 0:
            return "The phrase has to stand in the sentence, letter by letter."
        return Examples("span", (text,), spans=((at, at + len(beside)),))
    return Examples("text", (text,)) if text else f"There is no sentence to {purpose}."
