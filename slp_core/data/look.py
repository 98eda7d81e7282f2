"""What a form shows of a file before it is read, found where the file is parsed."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from slp_core.data.columns import Columns, Role, guess_columns
from slp_core.data.dataset import FewShotDataset
from slp_core.data.examples import Kind
from slp_core.data.mojibake import garbled, mended
from slp_core.data.read import read_dataset
from slp_core.data.table import Table, as_text, is_filled, with_header
from slp_core.data.tables import open_file, read_table
from slp_core.data.workbook import Workbook

if TYPE_CHECKING:
    import pandas as pd

_COLUMNS_SHOWN = 40


@dataclass(frozen=True)
class ReadingOptions:
    """How to read a file, set before its columns are."""

    sheet: str | None = None
    mend: bool = False
    header: bool | None = None


@dataclass(frozen=True)
class FileLook:
    """A file's table for the form of its columns, with the guessed roles."""

    names: list[str]
    head: pd.DataFrame
    columns: Columns
    garbled: bool
    header: bool | None  # whether the first row is one; None where a format leaves no choice


def sheets_of(data: bytes, filename: str) -> tuple[tuple[str, ...], str]:
    """The sheets of a workbook, and the one to begin with."""
    book = _file(data, filename)
    assert isinstance(book, Workbook)
    return book.sheets, book.first_sheet()


def look_at(
    data: bytes,
    filename: str,
    options: ReadingOptions,
    kind: Kind | None = None,
    told: Mapping[Role, str] | None = None,
) -> FileLook:
    table = _table(data, filename, options)
    guess = guess_columns(table, kind, dict(told or {}))
    rows = _rows_that_differ(table, guess.features)
    return FileLook(
        table.names,
        table.take(rows).to_frame(_COLUMNS_SHOWN),
        guess,
        not options.mend and bool(garbled(table)),
        table.header is not None if table.unit == "row" else None,
    )


def _rows_that_differ(table: Table, features: Sequence[str]) -> list[int]:
    """The first rows, the longest, that with most gaps, that with the oddest number, the last."""
    import pandas as pd

    rows = range(len(table))
    if not table.columns or not rows:
        return []
    cells = list(zip(*table.columns.values(), strict=True))
    longest = max(rows, key=lambda row: sum(len(as_text(cell)) for cell in cells[row]))
    emptiest = max(rows, key=lambda row: sum(not is_filled(cell) for cell in cells[row]))
    numbers = pd.DataFrame({name: table.numbers(name).values for name in features}, dtype=float)
    furthest = ((numbers - numbers.mean()) / numbers.std()).abs().max(axis=1)
    oddest = [int(furthest.argmax())] if furthest.notna().any() else []
    return sorted({*rows[:3], longest, emptiest, *oddest, rows[-1]})


def read_uploaded(
    data: bytes, filename: str, options: ReadingOptions, columns: Mapping[str, Any]
) -> FewShotDataset:
    return read_dataset(_table(data, filename, options), header=options.header, **columns)


@lru_cache(maxsize=1)  # a form asks about one file again and again
def _table(data: bytes, filename: str, options: ReadingOptions) -> Table:
    table = read_table(_file(data, filename), sheet=options.sheet)
    table = with_header(table, options.header)
    return mended(table) if options.mend else table


@lru_cache(maxsize=1)  # a workbook is opened once for all its sheets
def _file(data: bytes, filename: str) -> Workbook | Table:
    return open_file(io.BytesIO(data), filename)
