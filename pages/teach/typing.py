"""Cards into which somebody types, and the ways to begin and to take the examples along."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.session.own_examples import choose_own, own_examples
from pages.session.workspace import Workspace
from pages.teach.cards import shots_of
from pages.widgets.download import download
from pages.widgets.shots import edit
from slp_core.data.own_examples import (
    CLASSES,
    FILE,
    IDEAS,
    LETTERS,
    OwnExamples,
    own_csv,
    own_jsonl,
)
from slp_core.explain.shots import ShotInfluences
from slp_core.sentences import ClassName, count


def typed_cards(
    workspace: Workspace | None,
    places: Sequence[Any],
    found: ShotInfluences | None = None,
    row: int | None = None,
) -> None:
    """A card a class, with a field for further examples; some beside each other."""
    names = () if workspace is None else workspace.dataset.classes
    for number, (name, texts) in enumerate(own_examples().classes):
        with places[number % len(places)], st.container(border=True, gap="small"):
            _head(name, len(texts), names.index(name) if name in names else None)
            if workspace is not None and name in names:
                shots_of(workspace, names.index(name), found, row)
            else:
                for text in texts:
                    st.text(text)
            key = f"edit shots type {number} {name}"
            st.chat_input(
                f"Add to {name}: one example a line",
                key=key,
                on_submit=_type,
                args=(name, key),
            )


def _head(name: str, n: int, place: int | None) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        shown = ClassName(name, place)
        st.markdown(f"**{shown}** · {count(n, 'example')}", width="content")
        with st.popover("Class", icon=":material/edit:", type="tertiary", key=f"edit shots {name}"):
            key = f"name of {name}"
            st.text_input(
                "Name", name, max_chars=LETTERS, key=key, on_change=_rename, args=(name, key)
            )
            st.button(
                "Remove the class",
                icon=":material/delete:",
                key=f"edit shots remove {name}",
                on_click=_change,
                args=(lambda own: own.without_class(name),),
            )


def new_class() -> None:
    """A field for the name of another class."""
    with st.popover("New class", icon=":material/add:", type="tertiary", key="edit shots new"):
        key = "name of a new class"
        st.text_input(
            "Name",
            key=key,
            max_chars=LETTERS,
            on_change=_new_class,
            args=(key,),
            help=f"At most {CLASSES} classes.",
        )


def ready_made() -> None:
    """Small tasks to begin with."""
    st.caption("Or begin with", width="content")
    for title, own in IDEAS.items():
        st.button(
            title,
            key=f"edit shots {title}",
            on_click=_change,
            args=(lambda _, own=own: own,),
        )


def take_along() -> None:
    """The examples as files, which read as a dataset here and elsewhere."""
    with st.popover("Save", icon=":material/download:", type="tertiary", key="save fold"):
        st.caption("Kept in this browser. While they are few, the page's address holds them too.")
        own = own_examples()
        download("CSV", lambda: own_csv(own), f"{FILE}.csv")
        download("JSON lines", lambda: own_jsonl(own), f"{FILE}.jsonl")


def _change(change: Any) -> None:
    edit(lambda: choose_own(change(own_examples())))


def _type(name: str, key: str) -> None:
    texts = str(st.session_state[key]).splitlines()

    def typed(own: OwnExamples) -> OwnExamples:
        return own.with_texts(name, texts)

    _change(typed)


def _rename(name: str, key: str) -> None:
    new = str(st.session_state[key])
    _change(lambda own: own.renamed(name, new))


def _new_class(key: str) -> None:
    new = str(st.session_state[key])
    if new.strip():
        _change(lambda own: own.with_class(new))
        st.session_state[key] = ""
