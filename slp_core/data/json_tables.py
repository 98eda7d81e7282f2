"""JSON, as a list of objects, as columns or line by line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from slp_core.data.bounds import check_json_values, check_lines, check_size
from slp_core.data.decode import decode_text
from slp_core.data.table import Table, as_text, repeated, without_nested
from slp_core.errors import DatasetError
from slp_core.facts import Facts


def read_json(data: bytes, name: str) -> Table:
    """The table of a JSON list."""
    text, warnings = _json_text(data, name)
    try:
        return _json_list(text, name, warnings)
    except _ExtraDataError:
        if text.lstrip().startswith("["):
            raise
        return _json_lines(text, name, warnings)  # JSON Lines under the other's name


def read_json_lines(data: bytes, name: str) -> Table:
    """The table of a text with an object in each line."""
    text, warnings = _json_text(data, name)
    if text.lstrip().startswith("["):
        return _json_list(text, name, warnings)  # the other way round
    return _json_lines(text, name, warnings)


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
            raise repeated(name + inside, twice)
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
    return without_nested(table, nested)
