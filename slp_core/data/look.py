"""What a form shows of a file before it is read: made where the file is parsed, and small."""

from __future__ import annotations

import gc
import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from slp_core.data.columns import Columns
from slp_core.data.dataset import FewShotDataset
from slp_core.data.examples import Kind
from slp_core.data.read import TablePreview, preview_table, read_dataset
from slp_core.data.tables import TableFile
from slp_core.errors import DatasetError

if TYPE_CHECKING:
    import pandas as pd

Asked = tuple[Kind, tuple[tuple[str, str], ...]]
"""A kind of examples, and the columns that were told by role."""


@dataclass(frozen=True)
class FileLook:
    """A file's table as a form for its columns needs it."""

    filename: str
    names: list[str]
    head: pd.DataFrame
    columns: Columns
    garbled: bool
    can_be_chosen_from: bool
    guesses: Mapping[Asked, Columns] = field(default_factory=dict)


def asked(kind: Kind, told: Mapping[str, str]) -> Asked:
    """The key of a guess."""
    return kind, tuple(sorted(told.items()))


def sheets_of(data: bytes, filename: str) -> tuple[tuple[str, ...], str]:
    """The sheets of a workbook, and the one to begin with: a wrong one hides no other."""
    with _without_collection():
        file = _file(data, filename)
        try:
            return file.sheets, file.first_sheet
        except DatasetError:
            return file.sheets, file.sheets[0]


def look_at(
    data: bytes,
    filename: str,
    rows: int,
    columns: int,
    sheet: str | None = None,
    mend: bool = False,
) -> FileLook:
    """Parse a file and look at its table."""
    preview = _preview(data, filename, sheet, mend)
    guess, guesses = preview.columns, {}
    kind: Kind = guess.kind or "text"
    told: dict[str, str] = {}
    for _ in range(2):  # of the kind alone, then with the text and the class that were guessed
        found = preview.guess(kind, **told)
        guesses[asked(kind, told)] = found
        text = guess.text or found.text
        told = {"text": text} if text else {}
        told |= {"label": guess.label} if guess.label else {}
    return FileLook(
        preview.filename,
        preview.names,
        preview.head(rows, columns),
        guess,
        not mend and preview.garbled is not None,
        preview.can_be_chosen_from,
        guesses,
    )


def guess_again(
    data: bytes, filename: str, kind: Kind, sheet: str | None, mend: bool, told: dict[str, str]
) -> Columns:
    """The guess for examples of a kind, some columns by role being known."""
    return _preview(data, filename, sheet, mend).guess(kind, **told)


def read_uploaded(
    data: bytes, filename: str, sheet: str | None, mend: bool, columns: Mapping[str, Any]
) -> FewShotDataset:
    """The dataset in a file, its columns being known."""
    return read_dataset(_preview(data, filename, sheet, mend), **columns)


@lru_cache(maxsize=1)  # a form asks about one file again and again
def _preview(data: bytes, filename: str, sheet: str | None, mend: bool) -> TablePreview:
    with _without_collection():
        preview = preview_table(_file(data, filename), sheet=sheet)
        return preview.mended() if mend else preview


@lru_cache(maxsize=1)  # a workbook is opened once for all its sheets
def _file(data: bytes, filename: str) -> TableFile:
    return TableFile(io.BytesIO(data), filename)


@contextmanager
def _without_collection() -> Iterator[None]:
    """Garbage is not looked for: among a million cells there is none."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
