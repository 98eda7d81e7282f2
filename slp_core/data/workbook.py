"""XLSX: the non-empty rows of a workbook's sheets, and its merged cells."""

from __future__ import annotations

import io
import zipfile
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import islice
from typing import Any
from xml.parsers import expat

from slp_core.data import remarks
from slp_core.data.archives import open_archive
from slp_core.data.limits import check_counts, check_size
from slp_core.data.remarks import Places
from slp_core.data.table import Grid, Table, filled_cells, is_filled, table_of_grid
from slp_core.errors import DatasetError

_CHUNK = 64 * 1024
_DOCTYPE = "!DOCTYPE"
_ROWS_OF_A_TABLE = 4

Merged = tuple[int, int, int]
"""First row, last row and column, counted from 1, of cells merged over several rows."""


class Workbook:
    """A workbook that is read sheet by sheet, once its parts are known to be few and small."""

    def __init__(self, data: bytes, name: str) -> None:
        from openpyxl.reader.excel import ExcelReader

        self._name = name
        with (
            open_archive(data, name, DatasetError, "an Excel workbook") as archive,
            _errors(name),
        ):
            merged = {part: _merged_cells(archive, part, name) for part in archive.namelist()}
            reader = ExcelReader(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
            reader.read()
            self._book = reader.wb
            sheets = reader.parser.find_sheets()
            self._merged = {sheet.name: merged.get(at.target, []) for sheet, at in sheets}
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
        titles = next((i for i, (_, record) in enumerate(grid) if filled_cells(record) > 1), 0)
        told = _fill_merged(grid, self._merged.get(sheet, []), name)
        table = table_of_grid(grid, name, titles, warnings=told)
        return replace(table, filename=self._name, sheet=sheet)

    def first_sheet(self) -> str:
        """The first sheet with a table of some rows, or else with two columns."""
        with suppress(DatasetError):  # a wrong one hides no other
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
                check_size(called, n, width)
                n += 1
                yield row, list(record[: filled[-1]])

    def _called(self, sheet: str) -> str:
        return f"{self._name} (sheet {sheet!r})" if len(self.sheets) > 1 else self._name


def _merged_cells(archive: zipfile.ZipFile, part: str, name: str) -> list[Merged]:
    """The cells merged over rows in a sheet; raises where a part has too many elements.

    Each part is counted before openpyxl makes objects of its elements.
    """
    with archive.open(part) as source:
        elements, sheets = _elements(source), 0
        root, _ = next(elements, ("", {}))
        if root == "worksheet":
            return _merged_of_sheet(elements, name)
        if root == _DOCTYPE and next(elements, ("", {}))[0] != "svg":
            raise ValueError("a workbook declares no document type, and no entities")
        if root in (_DOCTYPE, "svg"):  # a picture
            return []
        what = "shared_elements" if root == "sst" else "elements"
        for n, (tag, _) in enumerate(elements, start=1):
            sheets += root == "workbook" and tag == "sheet"
            check_counts(name, **{what: n, "sheets": sheets})
    return []


def _elements(source: Any) -> Iterator[tuple[str, dict[str, str]]]:
    """Names and attributes of an XML part; invalid XML is left for openpyxl to refuse."""
    found: list[tuple[str, dict[str, str]]] = []

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = lambda *element: found.append(element)
    parser.StartDoctypeDeclHandler = lambda *_: found.append((_DOCTYPE, {}))
    with suppress(expat.ExpatError):
        while chunk := source.read(_CHUNK):
            parser.Parse(chunk, False)
            yield from ((tag.rpartition(" ")[2], attributes) for tag, attributes in found)
            found.clear()


def _merged_of_sheet(elements: Iterator[tuple[str, dict[str, str]]], name: str) -> list[Merged]:
    from openpyxl.utils import range_boundaries

    merged: list[Merged] = []
    rows = row = 0
    for tag, attributes in elements:
        if tag == "row":
            before, row, rows = row, int(attributes.get("r", row + 1)), rows + 1
            check_counts(name, sheet_rows=row, stored_rows=rows)
            if row <= before:  # openpyxl would leave it out
                raise ValueError("rows are in no order")
        elif tag == "mergeCell":
            column, first, _, last = range_boundaries(attributes["ref"])
            if first is not None and first < last:
                merged.append((first, last, column))
    return merged


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
