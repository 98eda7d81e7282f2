"""The upload dialog: a file, what its columns are, a look at it, and into the workspace."""

from __future__ import annotations

from typing import Any

import streamlit as st

import slp_core as slp
from pages.session import settings
from slp_core.data import FewShotDataset, TablePreview, preview_table
from slp_core.markdown import literal, named

FORMATS = ["csv", "tsv", "txt", "json", "jsonl", "ndjson", "parquet", "xlsx"]
KINDS = {
    "one text": "text",
    "a pair of texts": "pair",
    "a phrase inside a text": "span",
    "numbers": "numeric",
}
NONE = "—"


@st.dialog(
    "Upload a few-shot dataset",
    width="large",
    on_dismiss=lambda: settings.UPLOADING.set(False),
)
def upload_dialog() -> None:
    """Ask for a file until it reads as a dataset, then put it on the table."""
    st.markdown(
        "One row an example, with a column for its class: CSV, TSV, JSON, JSON Lines, Parquet or "
        "Excel. Two examples of each class are the least; the file stays on this machine."
    )
    file = st.file_uploader("File", type=FORMATS, label_visibility="collapsed")
    if file is None:
        return
    try:
        preview = preview_table(file, file.name)
        sheet = _sheet(preview)
        if sheet is not None:
            file.seek(0)
            preview = preview_table(file, file.name, sheet=sheet)
        columns = _columns(preview)
        file.seek(0)
        dataset = slp.read_dataset(file, file.name, sheet=sheet, **columns)
    except slp.DatasetError as error:
        st.error(literal(str(error)), icon=":material/error:")
        return
    _show(dataset)
    if st.button(
        "Use this dataset",
        type="primary",
        on_click=_use,
        args=(dataset,),
        icon=":material/check:",
    ):
        st.rerun()  # the whole page, which closes the dialog


def _sheet(preview: TablePreview) -> str | None:
    if len(preview.sheets) < 2:
        return None
    return st.selectbox("Sheet", preview.sheets)


def _columns(preview: TablePreview) -> dict[str, Any]:
    """Column roles, guessed and settable; a wrong file keeps its own form."""
    guess, names = preview.columns, [str(c) for c in preview.table.columns]
    st.dataframe(preview.table.head(4), height="content")

    def choose(role: str, label: str, *, optional: bool = False) -> str | None:
        options = [NONE, *names] if optional else names
        guessed = getattr(guess, role)
        index = options.index(guessed) if guessed in options else 0
        chosen = st.selectbox(label, options, index=index, key=f"{preview.filename} {role}")
        return None if chosen == NONE else chosen

    kinds = list(KINDS)
    guessed_kind = next((k for k, v in KINDS.items() if v == guess.kind), kinds[0])
    kind = KINDS[
        st.segmented_control(
            "An example is",
            kinds,
            default=guessed_kind,
            required=True,
            key=f"{preview.filename} kind",
        )
    ]
    roles: dict[str, Any] = {"kind": kind}
    slots = st.columns(3)
    with slots[0]:
        roles["label"] = choose("label", "Class")
        split = choose("split", "Learn from or judged on", optional=True)
        roles["split"] = split if split is not None else False
    if kind != "numeric":
        with slots[1]:
            roles["text"] = choose("text", "Text")
    with slots[2]:
        if kind == "pair":
            roles["text2"] = choose("text2", "Second text")
        elif kind == "span":
            roles["mention"] = choose("mention", "Phrase")
            if guess.start and guess.end:
                roles |= {"start": guess.start, "end": guess.end}
    return roles


def _show(dataset: FewShotDataset) -> None:
    counts = ", ".join(f"{named(name)} {n:,}" for name, n in list(dataset.counts.items())[:12])
    more = " …" if len(dataset.classes) > 12 else ""
    st.markdown(f"**{len(dataset):,} examples, {len(dataset.classes)} classes**: {counts}{more}")
    for warning in dataset.warnings:
        st.warning(literal(warning), icon=":material/info:")


def _use(dataset: FewShotDataset) -> None:
    taken = {info.title for info in slp.list_datasets()}
    title = dataset.title if dataset.title not in taken else f"{dataset.title} (uploaded)"
    st.session_state.setdefault(settings.UPLOADS.key, {})[title] = dataset
    settings.UPLOADING.set(False)
    settings.DATASET.set(title)
    settings.POINT.set(None)
