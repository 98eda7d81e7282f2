"""JSON: a list of objects or of lists, as one value or line by line, and what pandas writes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from slp_core.data.layouts import flat_record, records_of_splits
from slp_core.data.limits import check_counts, check_size
from slp_core.data.table import (
    Table,
    as_text,
    check_distinct,
    empty,
    table_of_grid,
    without_nested,
    without_row_numbers,
)
from slp_core.errors import DatasetError

_ROW_NUMBER = re.compile(r"-?[0-9]+")


def read_json(text: str, name: str) -> Table:
    """The table of JSON or of JSON Lines, whichever it is under either ending."""
    check_counts(name, json_values=sum(map(text.count, ",[{")))  # texts count by their commas
    if _is_by_line(text, name):
        # Not splitlines, which also cuts at the line separators that JSON strings may hold.
        lines = enumerate(text.split("\n"), start=1)
        rows = ((i, _parsed(line, name, f"line {i}")) for i, line in lines if line.strip())
        return _table(rows, name, "line")
    value = _parsed(text, name)
    if isinstance(value, dict):
        value = _rows_of_object(value, name)
    if not isinstance(value, list):
        raise DatasetError(f'{name} holds no list of objects: use [{{"text": …, "label": …}}, …].')
    return _table(enumerate(value, start=1), name, "entry")


def _is_by_line(text: str, name: str) -> bool:
    """Whether the first line is whole, and others follow; an object is a line by a file's name."""
    first, _, rest = text.strip().partition("\n")
    if not first.startswith("[") and not name.lower().endswith(".json"):
        return True
    try:
        return bool(rest) and isinstance(json.loads(first), list | dict)
    except (RecursionError, ValueError):
        return False


def _parsed(text: str, name: str, place: str = "") -> Any:
    inside = f" in {place}" if place else ""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        record = {as_text(key): value for key, value in pairs}
        if len(record) < len(pairs):
            check_distinct(name + inside, (as_text(key) for key, _ in pairs))
        return record

    try:
        return json.loads(text, object_pairs_hook=unique)
    except DatasetError:
        raise
    except json.JSONDecodeError as error:
        raise DatasetError(
            f"{name} is not valid JSON in {place or f'line {error.lineno}'} ({error.msg}): mend "
            "that line or export it again."
        ) from error
    except (RecursionError, ValueError) as error:
        raise DatasetError(
            f"{name} holds JSON{inside} that is nested too deep or a number that is too long: "
            "use a flat list of objects."
        ) from error


def _rows_of_object(value: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The rows of an object that holds a list of them, its columns, or a table as of pandas."""
    if (rows := records_of_splits(value)) is not None:
        return rows
    columns = list(value.values())
    by_column = bool(columns) and _are(list, columns)
    inner = [part for part in columns if isinstance(part, list) and part and _are(dict, part)]
    if len(inner) == 1 and (len(columns) == 1 or not by_column):
        return _without_index(inner[0], value.get("schema"))
    if by_column and value.keys() - {"index"} == {"columns", "data"} and _are(list, value["data"]):
        return _split_rows([as_text(column) for column in value["columns"]], value["data"], name)
    if (rows := _indexed_rows(value)) is not None:
        return rows
    if not by_column:
        raise DatasetError(
            f"{name} holds one object rather than a list of objects: use "
            '[{"text": …, "label": …}, …].'
        )
    if len(set(map(len, columns))) > 1:
        raise DatasetError(
            f"{name} holds columns of different lengths ({', '.join(value)}): make them equal."
        )
    return [dict(zip(value, cells, strict=True)) for cells in zip(*columns, strict=True)]


def _are(kind: type, parts: list[Any]) -> bool:
    return all(isinstance(part, kind) for part in parts)


def _without_index(rows: list[dict[str, Any]], schema: Any) -> list[dict[str, Any]]:
    """Rows without the row numbers that pandas gave a name itself: ``orient="table"``."""
    own = isinstance(schema, dict) and schema.get("primaryKey") == ["index"]
    if not own or not _are(int, [row.get("index") for row in rows]):
        return rows
    return [{key: cell for key, cell in row.items() if key != "index"} for row in rows]


def _split_rows(names: list[str], rows: list[list[Any]], name: str) -> list[dict[str, Any]]:
    """Those of a table with the names of its columns apart: ``orient="split"`` of pandas."""
    check_distinct(name, names)
    for entry, row in enumerate(rows, start=1):
        if len(row) != len(names):
            raise DatasetError(
                f"{name} has {len(row)} cells in entry {entry} (the first is entry 1) of its data "
                f"but {len(names)} columns: give each column a cell there."
            )
    return [dict(zip(names, row, strict=True)) for row in rows]


def _indexed_rows(value: dict[str, Any]) -> list[dict[str, Any]] | None:
    """The rows of an object of objects: columns by row number, or rows by theirs, as of pandas."""
    parts = list(value.values())
    if not parts or not _are(dict, parts) or any(part.keys() != parts[0].keys() for part in parts):
        return None
    by_row, by_column = (
        bool(names) and all(map(_ROW_NUMBER.fullmatch, names)) for names in (value, parts[0])
    )
    if by_column and not by_row:
        return [{column: cells[row] for column, cells in value.items()} for row in parts[0]]
    return parts if by_row and not by_column and parts[0] else None


def _table(rows: Iterable[tuple[int, Any]], name: str, unit: str) -> Table:
    """The table of objects, or of lists, the first of which is its header or none."""
    grid: list[tuple[int, Any]] = []
    for number, row in rows:
        place = f"{unit} {number}{' (the first is entry 1)' if unit == 'entry' else ''}"
        _check_row(row, grid[0][1] if grid else row, name, place)
        grid.append((number, row))
        check_size(name, len(grid), len(row))
    if grid and isinstance(grid[0][1], list):
        if not grid[0][1]:
            raise empty(name)
        return _flat(replace(table_of_grid(grid, name), unit=unit))
    records = [flat_record(row) for _, row in grid]
    names = list(dict.fromkeys(key for record in records for key in record))
    check_size(name, len(records), len(names))
    columns = {key: [record.get(key) for record in records] for key in names}
    table = Table(name=name, columns=columns, rows=[number for number, _ in grid], unit=unit)
    return _flat(without_row_numbers(table))


def _check_row(row: Any, first: Any, name: str, place: str) -> None:
    """Raise where a row is no object, or no list of as many cells as the first."""
    if not isinstance(first, list):
        if not isinstance(row, dict):
            raise DatasetError(
                f"{name} holds something other than an object in {place}: "
                'write each row as {"text": …, "label": …}.'
            )
    elif not isinstance(row, list):
        raise DatasetError(
            f"{name} holds something other than a list in {place}: write each row as a list of "
            "its cells, as the first one is, or each as an object."
        )
    elif len(row) != len(first):
        raise DatasetError(
            f"{name} has {len(row)} cells in {place} but {len(first)} in its first row: make "
            "all rows as long."
        )


def _flat(table: Table) -> Table:
    """A table without the columns that hold lists or objects."""
    nested = {}
    for key, cells in table.columns.items():
        at = next((i for i, cell in enumerate(cells) if isinstance(cell, dict | list)), None)
        if at is not None:
            what = "an object" if isinstance(cells[at], dict) else "a list"
            nested[key] = f"{what} in {table.where([at])}"
    return without_nested(table, nested)
