"""The upload panel: a file, the roles of its columns, a preview, and its use as the dataset.

It is a part of the page and no dialog. A dialog is a fragment: its button runs the fragment, which
then has to ask for a run of the page, and a job that ends at that moment takes its place.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

import slp_core as slp
from pages.session import settings
from pages.session.public import is_public, limits
from pages.session.reading import found_in
from pages.session.uploads import (
    UPLOADS_OF_A_BROWSER,
    add_upload,
    check_memory,
    free_title,
    makes_room,
)
from pages.widgets.say import refuse
from slp_core.data import FewShotDataset, Kind
from slp_core.data.columns import FORM, NONE, Columns, Role
from slp_core.data.look import FileLook, ReadingOptions, look_at, read_uploaded, sheets_of
from slp_core.data.numbers import DecimalMark
from slp_core.data.parsing import warm
from slp_core.data.remarks import guessed_class
from slp_core.markdown import named

KINDS: dict[str, Kind] = {
    "one text": "text",
    "a pair of texts": "pair",
    "a phrase inside a text": "span",
    "numbers": "numeric",
}

DECIMAL_MARKS: dict[str, DecimalMark | None] = {"automatic": None, "point": ".", "comma": ","}
WITHOUT_CLASS: dict[str, bool | None] = {
    "leave out": None,
    "leave out, also None, null, ? and −1": True,
    "keep such words as classes": False,
}


def upload_panel() -> None:
    warm()
    st.html(Path(__file__).with_name("upload.css"))
    with st.container(border=True, key="upload panel"):
        with st.container(
            horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
        ):
            st.markdown("#### Upload a few-shot dataset", width="content")
            st.button(
                "Close",
                icon=":material/close:",
                type="tertiary",
                on_click=close_upload,
                key="close upload",
            )
        st.markdown(
            "One row per example: a text or columns of numbers, and a column with its class. CSV, "
            "TSV, JSON, JSON Lines, Parquet or Excel."
        )
        st.caption(
            "The server keeps the data in memory, for this browser alone. Only vectors of the "
            "texts are saved on its disk."
        )
        if is_public():
            st.caption(limits().sentence())
        # Of any kind: what is refused by its kind alone, Streamlit marks red without a word.
        file = st.file_uploader("File", label_visibility="collapsed", key="upload")
        if file is None:
            return
        try:
            dataset = _dataset(file)
            limits().check(dataset)
            check_memory(dataset, file.name)
        except slp.DatasetError as error:
            refuse(error.form)
            return
        title = _title(dataset)
        _show(dataset, title)
        with st.container(horizontal=True, vertical_alignment="center", key="use upload"):
            st.button(
                "Use this dataset",
                type="primary",
                on_click=_use,
                args=(dataset, title),
                icon=":material/check:",
            )
            st.markdown(dataset.counts_text(), width="stretch")


def _dataset(file: Any) -> FewShotDataset:
    options, key = ReadingOptions(), file.name
    if file.name.lower().endswith(".xlsx"):
        sheets, first = found_in(file, sheets_of)
        if len(sheets) > 1:
            options = ReadingOptions(sheet=st.selectbox("Sheet", sheets, index=sheets.index(first)))
            key = f"{key} {options.sheet}"
    look = found_in(file, look_at, options)
    with st.container(horizontal=True):
        if look.garbled and st.checkbox(
            "Repair letters from a wrong character encoding: Ã¶ becomes ö", key=f"{key} mend"
        ):
            options = replace(options, mend=True)
        if look.header is not None:
            header = not st.checkbox(
                "First row is data", value=not look.header, key=f"{key} first row"
            )
            options = replace(options, header=header if header != look.header else None)
    if options.mend or options.header is not None:
        look, key = found_in(file, look_at, options), f"{key} {options.mend} {options.header}"
    st.dataframe(look.head, height="content", placeholder="")
    can_choose = len(look.names) > 1 and len(look.head) > 0
    columns = _columns(file, look, options, key) if can_choose else {}
    dataset = found_in(file, read_uploaded, options, columns)
    if options.sheet is None:
        return dataset
    words = re.sub(r"[\W_]+", " ", options.sheet)
    return replace(dataset, title=f"{dataset.title} {words}".strip())


def _columns(file: Any, look: FileLook, options: ReadingOptions, key: str) -> dict[str, Any]:
    """Column roles, guessed and adjustable; an invalid file keeps its form."""
    guess, names = look.columns, look.names

    def guessed_as(kind: Kind, **told: str) -> Columns:
        return found_in(file, look_at, options, kind, told).columns

    def choose(role: Role, guessed: str | None, *, optional: bool = False) -> str | None:
        choices = [NONE, *names] if optional else names
        index = choices.index(guessed) if guessed in choices else (0 if optional else None)
        chosen = st.selectbox(
            FORM[role], choices, index=index, key=f"{key} {role}", placeholder="Choose a column"
        )
        return None if chosen == NONE else chosen

    kinds = list(KINDS)
    guessed_kind = next((k for k, v in KINDS.items() if v == guess.kind), kinds[0])
    kind = KINDS[
        st.segmented_control(
            "An example is", kinds, default=guessed_kind, required=True, key=f"{key} kind"
        )
    ]
    roles: dict[str, Any] = {"kind": kind}
    slots = st.columns(3)
    with slots[0]:
        roles["label"] = choose("label", guess.label)
        if guess.label and guess.guessed and guess.label == roles["label"]:
            st.caption(guessed_class(file.name, guess.label))
        split = choose("split", guess.split, optional=True)
        roles["split"] = split if split is not None else False
    if kind != "numeric":
        with slots[1]:
            roles["text"] = choose("text", guess.text or guessed_as(kind).text)
    else:
        with slots[1]:
            others = [name for name in names if name != roles["label"]]
            features = [name for name in guess.features if name in others]
            roles["features"] = st.multiselect("Features", others, features, key=f"{key} features")
    with slots[2]:
        chosen = {role: name for role in ("text", "label") if (name := roles.get(role))}
        if kind == "pair":
            roles["text2"] = choose("text2", guessed_as(kind, **chosen).text2)
        elif kind == "span":
            again = guessed_as(kind, **chosen)
            positions = {"start": again.start, "end": again.end}
            placed = all(positions.values())
            roles["mention"] = choose("mention", again.mention, optional=placed)
            if placed:
                roles |= positions
        elif kind == "numeric":
            roles["decimal"] = DECIMAL_MARKS[
                st.selectbox("Decimal mark", DECIMAL_MARKS, key=f"{key} decimal")
            ]
    return roles | _rows_to_leave_out(key)


def _rows_to_leave_out(key: str) -> dict[str, Any]:
    """What to do with invalid rows; their number is shown below."""
    with st.expander("Rows to leave out"), st.container(horizontal=True):
        without = st.selectbox("Rows without a class", WITHOUT_CLASS, key=f"{key} no class")
        least = st.number_input("Fewest examples of a class", 1, 100, key=f"{key} least", width=220)
        incomplete = st.checkbox("Rows with an empty cell", value=True, key=f"{key} incomplete")
    return {
        "drop_unlabelled": WITHOUT_CLASS[without],
        "drop_incomplete": incomplete,
        "min_class_rows": least,
    }


def _title(dataset: FewShotDataset) -> str:
    taken = {info.title for info in slp.list_datasets()}
    title = dataset.title if dataset.title not in taken else f"{dataset.title} (uploaded)"
    return free_title(title, dataset)


def _show(dataset: FewShotDataset, title: str) -> None:
    if title != dataset.title:
        st.caption(
            f":material/info: There is already a dataset {named(dataset.title)}: this one will be "
            f"called {named(title)}."
        )
    if goes := makes_room(title):
        st.caption(
            f":material/info: At most {UPLOADS_OF_A_BROWSER} uploads are kept: {named(goes)}, the "
            "least recently used, will be deleted."
        )
    opening = dataset.draw(dataset.opening_shots, 0)
    for remark in (*dataset.warnings, *opening.warnings):
        st.caption(f":material/info: {remark}")


def _use(dataset: FewShotDataset, title: str) -> None:
    add_upload(title, replace(dataset, title=title))
    settings.MISSING.clear()
    settings.DATASET.set(title)
    settings.POINT.clear()
    close_upload()


def close_upload() -> None:
    settings.UPLOADING.set("")
    settings.UPLOAD_READ.clear()
