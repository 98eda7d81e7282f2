"""Parquet: columns of Python values, each expanded only after its size is known."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

from slp_core.data.limits import LIMITS, MB, check_characters, check_size
from slp_core.data.table import Table, check_distinct, tidied
from slp_core.errors import DatasetError

if TYPE_CHECKING:
    from pyarrow import Array, Schema
    from pyarrow.parquet import ParquetFile

_ROWS_AT_ONCE = 1_024


def read_parquet(data: bytes, name: str) -> Table:
    """The table of a file, whose footer is read first, and not trusted."""
    # A page may hold one long text that thousands of rows point to: so texts are read as a
    # dictionary and places in it, a few rows at a time, and counted before they are joined.
    import pyarrow as pa
    from pyarrow import parquet

    try:
        metadata = parquet.read_metadata(io.BytesIO(data))
        check_size(name, metadata.num_rows, metadata.num_columns)
        groups = map(metadata.row_group, range(metadata.num_row_groups))
        if sum(group.total_byte_size for group in groups) > LIMITS.unpacked_bytes:
            raise DatasetError(
                f"{name} unpacks to more than {LIMITS.unpacked_bytes // MB:,} MB: keep fewer rows "
                "or columns."
            )
        schema = metadata.schema.to_arrow_schema()
        names, nested = _columns(schema, name)
        kinds = {key: schema.field(key).type for key in names}
        texts = [key for key, kind in kinds.items() if kind in (pa.string(), pa.large_string())]
        file = parquet.ParquetFile(
            io.BytesIO(data), metadata=metadata, read_dictionary=texts, memory_map=False
        )
        columns, rows = _cells(file, names, name)
        n = rows if names else metadata.num_rows
    except (DatasetError, MemoryError):
        raise
    except Exception as error:  # pyarrow lets many kinds through, of Python's and of C++'s
        if isinstance(error, pa.ArrowException | OSError):
            why = "is not a whole Parquet file (damaged or cut short)"
        else:
            why = "holds what is no text, number or date (such as a date after the year 9999)"
        raise DatasetError(f"{name} {why}: export or upload it again.") from error
    for key, classes in _class_names(schema).items():
        if key in columns:
            columns[key] = [classes.get(cell, cell) for cell in columns[key]]
    return tidied(Table(name, {}, range(2, n + 2), nested=nested), columns.items())


def _columns(schema: Schema, name: str) -> tuple[list[str], dict[str, str]]:
    """The columns to read, and those that are left out."""
    import pyarrow as pa

    names = [key for key in schema.names if not key.startswith("__index_level_")]
    check_distinct(name, names)
    nested = {}
    for key in names:
        kind = schema.field(key).type
        if pa.types.is_nested(kind):
            nested[key] = "lists or objects"
        if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
            raise DatasetError(
                f"{name} holds raw bytes in column {key!r}: store it as text or leave it out."
            )
    return [key for key in names if key not in nested], nested


def _class_names(schema: Schema) -> dict[str, dict[Any, str]]:
    """By column the names of its class numbers, as Hugging Face's datasets keep them."""
    try:
        info = json.loads((schema.metadata or {})[b"huggingface"])["info"]["features"]
        named = {key: each["names"] for key, each in info.items() if each["_type"] == "ClassLabel"}
        return {key: dict(enumerate(map(str, names))) for key, names in named.items()}
    except (KeyError, TypeError, AttributeError, ValueError):
        return {}


def _cells(file: ParquetFile, names: list[str], name: str) -> tuple[dict[str, list[Any]], int]:
    columns: dict[str, list[Any]] = {key: [] for key in names}
    characters = rows = 0
    for batch in file.iter_batches(_ROWS_AT_ONCE, columns=names, use_threads=False):
        rows += batch.num_rows
        check_size(name, rows, len(names))
        for key, array in zip(batch.schema.names, batch.columns, strict=True):
            cells = _values(array)
            characters = check_characters(name, key, cells, characters)
            columns[key] += cells
    return columns, rows


def _values(array: Array) -> list[Any]:
    """A column's values; equal texts of a dictionary are one object."""
    import pyarrow as pa

    if pa.types.is_float16(array.type) or pa.types.is_float32(array.type):
        # 0.1 as it was written, and not as the double nearest to it: 0.10000000149011612
        singles = array.to_numpy(zero_copy_only=False)
        return [None if cell != cell else float(str(cell)) for cell in singles]
    if not pa.types.is_dictionary(array.type):
        values: list[Any] = array.to_pylist()
        return values
    places = array.indices.to_pylist()
    used = sorted({place for place in places if place is not None})
    entries = array.dictionary.take(pa.array(used, pa.int64())).to_pylist()
    text_at = dict(zip(used, entries, strict=True))
    return [text_at.get(place) for place in places]
