"""What a form asks of a file before it is read: answered where the file is parsed, and small."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from slp_core.data.columns import Columns, Role, guess_columns
from slp_core.data.dataset import FewShotDataset
from slp_core.data.examples import Kind
from slp_core.data.mojibake import garbled, mended
from slp_core.data.read import read_dataset
from slp_core.data.table import Table
from slp_core.data.tables import open_file, read_table
from slp_core.data.workbook import Workbook
from slp_core.errors import DatasetError

if TYPE_CHECKING:
    import pandas as pd

_ROWS_SHOWN, _COLUMNS_SHOWN = 4, 40


@dataclass(frozen=True)
class FileLook:
    """A file's table as a form for its columns needs it, with the guess which holds what."""

    names: list[str]
    head: pd.DataFrame
    columns: Columns
    garbled: bool


def sheets_of(data: bytes, filename: str) -> tuple[tuple[str, ...], str]:
    """The sheets of a workbook, and the one to begin with: a wrong one hides no other."""
    book = _file(data, filename)
    assert isinstance(book, Workbook)
    try:
        return book.sheets, book.first_sheet()
    except DatasetError:
        return book.sheets, book.sheets[0]


def look_at(data: bytes, filename: str, sheet: str | None = None, mend: bool = False) -> FileLook:
    """Parse a file, and look at its table."""
    table = _table(data, filename, sheet, mend)
    head = table.head(_ROWS_SHOWN, _COLUMNS_SHOWN).to_frame()
    return FileLook(table.names, head, guess_columns(table), not mend and bool(garbled(table)))


def guess_again(
    data: bytes, filename: str, sheet: str | None, mend: bool, kind: Kind, told: Mapping[Role, str]
) -> Columns:
    """The guess for examples of a kind, some columns by role being known."""
    return guess_columns(_table(data, filename, sheet, mend), kind, dict(told))


def read_uploaded(
    data: bytes, filename: str, sheet: str | None, mend: bool, columns: Mapping[str, Any]
) -> FewShotDataset:
    """The dataset in a file, its columns being known."""
    return read_dataset(_table(data, filename, sheet, mend), **columns)


@lru_cache(maxsize=1)  # a form asks about one file again and again
def _table(data: bytes, filename: str, sheet: str | None, mend: bool) -> Table:
    table = read_table(_file(data, filename), sheet=sheet)
    return mended(table) if mend else table


@lru_cache(maxsize=1)  # a workbook is opened once for all its sheets
def _file(data: bytes, filename: str) -> Workbook | Table:
    return open_file(io.BytesIO(data), filename)
