"""From rows of cells, as a text or a sheet has them, to a table: header, widths, counters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from slp_core.data.columns import is_number
from slp_core.data.table import Places, Table, as_text, empty, repeated
from slp_core.errors import DatasetError
from slp_core.facts import Fact, Facts, Verbatim, fact

_LOOKED_AT = 500  # rows, for a class that the first of them names
_COUNTERS = ("", "id", "index", "idx", "row", "nr", "no", "nr.", "no.", "#", "unnamed: 0")


def table_of_grid(
    grid: Iterable[tuple[int, Sequence[Any]]],
    name: str,
    *,
    decimal_comma: bool = False,
    warnings: Facts = (),
) -> Table:
    """A table whose first non-empty row is the header, unless that holds measurements."""
    rows = list(grid)
    if not rows:
        raise empty(name)
    if _is_data(rows[0][1], rows[1:]):
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
        if position == 0 and title.casefold() in _COUNTERS and _counts_rows(column):
            warnings += (
                fact(
                    "data.row_numbers",
                    "The first column of {file} only counts the rows and is left out.",
                    file=Verbatim(name),
                    column=title,
                ),
            )
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


def without_title_rows(grid: list[tuple[int, list[Any]]], name: str) -> tuple[Any, Facts]:
    """A sheet without the titles above its table: rows of a single cell before broader ones."""
    first = next((i for i, (_, record) in enumerate(grid) if _filled(record) > 1), 0)
    if not first:
        return grid, ()
    told = fact(
        "data.title_rows",
        "Left out above the table of {file}: {where}.",
        file=Verbatim(name),
        where=Places(tuple(row for row, _ in grid[:first])),
    )
    return grid[first:], (told,)


def _is_data(first: Sequence[Any], body: Sequence[tuple[int, Sequence[Any]]]) -> bool:
    """Whether a first row is no header: a word of it is a class, or it has a fraction.

    With a fraction, all of its words come again below.
    """
    cells = [as_text(cell).strip() for cell in first]
    words = {i: cell for i, cell in enumerate(cells) if cell and _number(cell) is None}
    rows = [[as_text(cell).strip() for cell in record] for _, record in body[:_LOOKED_AT]]
    rows = [row for row in rows if row != cells]  # a header may come again where files were joined
    columns = {i: [row[i] for row in rows if i < len(row) and row[i]] for i in words}
    if len(cells) > 1 and any(_is_class(words[i], columns[i]) for i in words):
        return True
    if not any(number and not number.is_integer() for number in map(_number, cells)):
        return False
    for _, record in body:
        again = [i for i, word in words.items() if i < len(record) and as_text(record[i]) == word]
        for i in again:
            del words[i]
        if not words:
            return True
    return False


def _is_class(word: str, column: Sequence[str]) -> bool:
    """Whether a word comes more than once in a column, and another one does as well."""
    if column.count(word) < 2:
        return False
    return any(count > 1 for other, count in Counter(column).items() if other != word)


def _number(cell: str) -> float | None:
    """A finite number, or nothing."""
    return float(cell) if is_number(cell) and np.isfinite(float(cell)) else None


def _without_header(name: str) -> Fact:
    return fact(
        "data.no_header",
        "{file} has no header row, so its columns are called “column” and their number.",
        file=Verbatim(name),
    )


def _filled(record: Sequence[Any]) -> int:
    return sum(bool(as_text(cell).strip()) for cell in record)


def _counts_rows(column: Sequence[Any]) -> bool:
    texts = [as_text(cell) for cell in column]
    return any(texts == [str(first + i) for i in range(len(texts))] for first in (0, 1))
