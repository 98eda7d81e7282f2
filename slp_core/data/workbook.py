"""XLSX: the non-empty rows of a workbook's sheets, and its merged cells."""

from __future__ import annotations

import io
import posixpath
import zipfile
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from typing import Any
from xml.parsers import expat

from slp_core.data import remarks
from slp_core.data.archives import open_archive
from slp_core.data.layouts import with_class_column
from slp_core.data.limits import LIMITS, check_size, too_many
from slp_core.data.remarks import Places
from slp_core.data.table import (
    Grid,
    Table,
    filled_cells,
    is_filled,
    table_of_grid,
    without_title_rows,
)
from slp_core.errors import DatasetError

_CHUNK = 64 * 1024
_ROWS_OF_A_TABLE = 4

Merged = tuple[int, int, int]
"""First row, last row and column, counted from 1, of cells merged over several rows."""


class Workbook:
    """A workbook that is read sheet by sheet, once its parts are known to be few and small."""

    def __init__(self, data: bytes, name: str) -> None:
        from openpyxl import load_workbook

        self._name = name
        with (
            open_archive(data, name, DatasetError, "an Excel workbook") as archive,
            _errors(name),
        ):
            self._merged = _merged_cells(archive, name)
            self._book = load_workbook(
                io.BytesIO(data), read_only=True, data_only=True, keep_links=False
            )
            if not self._book.worksheets:
                raise ValueError("no sheet holds cells")
        by_sight = sorted(self._book.worksheets, key=lambda sheet: sheet.sheet_state != "visible")
        self.sheets = tuple(sheet.title for sheet in by_sight)

    def table(self, sheet: str | None = None) -> Table:
        """The table of a sheet, of `first_sheet` by default."""
        sheet = sheet or self.first_sheet()
        if sheet not in self.sheets:
            raise DatasetError(
                f"{self._name} has no sheet {sheet!r}; its sheets are "
                f"{', '.join(map(repr, self.sheets))}."
            )
        name = self._called(sheet)
        grid = list(self._rows(sheet))
        broad = next((i for i, (_, record) in enumerate(grid) if filled_cells(record) > 1), 0)
        rows, told = without_title_rows(grid, broad, name)
        filled = _fill_merged(rows, self._merged.get(sheet, []), name)
        table = with_class_column(table_of_grid(rows, name, warnings=(*told, *filled)))
        return replace(table, filename=self._name, sheet=sheet)

    def first_sheet(self) -> str:
        """The first sheet with a table of some rows, or else with two columns."""
        for least in (_ROWS_OF_A_TABLE, 1):
            for sheet in self.sheets:
                rows = (1 for _, record in self._rows(sheet) if filled_cells(record) > 1)
                if sum(islice(rows, least)) == least:
                    return sheet
        return self.sheets[0]

    def _rows(self, sheet: str) -> Iterator[tuple[int, list[Any]]]:
        """The rows of a sheet that hold more than white space: number, and cells up to the last."""
        called, n, width = self._called(sheet), 0, 0
        with _errors(self._name):
            cells = self._book[sheet]
            cells.reset_dimensions()  # what a sheet says of its own size may be wrong
            for row, record in enumerate(cells.iter_rows(values_only=True), start=1):
                filled = [i for i, cell in enumerate(record, start=1) if is_filled(cell)]
                if not filled:
                    continue
                width = max(width, filled[-1])
                if width > LIMITS.columns:
                    raise too_many(self._name, LIMITS.columns, "columns, counting empty ones")
                check_size(called, n, width)
                n += 1
                yield row, list(record[: filled[-1]])

    def _called(self, sheet: str) -> str:
        return f"{self._name} (sheet {sheet!r})" if len(self.sheets) > 1 else self._name


class _Part:
    """One XML part of the archive, counted before openpyxl makes objects of its elements."""

    def __init__(self, part: str, name: str) -> None:
        self.root = ""
        self.sheets: list[tuple[str, str]] = []  # title and relationship
        self.targets: dict[str, str] = {}  # part by relationship
        self.merged: list[Merged] = []
        self._part, self._name = part, name
        self._elements = self._rows = self._row = 0
        self._declared = False

    def read(self, source: Any) -> None:
        """Look through a part; invalid XML is left for openpyxl to refuse."""
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartElementHandler = self._element
        parser.StartDoctypeDeclHandler = self._doctype
        try:
            while chunk := source.read(_CHUNK):
                parser.Parse(chunk, False)
                if self.root == "svg":  # a picture
                    return
            parser.Parse(b"", True)
        except expat.ExpatError:
            return

    def _doctype(self, *_: Any) -> None:
        self._declared = True

    def _element(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(" ")[2]
        if not self.root:
            self.root = tag
            if self._declared and tag != "svg":
                raise ValueError("a workbook declares no document type, and no entities")
        if self.root == "worksheet":
            if tag == "row":
                self._add_row(attributes)
            elif tag == "mergeCell":
                self._add_merged(attributes["ref"])
            return
        self._elements += 1
        if self.root == "sst":
            if self._elements > LIMITS.shared_elements:
                raise too_many(self._name, LIMITS.shared_elements, "pieces of shared text")
        elif self._elements > LIMITS.elements and self.root != "svg":
            what = f"elements in its part {self._part} (styles, for the most)"
            raise too_many(self._name, LIMITS.elements, what)
        own = {key.rpartition(" ")[2]: value for key, value in attributes.items()}
        if self.root == "workbook" and tag == "sheet":
            self.sheets.append((own.get("name", ""), own.get("id", "")))
            if len(self.sheets) > LIMITS.sheets:
                raise too_many(self._name, LIMITS.sheets, "sheets")
        elif self.root == "Relationships" and tag == "Relationship":
            self.targets[own.get("Id", "")] = own.get("Target", "")

    def _add_row(self, attributes: dict[str, str]) -> None:
        row = int(attributes.get("r", self._row + 1))
        if row > LIMITS.sheet_rows:
            raise too_many(self._name, LIMITS.sheet_rows, "rows, counting empty ones")
        if row <= self._row:  # openpyxl would leave it out
            raise ValueError("rows are in no order")
        self._row, self._rows = row, self._rows + 1
        if self._rows > LIMITS.rows + LIMITS.empty_rows:
            raise too_many(self._name, LIMITS.rows + LIMITS.empty_rows, "rows with empty ones")

    def _add_merged(self, reference: str) -> None:
        from openpyxl.utils import range_boundaries

        column, first, _, last = range_boundaries(reference)
        if first is not None and first < last:
            self.merged.append((first, last, column))


def _merged_cells(archive: zipfile.ZipFile, name: str) -> dict[str, list[Merged]]:
    """By sheet, the cells merged over rows; raises where a part has too many elements."""
    parts = {}
    for member in archive.namelist():
        parts[member] = _Part(member, name)
        with archive.open(member) as source:
            parts[member].read(source)
    found = {}
    for member, book in parts.items():
        folder, own = posixpath.split(member)
        relations = parts.get(f"{folder}/_rels/{own}.rels".lstrip("/"))
        if relations is None:
            continue
        for title, relation in book.sheets:
            target = posixpath.normpath(
                posixpath.join("/", folder, relations.targets.get(relation, ""))
            ).lstrip("/")
            if target in parts:
                found[title] = parts[target].merged
    return found


def _fill_merged(grid: Grid, merged: Sequence[Merged], name: str) -> tuple[str, ...]:
    """Write a merged cell's value into each of its rows, and say so: Excel stores it once."""
    numbers = [row for row, _ in grid]
    done: dict[int, int] = {}  # the last row by column
    filled: set[int] = set()
    for first, last, column in sorted(merged):
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
    return (remarks.merged_cells(name, Places(tuple(sorted(filled)))),)


@contextmanager
def _errors(name: str) -> Iterator[None]:
    try:
        yield
    except (DatasetError, MemoryError):
        raise
    except Exception as error:  # openpyxl lets many kinds through from damaged XML and archives
        raise DatasetError(
            f"{name} cannot be opened as an Excel workbook (damaged, cut short or protected by a "
            "password): save it again as .xlsx."
        ) from error
