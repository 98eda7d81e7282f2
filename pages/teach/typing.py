"""Fields for typed shots and classes, starting points and downloads."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.session import settings
from pages.session.component import component
from pages.session.selection import choose_row
from pages.session.support_edits import choose_typed, last_typed, own_examples, typed_examples
from pages.widgets.chart import download
from pages.widgets.shots import edit
from slp_core.data import FewShotDataset
from slp_core.data.own_examples import CLASSES, FILE, IDEAS, LETTERS, own_csv
from slp_core.data.typed_shots import base_of, n_numbers
from slp_core.sentences import count

_field = component(__file__, "field")


def type_field(dataset: FewShotDataset | None, name: str) -> None:
    key = f"edit shots type {name}"
    n = 0 if dataset is None else n_numbers(base_of(dataset))
    what = f"{count(n, 'number')}, " if n else ""
    _field(
        key=key,
        data={"label": f"Add to {name}: {what}one per line", "taken": _taken().get(key, 0)},
        height="content",
        on_texts_change=lambda: _type(dataset, name, key),
    )


def _taken() -> dict[str, int]:
    return settings.TAKEN.of_this_visit()


def class_menu(dataset: FewShotDataset | None, name: str) -> None:
    with st.popover(
        "Class", icon=":material/edit:", type="tertiary", key=f"edit shots class {name}"
    ):
        key = f"name of {name}"
        st.text_input(
            "Name", name, max_chars=LETTERS, key=key, on_change=_rename, args=(dataset, name, key)
        )
        st.button(
            "Remove the class",
            icon=":material/delete:",
            key=f"edit shots remove {name}",
            on_click=_change,
            args=(dataset, lambda typed: typed.without_class(name)),
        )


def new_class(dataset: FewShotDataset | None) -> None:
    with st.popover("New class", icon=":material/add:", type="tertiary", key="edit shots new"):
        key = "name of a new class"
        st.text_input(
            "Name",
            key=key,
            max_chars=LETTERS,
            on_change=_new_class,
            args=(dataset, key),
            help=f"At most {CLASSES} classes.",
        )


def ready_made() -> None:
    st.caption("Or begin with", width="content")
    for title, own in IDEAS.items():
        st.button(
            title,
            key=f"edit shots {title}",
            on_click=_change,
            args=(None, lambda _, own=own: own),
        )


def take_along() -> None:
    with st.popover("Save", icon=":material/download:", type="tertiary", key="save fold"):
        st.caption("Kept in this browser. While they are few, the page's address holds them too.")
        own = own_examples()
        download("CSV", lambda: own_csv(own), f"{FILE}.csv")


def _change(dataset: FewShotDataset | None, change: Any) -> None:
    edit(lambda: choose_typed(dataset, change(typed_examples(dataset))))


def _type(dataset: FewShotDataset | None, name: str, key: str) -> None:
    taken, told = _taken().get(key, 0), st.session_state[key].texts or []
    texts = [line for number, text in told if number > taken for line in str(text).splitlines()]
    _taken()[key] = max((int(number) for number, _ in told), default=taken)
    _change(dataset, lambda typed: typed.with_texts(name, texts))
    choose_row(last_typed(dataset, name))


def _rename(dataset: FewShotDataset | None, name: str, key: str) -> None:
    new = str(st.session_state[key])
    _change(dataset, lambda typed: typed.renamed(name, new))


def _new_class(dataset: FewShotDataset | None, key: str) -> None:
    new = str(st.session_state[key])
    if new.strip():
        _change(dataset, lambda typed: typed.with_class(new))
        st.session_state[key] = ""
