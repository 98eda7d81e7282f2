"""From a file to a table of cells: CSV, TSV, JSON, JSON Lines, Parquet and XLSX.

By hand rather than by pandas, which guesses the type of a cell, stops at no limit of size, does not
say where a row stood in its file, and tells of a broken file in words for programmers.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, time
from itertools import islice
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from slp_core.data.bounds import (
    CharacterCount,
    check_delimiters,
    check_file_size,
    check_json_values,
    check_lines,
    check_names,
    check_size,
)
from slp_core.data.decode import decode_text
from slp_core.data.limits import LIMITS
from slp_core.data.parquet import read_parquet
from slp_core.data.workbook import Workbook
from slp_core.errors import DatasetError
from slp_core.facts import ClassName, Fact, Facts, Listed, Verbatim, fact

if TYPE_CHECKING:
    import pandas as pd

_DELIMITERS = (",", ";", "\t", "|")
_SNIFFED_CHARACTERS = 64 * 1024
_SNIFFED_ROWS = 50
_LOOKED_AT = 500  # rows, for a class that the first of them names
_ROWS_SHOWN = 5
_COUNTERS = ("", "id", "index", "idx", "row", "nr", "no", "nr.", "no.", "#", "unnamed: 0")


class ReadableFile(Protocol):
    """An open file: an upload, or what ``open`` returns."""

    def read(self, size: int = ..., /) -> bytes | str:
        """Read at most `size` bytes."""


Source = str | os.PathLike[str] | ReadableFile
_UNITS = {"row": "rows", "line": "lines", "entry": "entries"}


@dataclass(frozen=True)
class Places:
    """Where some rows stand in their file, in words: ``rows 4, 9 and 12 (the header is row 1)``.

    Parameters
    ----------
    numbers
        All of them; the words name the first few.
    unit, header
        Of `Table`.
    """

    numbers: tuple[int, ...]
    unit: str = "row"
    header: int | None = None

    def __str__(self) -> str:
        listed = [str(number) for number in self.numbers[:_ROWS_SHOWN]]
        if len(self.numbers) > _ROWS_SHOWN:
            listed.append(f"{len(self.numbers) - _ROWS_SHOWN:,} more")
        unit = self.unit if len(self.numbers) == 1 else _UNITS[self.unit]
        counted = " (the first is entry 1)" if self.unit == "entry" else ""
        if self.unit == "row" and self.header is not None:
            counted = f" (the header is row {self.header})"
        return f"{unit} {Listed(listed)}{counted}"

    def __format__(self, spec: str) -> str:
        return str(self)


@dataclass(frozen=True)
class Table:
    """Cells by column, and where each row stands in its file.

    Parameters
    ----------
    name
        The file's name, for messages.
    columns
        Cells by column name, in file order; all of one length.
    rows
        The place of each row in the file, as a person would find it: spreadsheet rows, counted
        from 1, lines of JSON Lines, entries of a JSON list (the first is entry 1).
    unit
        ``"row"``, ``"line"`` or ``"entry"``.
    header
        The row that the header stands in; ``None`` where there is none.
    decimal_comma
        Whether numbers may be written with a decimal comma.
    warnings
        What was odd in the reading but no error.
    nested
        Columns that were left out because a cell holds a list or an object: what, and where.
    """

    name: str
    columns: dict[str, list[Any]]
    rows: Sequence[int]
    unit: str = "row"
    header: int | None = 1
    decimal_comma: bool = False
    warnings: Facts = ()
    nested: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.rows)

    def where(self, positions: Sequence[int] | np.ndarray) -> Places:
        """Where these rows stand."""
        numbers = tuple(int(self.rows[position]) for position in positions)
        return Places(numbers, self.unit, self.header)

    def head(self, rows: int, columns: int) -> Table:
        """Its beginning, as Arrow's tables, and so browsers, can hold it: see `_alike`."""
        first = list(self.columns.items())[:columns]
        shown = {name: _alike(cells[:rows]) for name, cells in first}
        return replace(self, columns=shown, rows=self.rows[:rows])

    def to_frame(self) -> pd.DataFrame:
        """The same cells as a pandas table, indexed by `rows`."""
        import pandas as pd

        index = pd.Index(self.rows, name=self.unit)
        return pd.DataFrame(
            {
                name: pd.Series([_shown(cell) for cell in cells], index=index, dtype=object)
                for name, cells in self.columns.items()
            },
            index=index,
        )


class TableFile:
    """The tables of a file, each parsed once: one a sheet of a workbook, one in any other file.

    Parameters
    ----------
    source
        A path, or an open file (an upload); an open file is read from its beginning.
    filename
        The name to go by where `source` has none; its ending tells the format.

    Attributes
    ----------
    name : str
    sheets : tuple of str
        Of a workbook; empty for other files.

    Raises
    ------
    DatasetError
        When the file is missing, empty, damaged, too large or no table.
    """

    def __init__(self, source: Source, filename: str | None = None) -> None:
        self.name, data = read_bytes(source, filename)
        self.sheets: tuple[str, ...] = ()
        self._tables: dict[str, Table] = {}
        suffix = PurePath(self.name).suffix.lower()
        if suffix == ".xlsx":
            self._book = Workbook(data, self.name)
            self.sheets = self._book.sheets
        elif suffix in _READERS:
            self._tables[""] = _within_limits(_READERS[suffix](data, self.name))
        else:
            raise DatasetError(
                f"{self.name} does not end in one of {', '.join([*_READERS, '.xlsx'])}: "
                "save the table in one of these formats."
            )

    def table(self, sheet: str | None = None) -> Table:
        """The table of a sheet, of the first one by default.

        Raises
        ------
        DatasetError
            There is no such sheet, or it holds no table.
        """
        if not self.sheets:
            if sheet is not None:
                raise DatasetError(f"{self.name} has no sheets, so leave sheet={sheet!r} out.")
            return self._tables[""]
        sheet = sheet or self.sheets[0]
        if sheet not in self.sheets:
            raise DatasetError(
                f"{self.name} has no sheet {sheet!r}; its sheets are "
                f"{', '.join(map(repr, self.sheets))}."
            )
        if sheet not in self._tables:
            grid = _sheet_rows(self._book, sheet, self.name)
            rows, told = _without_title_rows(grid, self.name)
            self._tables[sheet] = _within_limits(_from_grid(rows, self.name, warnings=told))
        return self._tables[sheet]

    def sheet_of(self, table: Table) -> str | None:
        """The sheet that a table came from; None where the file has no sheets."""
        return next((name for name in self.sheets if self._tables.get(name) is table), None)


def read_bytes(source: Source, filename: str | None = None) -> tuple[str, bytes]:
    """The name and the contents of a file within the size limit."""
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        name = filename or path.name
        if path.is_dir():
            raise DatasetError(
                f"{path} is a folder, not a file: a LEOPARD task folder is read with read_leopard."
            )
        try:
            size = path.stat().st_size
            data = path.read_bytes() if size <= LIMITS.file_bytes else b""
        except OSError as error:
            reason = error.strerror or error
            raise DatasetError(f"{path} cannot be read ({reason}): check the path.") from error
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
        raise _empty(name)
    return name, data


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
    text = str(cell)
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:  # half a surrogate pair, which JSON escapes allow
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _alike(cells: list[Any]) -> list[Any]:
    """Cells of a column that are of one type: as texts where they are not, or a number is too long.

    Arrow takes integers of 64 bits, and beside fractions those that a double holds exactly.
    """
    given = [cell for cell in cells if cell is not None and cell == cell]  # NaN is no value
    types = {type(cell) for cell in given}
    most = 2**63 if types == {int} else 2**53
    too_long = any(isinstance(cell, int) and not -most <= cell < most for cell in given)
    if not too_long and (len(types) < 2 or types == {int, float}):
        return cells
    return [None if cell is None or cell != cell else str(cell) for cell in cells]


def _shown(cell: Any) -> Any:
    return as_text(cell) if isinstance(cell, str) else cell


def json_records(data: bytes, name: str) -> list[dict[str, Any]]:
    """The objects of a JSON list, checked to be flat; an empty list is returned as it is."""
    records = _records(_parse_json(_json_text(data, name)[0], name), name)
    for entry, record in enumerate(records, start=1):
        for key, value in record.items():
            if isinstance(value, dict | list):
                what = "an object" if isinstance(value, dict) else "a list"
                raise DatasetError(
                    f"{name} is nested: field {key!r} holds {what} in entry {entry} (the first is "
                    "entry 1), so give it a plain value or leave it out."
                )
    return records


# --- delimited text ---------------------------------------------------------------------------


def _read_delimited(data: bytes, name: str) -> Table:
    decoded = decode_text(data, name)
    check_lines(name, decoded.text)
    delimiter = _sniff_delimiter(decoded.text)
    check_delimiters(name, decoded.text, delimiter)
    try:
        grid = _parse_delimited(decoded.text, name, delimiter, csv.QUOTE_MINIMAL)
    except DatasetError:
        if delimiter != "\t":
            raise
        # Tab-separated files are often written without any quoting.
        grid = _parse_delimited(decoded.text, name, delimiter, csv.QUOTE_NONE)
    return _from_grid(
        grid,
        name,
        decimal_comma=delimiter == ";",
        warnings=decoded.warnings,
    )


def _sniff_delimiter(text: str) -> str:
    """The delimiter that cuts the header in two or more, and most rows into as many cells."""
    sample = text[:_SNIFFED_CHARACTERS]
    scores = {}
    for delimiter in _DELIMITERS:
        reader = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter)
        try:
            widths = [len(record) for record in islice(reader, _SNIFFED_ROWS) if record]
        except csv.Error:
            continue
        if widths and widths[0] > 1:
            agreement = sum(width == widths[0] for width in widths) / len(widths)
            scores[delimiter] = (agreement, widths[0])
    return max(scores, key=lambda delimiter: scores[delimiter], default=",")


def _parse_delimited(
    text: str, name: str, delimiter: str, quoting: Any
) -> list[tuple[int, list[str]]]:
    reader = csv.reader(_lines(text), delimiter=delimiter, quoting=quoting, strict=True)
    grid: list[tuple[int, list[str]]] = []
    row = 0
    try:
        for row, record in enumerate(reader, start=1):
            if any(map(str.strip, record)):
                grid.append((row, record))
                check_size(name, len(grid) - 1, len(grid[0][1]))
    except csv.Error as error:
        if "field limit" in str(error):
            raise DatasetError(
                f"{name} has a cell of more than {csv.field_size_limit():,} characters in row "
                f"{row + 1} (the header is row 1): shorten it, or close the quotation mark there."
            ) from error
        raise DatasetError(
            f"{name} has a stray quotation mark in row {row + 1} (the header is row 1): write each "
            'one inside a quoted cell twice ("") and close every quoted cell.'
        ) from error
    return grid


def _lines(text: str) -> Iterator[str]:
    """The lines of a text with their ends; in parts, since StringIO is four times as large."""
    begin = 0
    while begin < len(text):
        end = text.find("\n", begin + _SNIFFED_CHARACTERS) + 1 or len(text)
        yield from io.StringIO(text[begin:end], newline="")
        begin = end


def _from_grid(
    grid: Iterable[tuple[int, Sequence[Any]]],
    name: str,
    *,
    decimal_comma: bool = False,
    warnings: Facts = (),
) -> Table:
    """A table whose first non-empty row is the header, unless that holds measurements."""
    rows = list(grid)
    if not rows:
        raise _empty(name)
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
            raise _repeated(name, title)
        columns[title] = list(column)
    return Table(
        name=name,
        columns=columns,
        rows=[row for row, _ in rows],
        header=header_row,
        decimal_comma=decimal_comma,
        warnings=warnings,
    )


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
    try:
        return float(cell) if np.isfinite(float(cell)) else None
    except ValueError:
        return None


def _without_header(name: str) -> Fact:
    return fact(
        "data.no_header",
        "{file} has no header row, so its columns are called “column” and their number.",
        file=Verbatim(name),
    )


def _without_title_rows(grid: list[tuple[int, list[Any]]], name: str) -> tuple[Any, Facts]:
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


def _filled(record: Sequence[Any]) -> int:
    return sum(bool(as_text(cell).strip()) for cell in record)


def _counts_rows(column: Sequence[Any]) -> bool:
    texts = [as_text(cell) for cell in column]
    return any(texts == [str(first + i) for i in range(len(texts))] for first in (0, 1))


# --- JSON -------------------------------------------------------------------------------------


def _read_json(data: bytes, name: str) -> Table:
    text, warnings = _json_text(data, name)
    try:
        return _json_list(text, name, warnings)
    except _ExtraDataError:
        if text.lstrip().startswith("["):
            raise
        return _json_lines(text, name, warnings)  # JSON Lines under the other's name


def _read_json_lines(data: bytes, name: str) -> Table:
    text, warnings = _json_text(data, name)
    if text.lstrip().startswith("["):
        return _json_list(text, name, warnings)  # the other way round
    return _json_lines(text, name, warnings)


def _json_text(data: bytes, name: str) -> tuple[str, Facts]:
    text, _, warnings = decode_text(data, name)
    check_lines(name, text)
    check_json_values(name, text)
    return text, warnings


def _json_list(text: str, name: str, warnings: Facts) -> Table:
    records = _records(_parse_json(text, name), name)
    return _from_records(records, name, range(1, len(records) + 1), "entry", warnings)


def _json_lines(text: str, name: str, warnings: Facts) -> Table:
    records: list[dict[str, Any]] = []
    lines: list[int] = []
    # Not splitlines, which also cuts at the line separators that JSON strings may hold.
    for line, content in enumerate(text.split("\n"), start=1):
        if content.strip():
            record = _parse_json(content, name, f"line {line}")
            _check_object(record, name, f"line {line}")
            records.append(record)
            lines.append(line)
            check_size(name, len(records), len(record))
    return _from_records(records, name, lines, "line", warnings)


class _ExtraDataError(DatasetError):
    """A JSON value that is followed by another."""


def _parse_json(text: str, name: str, place: str = "") -> Any:
    inside = f" in {place}" if place else ""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        record = {as_text(key): value for key, value in pairs}
        if len(record) < len(pairs):
            (twice, _), *_ = Counter(as_text(key) for key, _ in pairs).most_common(1)
            raise _repeated(name + inside, twice)
        return record

    try:
        return json.loads(text, object_pairs_hook=unique)
    except DatasetError:
        raise
    except json.JSONDecodeError as error:
        spot = place or f"line {error.lineno}"
        kind = _ExtraDataError if error.msg == "Extra data" else DatasetError
        raise kind(
            f"{name} is not valid JSON in {spot} ({error.msg}): mend that line or export it again."
        ) from error
    except (RecursionError, ValueError) as error:
        raise DatasetError(
            f"{name} holds JSON{inside} that is nested too deep or a number that is too long: "
            "use a flat list of objects."
        ) from error


def _records(value: Any, name: str) -> list[dict[str, Any]]:
    """The objects of a list: the file's, the only one in its object, or made of its columns."""
    if isinstance(value, dict):
        columns = list(value.values())
        inner = [part for part in columns if _is_list_of_objects(part)]
        by_column = bool(columns) and all(isinstance(column, list) for column in columns)
        if len(inner) == 1 and (len(columns) == 1 or not by_column):
            return _records(inner[0], name)
        if not by_column:
            raise DatasetError(
                f"{name} holds one object rather than a list of objects: use "
                '[{"text": …, "label": …}, …].'
            )
        if len({len(column) for column in columns}) > 1:
            raise DatasetError(
                f"{name} holds columns of different lengths ({', '.join(value)}): make them equal."
            )
        value = [dict(zip(value, cells, strict=True)) for cells in zip(*columns, strict=True)]
    if not isinstance(value, list):
        raise DatasetError(f'{name} holds no list of objects: use [{{"text": …, "label": …}}, …].')
    for entry, record in enumerate(value, start=1):
        _check_object(record, name, f"entry {entry} (the first is entry 1)")
        check_size(name, entry, len(record))
    return value


def _is_list_of_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(e, dict) for e in value)


def _check_object(record: Any, name: str, place: str) -> None:
    if not isinstance(record, dict):
        raise DatasetError(
            f"{name} holds something other than an object in {place}: "
            'write each row as {"text": …, "label": …}.'
        )


def _from_records(
    records: list[dict[str, Any]], name: str, rows: Sequence[int], unit: str, warnings: Facts
) -> Table:
    names = list(dict.fromkeys(key for record in records for key in record))
    check_size(name, len(records), len(names))
    table = Table(
        name=name,
        columns={key: [record.get(key) for record in records] for key in names},
        rows=rows,
        unit=unit,
        warnings=warnings,
    )
    nested = {}
    for key, cells in table.columns.items():
        at = next((i for i, cell in enumerate(cells) if isinstance(cell, dict | list)), None)
        if at is not None:
            what = "an object" if isinstance(cells[at], dict) else "a list"
            nested[key] = f"{what} in {table.where([at])}"
    return _without(table, nested)


def _without(table: Table, nested: dict[str, str]) -> Table:
    """A table without its nested columns: who asks for one of them is told why."""
    if not nested:
        return table
    several = len(nested) > 1
    template = "Left out of {file}, because "
    template += "they hold" if several else "it holds"
    template += " lists or objects: the column" + ("s" if several else "") + " {columns}."
    told = fact(
        "data.nested_columns",
        template,
        file=Verbatim(table.name),
        columns=Listed([ClassName(key) for key in nested]),
    )
    flat = {key: cells for key, cells in table.columns.items() if key not in nested}
    return replace(table, columns=flat, nested=nested, warnings=(*table.warnings, told))


# --- Parquet and Excel ------------------------------------------------------------------------


def _read_parquet(data: bytes, name: str) -> Table:
    columns, n, nested = read_parquet(data, name)
    return _without(Table(name=name, columns=columns, rows=range(2, n + 2)), nested)


def _sheet_rows(book: Workbook, sheet: str, name: str) -> list[tuple[int, list[Any]]]:
    """The rows of a sheet that hold anything but white space."""
    grid: list[tuple[int, list[Any]]] = []
    width = 0
    for row, record in book.rows(sheet):
        filled = [i for i, cell in enumerate(record) if as_text(cell).strip()]
        if filled:
            width = max(width, filled[-1] + 1)
            check_size(name, len(grid), width)
            grid.append((row, record[: filled[-1] + 1]))
    return grid


# --- shared -----------------------------------------------------------------------------------


def _within_limits(table: Table) -> Table:
    """A table whose names and cells are not too long."""
    check_names(table.name, table.columns)
    if _surely_short(table):
        return table
    count = CharacterCount(table.name)
    for column, cells in table.columns.items():
        count.add(column, cells)
    return table


def _surely_short(table: Table) -> bool:
    """Whether no row has as many characters as a cell may have, nor all as many as a table may.

    Row by row, as the cells lie in memory: column by column, each is looked for anew.
    """
    try:
        lengths = [sum(map(len, cells)) for cells in zip(*table.columns.values(), strict=True)]
    except TypeError:  # a cell is no text
        return False
    return max(lengths, default=0) <= LIMITS.cell_characters and sum(lengths) <= LIMITS.characters


def _empty(name: str) -> DatasetError:
    return DatasetError(
        f"{name} is empty: give it a header row and at least two rows of each of two classes."
    )


def _repeated(name: str, column: str) -> DatasetError:
    return DatasetError(f"{name} has two columns named {column!r}: rename one of them.")


_READERS: dict[str, Callable[[bytes, str], Table]] = {
    ".csv": _read_delimited,
    ".tsv": _read_delimited,
    ".tab": _read_delimited,
    ".txt": _read_delimited,
    ".json": _read_json,
    ".jsonl": _read_json_lines,
    ".ndjson": _read_json_lines,
    ".parquet": _read_parquet,
}
