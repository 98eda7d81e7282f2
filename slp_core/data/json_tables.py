"""JSON: a list of objects or of lists, as one value or line by line, and what pandas writes."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from slp_core.data.layouts import flat_record, records_of_splits, with_class_column
from slp_core.data.limits import check_json_values, check_size
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
_OWN_INDEX = re.compile(r"index|level_[0-9]+")


def read_json(text: str, name: str) -> Table:
    """The table of a JSON value, or of JSON Lines under its name."""
    check_json_values(name, text)
    try:
        return _json_value(text, name)
    except _ExtraDataError:
        if not _is_by_line(text):
            raise
        return _json_lines(text, name)


def read_json_lines(text: str, name: str) -> Table:
    """The table of a text with an object or a list in each line, or of JSON under its name."""
    check_json_values(name, text)
    return _json_lines(text, name) if _is_by_line(text) else _json_value(text, name)


def json_records(text: str, name: str) -> list[dict[str, Any]]:
    """The objects of a JSON list, checked to be flat; an empty list is returned as it is."""
    check_json_values(name, text)
    records = _records(_parse_json(text, name), name)
    for entry, record in enumerate(records, start=1):
        for key, value in record.items():
            if isinstance(value, dict | list):
                what = "an object" if isinstance(value, dict) else "a list"
                raise DatasetError(
                    f"{name} is nested: field {key!r} holds {what} in entry {entry} (the first is "
                    "entry 1), so give it a plain value or leave it out."
                )
    return records


def _is_by_line(text: str) -> bool:
    """Whether it is JSON Lines: of lists, if the first is whole in its line and others follow."""
    text = text.strip()
    if not text.startswith("["):
        return True
    end = text.find("\n")
    try:
        return end > 0 and isinstance(json.loads(text[:end]), list)
    except (RecursionError, ValueError):
        return False


def _json_value(text: str, name: str) -> Table:
    value = _parse_json(text, name)
    if isinstance(value, list) and value and isinstance(value[0], list):
        for entry, row in enumerate(value, start=1):
            _check_row(row, value[0], name, f"entry {entry} (the first is entry 1)")
            check_size(name, entry, len(row))
    else:
        value = _records(value, name)
    return _table(value, name, range(1, len(value) + 1), "entry")


def _json_lines(text: str, name: str) -> Table:
    rows: list[Any] = []
    lines: list[int] = []
    # Not splitlines, which also cuts at the line separators that JSON strings may hold.
    for line, content in enumerate(text.split("\n"), start=1):
        if content.strip():
            row = _parse_json(content, name, f"line {line}")
            first = rows[0] if rows else row if isinstance(row, list) else {}
            _check_row(row, first, name, f"line {line}")
            rows.append(row)
            lines.append(line)
            check_size(name, len(rows), len(row))
    return _table(rows, name, lines, "line")


class _ExtraDataError(DatasetError):
    """A JSON value that is followed by another."""


def _parse_json(text: str, name: str, place: str = "") -> Any:
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
    """The objects of a list: the file's, or those that an object can be read as."""
    if isinstance(value, dict):
        value = _rows_of_object(value, name)
    if not isinstance(value, list):
        raise DatasetError(f'{name} holds no list of objects: use [{{"text": …, "label": …}}, …].')
    for entry, record in enumerate(value, start=1):
        _check_row(record, {}, name, f"entry {entry} (the first is entry 1)")
        check_size(name, entry, len(record))
    return value


def _rows_of_object(value: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The rows of an object that holds a list of them, its columns, or a table as of pandas."""
    if (rows := records_of_splits(value)) is not None:
        return rows
    columns = list(value.values())
    inner = [part for part in columns if _is_list_of_objects(part)]
    by_column = bool(columns) and all(isinstance(column, list) for column in columns)
    if len(inner) == 1 and (len(columns) == 1 or not by_column):
        return _without_index(_records(inner[0], name), value.get("schema"))
    if _is_split(value):
        return _split_rows(value["columns"], value["data"], name)
    if (rows := _indexed_rows(value)) is not None:
        return rows
    if not by_column:
        raise DatasetError(
            f"{name} holds one object rather than a list of objects: use "
            '[{"text": …, "label": …}, …].'
        )
    if len({len(column) for column in columns}) > 1:
        raise DatasetError(
            f"{name} holds columns of different lengths ({', '.join(value)}): make them equal."
        )
    return [dict(zip(value, cells, strict=True)) for cells in zip(*columns, strict=True)]


def _without_index(rows: list[dict[str, Any]], schema: Any) -> list[dict[str, Any]]:
    """Rows without the row numbers that pandas gave a name itself: ``orient="table"``."""
    keys = schema.get("primaryKey") if isinstance(schema, dict) else None
    names = [key for key in keys if isinstance(key, str)] if isinstance(keys, list) else []
    index = {
        name
        for name in names
        if _OWN_INDEX.fullmatch(name) and all(isinstance(row.get(name), int) for row in rows)
    }
    if not index:
        return rows
    return [{key: cell for key, cell in row.items() if key not in index} for row in rows]


def _is_split(value: dict[str, Any]) -> bool:
    """Whether it is a table with the names of its columns apart: ``orient="split"`` of pandas."""
    return (
        value.keys() - {"index"} == {"columns", "data"}
        and isinstance(value["columns"], list)
        and isinstance(value["data"], list)
        and all(isinstance(row, list) for row in value["data"])
    )


def _split_rows(columns: list[Any], rows: list[list[Any]], name: str) -> list[dict[str, Any]]:
    names = [as_text(column) for column in columns]
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
    keys = [part.keys() for part in parts if isinstance(part, dict)]
    if not keys or len(keys) < len(parts) or any(each != keys[0] for each in keys):
        return None
    numbered = [
        bool(names) and all(map(_ROW_NUMBER.fullmatch, names)) for names in (value, keys[0])
    ]
    if numbered == [False, True]:
        return [{column: cells[row] for column, cells in value.items()} for row in keys[0]]
    return parts if numbered == [True, False] and keys[0] else None


def _is_list_of_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(e, dict) for e in value)


def _check_row(row: Any, first: Any, name: str, place: str) -> None:
    """Raise where a row is no object, or no list of as many cells as the first."""
    if isinstance(first, list):
        if not isinstance(row, list):
            raise DatasetError(
                f"{name} holds something other than a list in {place}: write each row as a list of "
                "its cells, as the first one is, or each as an object."
            )
        if len(row) != len(first):
            raise DatasetError(
                f"{name} has {len(row)} cells in {place} but {len(first)} in its first row: make "
                "all rows as long."
            )
    elif not isinstance(row, dict):
        raise DatasetError(
            f"{name} holds something other than an object in {place}: "
            'write each row as {"text": …, "label": …}.'
        )


def _table(rows: list[Any], name: str, places: Sequence[int], unit: str) -> Table:
    """The table of objects, or of lists, the first of which is its header or none."""
    if rows and isinstance(rows[0], list):
        if not rows[0]:
            raise empty(name)
        table = table_of_grid(list(zip(places, rows, strict=True)), name)
        return _flat(replace(table, unit=unit))
    records = list(map(flat_record, rows))
    names = list(dict.fromkeys(key for record in records for key in record))
    check_size(name, len(records), len(names))
    columns = {key: [record.get(key) for record in records] for key in names}
    table = Table(name=name, columns=columns, rows=places, unit=unit)
    return with_class_column(_flat(without_row_numbers(table)))


def _flat(table: Table) -> Table:
    """A table without the columns that hold lists or objects."""
    nested = {}
    for key, cells in table.columns.items():
        at = next((i for i, cell in enumerate(cells) if isinstance(cell, dict | list)), None)
        if at is not None:
            what = "an object" if isinstance(cells[at], dict) else "a list"
            nested[key] = f"{what} in {table.where([at])}"
    return without_nested(table, nested)
