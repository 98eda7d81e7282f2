"""From a file to its tables: CSV, TSV, JSON, JSON Lines, Parquet and XLSX.

By hand rather than by pandas, which guesses the type of a cell, stops at no limit of size, does not
say where a row stood in its file, and tells of a broken file in words for programmers.
"""

from __future__ import annotations

import os
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any, Protocol

from slp_core.data.delimited import read_delimited
from slp_core.data.grid import (
    Grid,
    table_of_grid,
    titles_of_sheet,
    without_row_numbers,
    without_title_rows,
)
from slp_core.data.json_tables import read_json, read_json_lines
from slp_core.data.limits import LIMITS, CharacterCount, check_file_size, check_names
from slp_core.data.parquet import read_parquet
from slp_core.data.table import Places, Table, empty, without_nested
from slp_core.data.workbook import Merged, Workbook, is_filled
from slp_core.errors import DatasetError
from slp_core.facts import Facts, Verbatim, fact


class ReadableFile(Protocol):
    """An open file: an upload, or what ``open`` returns."""

    def read(self, size: int = ..., /) -> bytes | str:
        """Read at most `size` bytes."""


Source = str | os.PathLike[str] | ReadableFile


class TableFile:
    """The tables of a file, each parsed once: one a sheet of a workbook, one in any other file."""

    def __init__(self, source: Source, filename: str | None = None) -> None:
        self.name, data = read_bytes(source, filename)
        self.sheets: tuple[str, ...] = ()
        self._table: Table | None = None  # the last that was asked for: they may be large
        self._grid: Grid | None = None  # of `first_sheet`, until it is a table
        suffix = PurePath(self.name).suffix.lower()
        if suffix == ".xlsx":
            self._book = Workbook(data, self.name)
            self.sheets = self._book.sheets
        elif suffix in _READERS:
            self._table = _within_limits(_READERS[suffix](data, self.name))
        elif suffix in (".npy", ".npz"):
            raise DatasetError(
                f"{self.name} holds NumPy arrays: save them as a CSV or Parquet file, with one "
                "column a feature and one for the class."
            )
        elif suffix in _ARCHIVES:
            why = f"{self.name} is an archive: unpack it and give the file that holds the table"
            raise DatasetError(
                f"{why}, or read the folder of a LEOPARD task with read_leopard.",
                form=f"{why}; the files of a LEOPARD task are read on the page Compare, under "
                "“beside the paper”.",
            )
        else:
            raise DatasetError(
                f"{self.name} does not end in one of {', '.join([*_READERS, '.xlsx'])}: "
                "save the table in one of these formats."
            )

    def table(self, sheet: str | None = None) -> Table:
        """The table of a sheet, of `first_sheet` by default."""
        if not self.sheets:
            if sheet is not None:
                raise DatasetError(f"{self.name} has no sheets, so leave sheet={sheet!r} out.")
            assert self._table is not None
            return self._table
        sheet = sheet or self.first_sheet
        if sheet not in self.sheets:
            raise DatasetError(
                f"{self.name} has no sheet {sheet!r}; its sheets are "
                f"{', '.join(map(repr, self.sheets))}."
            )
        if self._table is None or self._table.sheet != sheet:
            self._table = None
            grid, self._grid = self._grid, None
            if grid is None or sheet != self.first_sheet:
                grid = self._book.rows(sheet, self._called(sheet))
            name = self._called(sheet)
            rows, told = without_title_rows(grid, titles_of_sheet(grid), name)
            filled = _fill_merged(rows, self._book.merged(sheet), name)
            table = _within_limits(table_of_grid(rows, name, warnings=(*told, *filled)))
            self._table = replace(table, sheet=sheet)
        return self._table

    @cached_property
    def first_sheet(self) -> str:
        """The first sheet of a workbook with a column for a class beside another one."""
        for sheet in self.sheets:
            grid = self._book.rows(sheet, self._called(sheet))
            if any(sum(map(is_filled, record)) > 1 for _, record in grid):
                self._grid = grid
                return sheet
        return self.sheets[0]

    def _called(self, sheet: str) -> str:
        """What messages about a sheet call it."""
        return f"{self.name} (sheet {sheet!r})" if len(self.sheets) > 1 else self.name


def read_bytes(source: Source, filename: str | None = None) -> tuple[str, bytes]:
    """The name and the contents of a file within the size limit."""
    if not (isinstance(source, str | os.PathLike) or callable(getattr(source, "read", None))):
        raise _no_source(source)
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        name = filename or path.name
        try:
            is_folder, size = path.is_dir(), path.stat().st_size
            data = b"" if is_folder or size > LIMITS.file_bytes else path.read_bytes()
        except (OSError, ValueError) as error:  # the latter of a null character
            reason = getattr(error, "strerror", None) or error
            raise DatasetError(f"{path} cannot be read ({reason}): check the path.") from error
        if is_folder:
            raise DatasetError(
                f"{path} is a folder, not a file: a LEOPARD task folder is read with read_leopard."
            )
    else:
        own_name = getattr(source, "name", None)
        name = filename or (PurePath(own_name).name if isinstance(own_name, str) else "")
        if not name:
            raise DatasetError("The open file has no name: give filename= so its format is known.")
        if hasattr(source, "seek"):
            source.seek(0)
        contents = source.read(LIMITS.file_bytes + 1)
        data = contents.encode() if isinstance(contents, str) else bytes(contents)
        size = len(data)
    check_file_size(name, size)
    if not data.strip():
        raise empty(name)
    return name, data


def _no_source(given: Any) -> DatasetError:
    """What to say of what is neither a path nor an open file."""
    if isinstance(given, bytes | bytearray | memoryview):
        instead = "put the bytes into io.BytesIO and name them by filename="
    elif hasattr(given, "to_parquet"):
        instead = 'save the table first, as with .to_parquet("data.parquet"), and give that path'
    else:
        instead = "give one of the two"
    return DatasetError(
        f"A dataset is read from a path or an open file, and path_or_file is of type "
        f"{type(given).__name__}: {instead}."
    )


def _read_parquet(data: bytes, name: str) -> Table:
    columns, n, nested = read_parquet(data, name)
    table = Table(name=name, columns=columns, rows=range(2, n + 2))
    return without_nested(without_row_numbers(table), nested)


def _fill_merged(grid: Grid, merged: Sequence[Merged], name: str) -> Facts:
    """Write what a merged cell holds into each of its rows, and say so: Excel keeps it once."""
    numbers = [row for row, _ in grid]
    done: dict[int, int] = {}  # the last row by column
    filled: set[int] = set()
    for first, last, column in sorted(merged) if numbers == sorted(numbers) else ():
        begin = bisect_left(numbers, first)
        if first <= done.get(column, 0) or begin == len(grid) or numbers[begin] != first:
            continue
        done[column] = last
        cells = grid[begin][1]
        cell = cells[column - 1] if column <= len(cells) else None
        for row, record in grid[begin + 1 : bisect_right(numbers, last)] if is_filled(cell) else ():
            assert isinstance(record, list)
            record += [None] * (column - len(record))
            if not is_filled(record[column - 1]):
                record[column - 1] = cell
                filled.add(row)
    if not filled:
        return ()
    template = "{file} has merged cells, which are read as if they were written again in {where}."
    where = Places(tuple(sorted(filled)))
    return (fact("data.merged", template, file=Verbatim(name), where=where),)


def _within_limits(table: Table) -> Table:
    """A table whose names and cells are not too long."""
    check_names(table.name, table.columns)
    count = CharacterCount(table.name)
    for column, cells in table.columns.items():
        count.add(column, cells)
    return table


_ARCHIVES = (".zip", ".gz", ".tgz", ".tar", ".bz2", ".xz", ".zst", ".7z", ".rar")

_READERS: dict[str, Callable[[bytes, str], Table]] = {
    ".csv": read_delimited,
    ".tsv": read_delimited,
    ".tab": read_delimited,
    ".txt": read_delimited,
    ".json": read_json,
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
    ".parquet": _read_parquet,
}
