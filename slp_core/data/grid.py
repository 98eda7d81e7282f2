"""From rows of cells, as a text or a sheet has them, to a table: header, widths, counters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

import numpy as np

from slp_core.data.columns import is_number
from slp_core.data.table import Places, Table, as_text, empty, repeated
from slp_core.errors import DatasetError
from slp_core.facts import Fact, Facts, Verbatim, fact

Grid = Sequence[tuple[int, Sequence[Any]]]
"""Rows that hold anything: the number of each, and its cells."""

_LOOKED_AT = 500  # rows, for a class that the first of them names
_UNNAMED = ("", "unnamed: 0")
_COUNTERS = (*_UNNAMED, "id", "index", "idx", "row", "nr", "no", "nr.", "no.", "#")
_WHOLE = re.compile("[0-9]+")


def table_of_grid(
    grid: Grid,
    name: str,
    *,
    decimal_comma: bool = False,
    warnings: Facts = (),
) -> Table:
    """A table whose first non-empty row is the header, unless that holds measurements."""
    rows = list(grid)
    if not rows:
        raise empty(name)
    if _is_data(rows[0][1], rows[1:], decimal_comma):
        header_row, header = None, [f"column {i + 1}" for i in range(len(rows[0][1]))]
        warnings += (_without_header(name),)
    else:
        header_row, cells_of_header = rows.pop(0)
        header = [as_text(cell).strip() for cell in cells_of_header]
    width, records = len(header), []
    for row, record in rows:
        if any(as_text(cell).strip() for cell in record[width:]):
            place = "first row" if header_row is None else f"header (row {header_row})"
            raise DatasetError(
                f"{name} has {len(record)} cells in row {row} but {len(header)} columns in its "
                f"{place}: put quotation marks around text that holds the delimiter."
            )
        if len(record) != width:
            record = [*record[:width], *[None] * (width - len(record))]
        records.append(record)
    cells = list(zip(*records, strict=True)) or [()] * width
    columns: dict[str, list[Any]] = {}
    for position, (title, column) in enumerate(zip(header, cells, strict=True)):
        if not title and not any(as_text(cell).strip() for cell in column):
            continue
        if position == 0 and _numbers_rows(title, column):
            warnings += (_row_numbers(name, title),)
            continue
        title = title or f"column {position + 1}"
        if title in columns:
            raise repeated(name, title)
        columns[title] = list(column)
    return Table(
        name=name,
        columns=columns,
        rows=[row for row, _ in rows],
        header=header_row,
        decimal_comma=decimal_comma,
        warnings=warnings,
    )


def without_row_numbers(table: Table) -> Table:
    """A table of named columns without a first one that only numbers the rows."""
    first = next(iter(table.columns), None)
    if first is None or not _numbers_rows(first, table.columns[first]):
        return table
    others = {name: cells for name, cells in table.columns.items() if name != first}
    warnings = (*table.warnings, _row_numbers(table.name, first))
    return replace(table, columns=others, warnings=warnings)


def titles_of_sheet(grid: Grid) -> int:
    """How many rows stand above the table of a sheet: those of one cell before broader ones."""
    return next((i for i, (_, record) in enumerate(grid) if _filled(record) > 1), 0)


def titles_of_text(grid: Grid) -> int:
    """How many rows stand above the table of a text, and cannot be its header.

    A line of one cell can be: those below are then texts that the delimiter has cut. So an empty
    line has to follow it, or it leaves two columns or more without a name. A comment (``#``) is no
    header, unless it has as many cells as the table: so NumPy writes one.
    """
    broad = (i for i, (_, record) in enumerate(grid) if _filled(record) > 1)
    table = next((i for i in broad if not _is_comment(grid[i][1])), 0)
    width, filled = (len(grid[table][1]), _filled(grid[table][1])) if grid else (0, 0)
    for i, (row, record) in enumerate(grid[:table]):
        if _is_comment(record):
            is_title = len(record) != width
        else:
            is_title = grid[i + 1][0] > row + 1 or min(len(record), filled) > 2
        if not is_title:
            return i
    return table


def without_title_rows(grid: Grid, n: int, name: str) -> tuple[Grid, Facts]:
    """A grid without its first n rows, and the remark that they are left out."""
    if not n:
        return grid, ()
    told = fact(
        "data.title_rows",
        "Left out above the table of {file}: {where}.",
        file=Verbatim(name),
        where=Places(tuple(row for row, _ in grid[:n])),
    )
    return grid[n:], (told,)


def _is_comment(record: Sequence[Any]) -> bool:
    return as_text(record[0]).lstrip().startswith("#")


def _is_data(first: Sequence[Any], body: Grid, decimal_comma: bool) -> bool:
    """Whether a first row is no header: all numbers, or with a class's name or a fraction."""
    cells = [as_text(cell).strip() for cell in first]
    numbers = [_number(cell, decimal_comma) for cell in cells]
    words = {i: cell for i, cell in enumerate(cells) if cell and numbers[i] is None}
    rows = [[as_text(cell).strip() for cell in record] for _, record in body[:_LOOKED_AT]]
    if len(cells) > 1 and None not in numbers:
        return bool(body) and not _are_names(numbers, rows, decimal_comma)
    rows = [row for row in rows if row != cells]  # a header may come again where files were joined
    columns = {i: [row[i] for row in rows if i < len(row) and row[i]] for i in words}
    if len(cells) > 1 and any(_is_class(words[i], columns[i]) for i in words):
        return True
    if not any(number and not number.is_integer() for number in numbers):
        return False
    for _, record in body:
        again = [i for i, word in words.items() if i < len(record) and as_text(record[i]) == word]
        for i in again:
            del words[i]
        if not words:
            return True
    return False


def _are_names(
    numbers: list[float | None], rows: Sequence[Sequence[str]], decimal_comma: bool
) -> bool:
    """Whether numbers count the columns, as pandas' own names do, or one is above words."""
    n = len(numbers)
    if numbers in ([*range(n)], [*range(1, n + 1)]):
        return True
    columns = ([cell for cell in column if cell] for column in zip_longest(*rows))
    return any(
        column and all(_number(cell, decimal_comma) is None for cell in column)
        for column in columns
    )


def _is_class(word: str, column: Sequence[str]) -> bool:
    """Whether a word comes more than once in a column, and another one does as well."""
    if column.count(word) < 2:
        return False
    return any(count > 1 for other, count in Counter(column).items() if other != word)


def _number(cell: str, decimal_comma: bool) -> float | None:
    """A finite number, or nothing."""
    if decimal_comma:
        cell = cell.replace(",", ".")
    return float(cell) if is_number(cell) and np.isfinite(float(cell)) else None


def _without_header(name: str) -> Fact:
    return fact(
        "data.no_header",
        "{file} has no header row, so its columns are called “column” and their number.",
        file=Verbatim(name),
    )


def _filled(record: Sequence[Any]) -> int:
    return sum(bool(as_text(cell).strip()) for cell in record)


def _numbers_rows(title: str, column: Sequence[Any]) -> bool:
    """Whether a first column counts the rows, or numbers them without a name, as of pandas."""
    if title.casefold() not in _COUNTERS:
        return False
    texts = [as_text(cell).strip() for cell in column]
    if any(texts == [str(first + i) for i in range(len(texts))] for first in (0, 1)):
        return True
    unnamed = title.casefold() in _UNNAMED and len(set(texts)) == len(texts)
    return unnamed and all(map(_WHOLE.fullmatch, texts))


def _row_numbers(name: str, title: str) -> Fact:
    return fact(
        "data.row_numbers",
        "The first column of {file} only numbers the rows and is left out.",
        file=Verbatim(name),
        column=title,
    )
