"""The upload panel: a file, what its columns are, a look at it, and into the workspace.

It is a part of the page and no dialog. A dialog is a fragment: its button runs the fragment, which
then has to ask for a run of the page, and a job that ends at that moment takes its place.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
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


@dataclass
class ParsedFile:
    """A file under the panel as it was parsed, and the dataset last made of it.

    Touching a widget runs the page anew, and must not read the file again.
    """

    file_id: str
    preview: TablePreview
    made: tuple[object, FewShotDataset] | None = None


def upload_panel() -> None:
    """Ask for a file until it reads as a dataset, then put it on the table."""
    st.html(Path(__file__).with_name("upload.css"))
    with st.container(border=True, key="upload panel"):
        left, right = st.columns([11, 1], vertical_alignment="center")
        left.markdown("#### Upload a few-shot dataset")
        right.button(
            "Close", icon=":material/close:", type="tertiary", on_click=_close, key="close upload"
        )
        st.markdown(
            "One row an example, with a column for its class: CSV, TSV, JSON, JSON Lines, Parquet "
            "or Excel. Two examples of each class are the least; the file stays on this machine."
        )
        file = st.file_uploader("File", type=FORMATS, label_visibility="collapsed", key="upload")
        if file is None:
            return
        try:
            dataset = _dataset(file)
        except slp.DatasetError as error:
            st.error(literal(str(error)), icon=":material/error:")
            return
        _show(dataset)
        st.button(
            "Use this dataset",
            type="primary",
            on_click=_use,
            args=(dataset,),
            icon=":material/check:",
        )


def _dataset(file: Any) -> FewShotDataset:
    """What the file reads as, with the columns as they are set."""
    parsed: ParsedFile | None = settings.PARSED_UPLOAD.value
    if parsed is None or parsed.file_id != file.file_id:
        parsed = ParsedFile(file.file_id, preview_table(file, file.name))
        settings.PARSED_UPLOAD.set(parsed)
    preview, sheet = parsed.preview, None
    if len(preview.sheets) > 1:
        sheet = st.selectbox("Sheet", preview.sheets)
        preview = preview_table(preview, sheet=sheet)
    columns = _columns(preview)
    key = (sheet, *columns.items())
    if parsed.made is None or parsed.made[0] != key:
        parsed.made = key, slp.read_dataset(preview, **columns)
    return parsed.made[1]


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
    settings.UPLOADS.set(settings.UPLOADS.value | {title: dataset})
    settings.DATASET.set(title)
    settings.POINT.set(None)
    _close()


def _close() -> None:
    settings.UPLOADING.set(False)
    settings.PARSED_UPLOAD.set(None)
