"""JSON: a list of objects or of lists, as one value or line by line, and what pandas writes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from slp_core.data.layouts import flat_record, records_of_splits
from slp_core.data.limits import check_counts, check_size
from slp_core.data.table import Table, as_text, check_distinct, table_of_grid, tidied
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
    first = 1
    if isinstance(value, dict):
        parts = list(value.values())
        if value.keys() - {"index"} == {"columns", "data"} and _are(list, parts):
            value, first = [value["columns"], *value["data"]], 0  # orient="split" of pandas
        else:
            value = _rows_of_object(value, parts, name)
    if not isinstance(value, list):
        raise DatasetError(f'{name} holds no list of objects: use [{{"text": …, "label": …}}, …].')
    return _table(enumerate(value, start=first), name, "entry")


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


def _rows_of_object(value: dict[str, Any], parts: list[Any], name: str) -> list[dict[str, Any]]:
    """The rows of an object that holds a list of them, its columns, or a table as of pandas."""
    if (rows := records_of_splits(value)) is not None:
        return rows
    by_column = bool(parts) and _are(list, parts)
    inner = [part for part in parts if isinstance(part, list) and part and _are(dict, part)]
    if len(inner) == 1 and (len(parts) == 1 or not by_column):
        return inner[0]
    if (rows := _indexed_rows(value, parts)) is not None:
        return rows
    if not by_column:
        raise DatasetError(
            f"{name} holds one object rather than a list of objects: use "
            '[{"text": …, "label": …}, …].'
        )
    if len(set(map(len, parts))) > 1:
        raise DatasetError(
            f"{name} holds columns of different lengths ({', '.join(value)}): make them equal."
        )
    return [dict(zip(value, cells, strict=True)) for cells in zip(*parts, strict=True)]


def _are(kind: type, parts: list[Any]) -> bool:
    return all(isinstance(part, kind) for part in parts)


def _indexed_rows(value: dict[str, Any], parts: list[Any]) -> list[dict[str, Any]] | None:
    """The rows of an object of objects: columns by row number, or rows by theirs, as of pandas."""
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
        first = grid[0][1] if grid else row
        kind = list if isinstance(first, list) else dict
        place = f"{unit} {number}{' (the first is entry 1)' if unit == 'entry' else ''}"
        if not isinstance(row, kind):
            raise DatasetError(
                f"{name} holds something other than {'a list' if kind is list else 'an object'} in "
                f'{place}: write each row as {{"text": …, "label": …}}, or each as a list of its '
                "cells."
            )
        if kind is list and len(row) != len(first):
            raise DatasetError(
                f"{name} has {len(row)} cells in {place} but {len(first)} in its first row: make "
                "all rows as long."
            )
        grid.append((number, row))
        check_size(name, len(grid), len(row))
    if grid and isinstance(grid[0][1], list):
        return table_of_grid(grid, name, unit=unit)
    records = [flat_record(row) for _, row in grid]
    names = list(dict.fromkeys(key for record in records for key in record))
    check_size(name, len(records), len(names))
    columns = ((key, [record.get(key) for record in records]) for key in names)
    return tidied(Table(name, {}, [number for number, _ in grid], unit), columns)
