"""A table of cells, each row with its place in the file; found in rows with or without a header."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, time
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from slp_core.data import remarks
from slp_core.data.limits import check_size
from slp_core.data.numbers import DecimalMark, Numbers, looks_like_number, number_of, read_numbers
from slp_core.data.remarks import Places
from slp_core.errors import DatasetError

if TYPE_CHECKING:
    import pandas as pd

Grid = Sequence[tuple[int, Sequence[Any]]]
"""Rows that hold anything: the number of each, and its cells."""

_LOOKED_AT = 500  # rows, for a class that the first of them names
_UNNAMED = ("", "unnamed: 0", "index")  # as pandas calls an index that has no name
_COUNTERS = (*_UNNAMED, "id", "idx", "row", "nr", "no", "nr.", "no.", "#")
# A cell that is called so is a column's name, whatever stands beside it.
_PLAIN_NAME = re.compile(
    "text|sentence|label|class|target|title|review|question|category|y|id|index", re.IGNORECASE
)
_WHOLE = re.compile("-?[0-9]+")


@dataclass(frozen=True)
class Table:
    """Cells by column, and where each row stands in its file."""

    name: str
    columns: dict[str, list[Any]]
    rows: Sequence[int]
    unit: str = "row"
    header: int | None = 1
    semicolons: bool = False  # between cells, as where commas are decimal marks
    decimal: DecimalMark | None = None  # what the caller says
    warnings: tuple[str, ...] = ()
    nested: Mapping[str, str] = field(default_factory=dict)
    filename: str = ""
    sheet: str | None = None
    counted: bool = False  # a first column that numbers the rows is left out
    mended: bool = False  # letters that were once read in a wrong encoding, see `mojibake`

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def names(self) -> list[str]:
        return list(self.columns)

    def where(self, positions: Sequence[int] | np.ndarray) -> Places:
        numbers = tuple(int(self.rows[position]) for position in positions)
        return Places(numbers, self.unit, self.header)

    def take(self, positions: Sequence[int]) -> Table:
        """Some of its rows, which keep their numbers."""
        columns = {name: [cells[i] for i in positions] for name, cells in self.columns.items()}
        return replace(self, columns=columns, rows=[self.rows[i] for i in positions])

    def numbers(self, name: str) -> Numbers:
        return read_numbers(self.columns[name], decimal=self.decimal, semicolons=self.semicolons)

    def to_frame(self, most: int | None = None) -> pd.DataFrame:
        """Its first columns as a pandas table of texts, indexed by `rows`."""
        import pandas as pd

        index = pd.Index(self.rows, name=self.unit)
        columns = {
            name: [None if cell is None or cell != cell else _text(str(cell)) for cell in cells]
            for name, cells in islice(self.columns.items(), most)
        }
        return pd.DataFrame(columns, index=index, dtype=object)


def as_text(cell: Any) -> str:
    """A cell as text: nothing for a missing one, "2" for 2.0, and a day for its midnight."""
    if cell is None:
        return ""
    if isinstance(cell, float | np.floating):
        if np.isnan(cell):
            return ""
        return str(int(cell)) if float(cell).is_integer() else str(cell)
    if isinstance(cell, datetime) and cell.time() == time():
        return str(cell.date())
    return _text(str(cell))


def _text(text: str) -> str:
    """A text without halves of surrogate pairs, which JSON escapes allow."""
    try:
        text.encode()
        return text
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def is_filled(cell: Any) -> bool:
    """Whether a cell holds more than white space."""
    return cell is not None and bool(as_text(cell).strip())


def filled_cells(record: Sequence[Any]) -> int:
    return sum(map(is_filled, record))


def empty(name: str) -> DatasetError:
    return DatasetError(
        f"{name} is empty: give it a header row and at least two rows of each of two classes."
    )


def check_distinct(name: str, columns: Iterable[str]) -> None:
    """Raise where two columns of a file have one name."""
    for column, n in Counter(columns).most_common(1):
        if n > 1:
            raise DatasetError(f"{name} has two columns named {column!r}: rename one of them.")


def tidied(table: Table, columns: Iterable[tuple[str, Sequence[Any]]]) -> Table:
    """A table with these columns, but for a first one that numbers the rows, empty ones without a
    name, and nested ones; asking for one of those explains why.
    """
    name, warnings, nested, counted = table.name, [*table.warnings], {**table.nested}, False
    kept: list[tuple[str, list[Any]]] = []
    for position, (title, cells) in enumerate(columns, start=1):
        at = next((i for i, cell in enumerate(cells) if isinstance(cell, dict | list)), None)
        if at is not None:
            what = "an object" if isinstance(cells[at], dict) else "a list"
            nested[title] = f"{what} in {table.where([at])}"
        elif position == 1 and _numbers_rows(title, cells):
            warnings.append(remarks.row_numbers(name, title))
            counted = True
        elif title or any(map(is_filled, cells)):
            kept.append((title or f"column {position}", list(cells)))
    if nested:
        warnings.append(remarks.unused(name, "Columns of lists or objects", list(nested)))
    check_distinct(name, (title for title, _ in kept))
    told = tuple(warnings)
    return replace(table, columns=dict(kept), nested=nested, counted=counted, warnings=told)


def table_of_grid(
    grid: Grid,
    name: str,
    titles: int = 0,
    *,
    unit: str = "row",
    semicolons: bool = False,
    warnings: tuple[str, ...] = (),
) -> Table:
    """A table whose first row after the titles is the header, unless that holds measurements."""
    rows = list(grid[titles:])
    if not rows:
        raise empty(name)
    check_size(name, len(rows) - 1, len(rows[0][1]))
    if titles:
        above = Places(tuple(row for row, _ in grid[:titles]))
        warnings = (remarks.title_rows(name, above), *warnings)
    if _is_data(rows[0][1], rows[1:]):
        header_row, header = None, [f"column {i + 1}" for i in range(len(rows[0][1]))]
        warnings += (remarks.no_header(name),)
    else:
        header_row, cells_of_header = rows.pop(0)
        header = _texts(cells_of_header)
        if rows and (joined := _joined_header(header, rows)):
            header = joined
            header_row, _ = rows.pop(0)
            warnings += (remarks.header_rows(name),)
    width, records = len(header), []
    for row, record in rows:
        if any(map(is_filled, record[width:])):
            place = "first row" if header_row is None else f"header (row {header_row})"
            raise DatasetError(
                f"{name} has {len(record)} cells in row {row} but {len(header)} columns in its "
                f"{place}: put quotation marks around text that holds the delimiter."
            )
        if len(record) != width:
            record = [*record[:width], *[None] * (width - len(record))]
        records.append(record)
    cells = list(zip(*records, strict=True)) or [()] * width
    numbers = [row for row, _ in rows]
    table = Table(name, {}, numbers, unit, header_row, semicolons, warnings=warnings)
    return tidied(table, zip(header, cells, strict=True))


def with_header(table: Table, header: bool | None) -> Table:
    """A table whose first row is, or is not, the header, as the caller says."""
    if header is None or header == (table.header is not None) or not table.columns:
        return table
    if header:
        names = [as_text(cells[0]).strip() or key for key, cells in table.columns.items()]
        check_distinct(table.name, names)
        columns = {n: cells[1:] for n, cells in zip(names, table.columns.values(), strict=True)}
        return replace(table, columns=columns, rows=table.rows[1:], header=table.rows[0])
    columns = {
        f"column {i}": [name, *cells] for i, (name, cells) in enumerate(table.columns.items(), 1)
    }
    return replace(table, columns=columns, rows=[table.header or 0, *table.rows], header=None)


def titles_of_text(grid: Grid) -> int:
    """How many rows stand above the table of a text, and cannot be its header.

    A line of one cell can be: those below are then texts that the delimiter has cut. So an empty
    line has to follow it, or it leaves two columns or more without a name. A comment (``#``) is no
    header, unless it has as many cells as the table: so NumPy writes one.
    """
    broad = (i for i, (_, record) in enumerate(grid) if filled_cells(record) > 1)
    table = next((i for i in broad if not _is_comment(grid[i][1])), 0)
    width, filled = (len(grid[table][1]), filled_cells(grid[table][1])) if grid else (0, 0)
    for i, (row, record) in enumerate(grid[:table]):
        if _is_comment(record):
            is_title = len(record) != width
        else:
            is_title = grid[i + 1][0] > row + 1 or min(len(record), filled) > 2
        if not is_title:
            return i
    return table


def _is_comment(record: Sequence[Any]) -> bool:
    return as_text(record[0]).lstrip().startswith("#")


def _texts(record: Sequence[Any]) -> list[str]:
    return [as_text(cell).strip() for cell in record]


def _below(rows: Sequence[Sequence[str]], n: int) -> list[list[str]]:
    """Of each of n columns the cells that are filled in."""
    return [[row[i] for row in rows if i < len(row) and row[i]] for i in range(n)]


def _are_numbers(column: Sequence[str]) -> bool:
    return bool(column) and all(map(looks_like_number, column))


def _is_data(first: Sequence[Any], body: Grid) -> bool:
    """Whether a first row is no header: all numbers, or with a class's name or a fraction."""
    cells, n = _texts(first), len(first)
    numbers = [_number(cell) for cell in cells]
    # A header may come again where files were joined
    rows = [texts for _, row in body[:_LOOKED_AT] if (texts := _texts(row)) != cells]
    columns = _below(rows, n)
    if n > 1 and None not in numbers:
        # Names that count the columns, as pandas' own do, or one above words
        counted = numbers in ([*range(n)], [*range(1, n + 1)])
        above_words = any(column and not any(map(looks_like_number, column)) for column in columns)
        return bool(body) and not (counted or above_words)
    found = list(zip(cells, numbers, columns, strict=True))
    words = [(cell, column) for cell, number, column in found if cell and number is None]
    if n > 1 and any(_is_class(word, column) for word, column in words):
        return True
    if any(_PLAIN_NAME.fullmatch(word) for word, _ in words):
        return False
    if any(_is_class_number(number, column) for _, number, column in found):
        return True
    if not words:
        return bool(body) and any(number and not number.is_integer() for number in numbers)
    above = [number is not None for number in numbers]
    like_below = any(above) and above == [_are_numbers(column) for column in columns]
    return like_below and any(word in column for word, column in words)


def _is_class(word: str, column: Sequence[str]) -> bool:
    """Whether a word comes more than once in a column, and another one does as well."""
    counts = Counter(column)
    return counts[word] > 1 and sum(n > 1 for n in counts.values()) > 1


def _is_class_number(number: float | None, column: Sequence[str]) -> bool:
    """Whether a whole number is one of the few below it, each of which recurs."""
    if number is None or not number.is_integer():
        return False
    counts = Counter(map(_number, column))
    return counts[number] > 0 and 1 < len(counts) <= len(column) / 2 and None not in counts


def _joined_header(upper: list[str], rows: Grid) -> list[str] | None:
    """Names in two rows, of which the upper has gaps, as one row of names; None for one row."""
    lower = _texts(rows[0][1])
    n, named = len(lower), len(list(filter(None, upper)))
    gaps = named < n or len(set(upper)) < len(upper)
    if named < 2 or not gaps or not all(lower) or n < len(upper) or len(set(lower)) < n:
        return None
    columns = _below([_texts(record) for _, record in rows[1:_LOOKED_AT]], n)
    plain = any(map(_PLAIN_NAME.fullmatch, lower)) or any(map(_are_numbers, columns))
    again = any(name in column for name, column in zip(lower, columns, strict=True))
    if not plain or again or any(map(looks_like_number, lower)):
        return None
    above, joined = "", []
    for name, own in zip_longest(upper, lower):
        above = name or above
        joined.append(f"{above} {own}".strip())
    return joined


def _number(cell: str) -> float | None:
    value = number_of(cell, "," if "," in cell else ".")
    return value if value is not None and np.isfinite(value) else None


def _numbers_rows(title: str, column: Sequence[Any]) -> bool:
    """Whether a first column counts the rows, or numbers them without a name, as of pandas."""
    if title.casefold() not in _COUNTERS:
        return False
    texts = _texts(column)
    if any(texts == [str(first + i) for i in range(len(texts))] for first in (0, 1)):
        return True
    unnamed = title.casefold() in _UNNAMED and len(set(texts)) == len(texts)
    return unnamed and all(map(_WHOLE.fullmatch, texts))
