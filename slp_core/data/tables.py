"""From a file to its tables; pandas would guess types, and lose each row's place in the file."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path, PurePath
from typing import IO

from slp_core.data.archives import files_of, unzipped
from slp_core.data.columns import TEST_WORDS, TRAIN_WORDS, VALIDATION_WORDS
from slp_core.data.decode import decode_text
from slp_core.data.delimited import read_delimited
from slp_core.data.json_tables import read_json
from slp_core.data.layouts import with_class_column
from slp_core.data.limits import (
    LIMITS,
    check_characters,
    check_counts,
    check_file_size,
    check_names,
)
from slp_core.data.parquet import read_parquet
from slp_core.data.table import Table, empty
from slp_core.data.workbook import Workbook
from slp_core.errors import DatasetError

Source = str | os.PathLike[str] | IO[bytes] | IO[str]


def read_table(
    source: Source | Workbook | Table, filename: str | None = None, *, sheet: str | None = None
) -> Table:
    """The table in a file or in a sheet of a workbook; parameters are those of `read_dataset`."""
    file = source if isinstance(source, Workbook | Table) else open_file(source, filename)
    if isinstance(file, Workbook):
        return _finished(file.table(sheet))
    if sheet not in (None, file.sheet):
        raise DatasetError(f"{file.name} has no sheets, so leave sheet={sheet!r} out.")
    return file


def open_file(source: Source, filename: str | None = None) -> Workbook | Table:
    """The table in a file, or a workbook, which may have several."""
    name, data = _read_bytes(source, filename)
    suffix = PurePath(name).suffix.lower()
    if suffix == ".gz" and PurePath(PurePath(name).stem).suffix.lower() in _ENDINGS:
        name, data = PurePath(name).stem, unzipped(data, name)
        suffix = PurePath(name).suffix.lower()
    if suffix == ".xlsx":
        return Workbook(data, name)
    table = _zipped(data, name) if suffix == ".zip" else _read(data, name)
    return replace(_finished(table), filename=name)


def _read(data: bytes, name: str) -> Table:
    suffix = PurePath(name).suffix.lower()
    if suffix not in _ENDINGS:
        raise _no_reader(name, suffix)
    if suffix == ".parquet":
        return read_parquet(data, name)
    text, warnings = decode_text(data, name)
    check_counts(name, lines=max(text.count("\n"), text.count("\r")))
    table = _READERS[suffix](text, name)
    return replace(table, warnings=(*warnings, *table.warnings))


def names_table(filename: str) -> bool:
    """Whether a file's ending is of a format with a table."""
    return PurePath(filename.lower().removesuffix(".gz")).suffix in (*_ENDINGS, ".xlsx")


def _zipped(data: bytes, name: str) -> Table:
    """The one table in an archive, or those called train, validation and test as one."""
    files = files_of(data, name, _ENDINGS)
    used = [(member, each) for member, each in files if _split_of(member) or len(files) == 1]
    tables = {member: _read(each, member) for member, each in used}
    if len(files) == 1:
        return tables.popitem()[1]
    splits = [_split_of(member) for member, _ in used]
    if len(splits) < 2 or len(set(splits)) < len(splits):
        raise _no_reader(name, ".zip")
    first, *others = tables.values()
    if other := next((table for table in others if table.names != first.names), None):
        raise DatasetError(
            f"{name} holds {first.name} and {other.name} with different columns: give them the "
            "same header."
        )
    parts = list(zip(splits, tables.values(), strict=True))
    columns = {
        key: [cell for _, part in parts for cell in part.columns[key]] for key in first.names
    }
    columns["split"] = [split for split, part in parts for _ in part.rows]
    n = len(columns["split"])
    warnings = tuple(remark for _, part in parts for remark in part.warnings)
    return Table(name, columns, range(1, n + 1), unit="entry", warnings=warnings)


def _split_of(member: str) -> str:
    """The split that a file's name says it is, or nothing."""
    words = re.split(r"[\W_]+", PurePath(member).stem.casefold())
    return next((w for w in words if w in TRAIN_WORDS | TEST_WORDS | VALIDATION_WORDS), "")


def _finished(table: Table) -> Table:
    """A table within the limits, whose class is one column."""
    check_names(table.name, table.columns)
    characters = 0
    for column, cells in table.columns.items():
        characters = check_characters(table.name, column, cells, characters)
    return with_class_column(table)


def _no_reader(name: str, suffix: str) -> DatasetError:
    if suffix in (".npy", ".npz"):
        return DatasetError(
            f"{name} holds NumPy arrays: save them as a CSV or Parquet file, with one column a "
            "feature and one for the class."
        )
    if suffix in _ARCHIVES:
        why = f"{name} is an archive: unpack it and give the file that holds the table"
        return DatasetError(
            f"{why}, or read the folder of a LEOPARD task with read_leopard.",
            form=f"{why}; the files of a LEOPARD task are read on the page Compare, under "
            "“Published results”.",
        )
    return DatasetError(
        f"{name} does not end in one of {', '.join([*_ENDINGS, '.xlsx'])}: "
        "save the table in one of these formats."
    )


def _read_bytes(source: Source, filename: str | None = None) -> tuple[str, bytes]:
    """The name and the contents of a file within the size limit."""
    most = LIMITS.file_bytes + 1
    if isinstance(source, str | os.PathLike):
        name = filename or Path(source).name
        try:
            with open(source, "rb") as file:
                data = file.read(most)
        except (OSError, ValueError) as error:  # the latter of a null character
            reason = getattr(error, "strerror", None) or error
            raise DatasetError(
                f"{source} cannot be read ({reason}): check the path; a folder of LEOPARD's is "
                "read with read_leopard."
            ) from error
    elif callable(getattr(source, "read", None)):
        own_name = getattr(source, "name", None)
        name = filename or (PurePath(own_name).name if isinstance(own_name, str) else "")
        if not name:
            raise DatasetError("The open file has no name: give filename= so its format is known.")
        if hasattr(source, "seek"):
            source.seek(0)
        contents = source.read(most)
        data = contents.encode() if isinstance(contents, str) else bytes(contents)
    else:
        raise DatasetError(
            "A dataset is read from a path or an open file, and path_or_file is of type "
            f"{type(source).__name__}: put bytes into io.BytesIO and name them by filename=, or "
            'save a table first, as with .to_parquet("data.parquet").'
        )
    check_file_size(name, len(data))
    if not data.strip():
        raise empty(name)
    return name, data


_ARCHIVES = (".zip", ".gz", ".tgz", ".tar", ".bz2", ".xz", ".zst", ".7z", ".rar")

_READERS: dict[str, Callable[[str, str], Table]] = {
    ".csv": read_delimited,
    ".tsv": read_delimited,
    ".tab": read_delimited,
    ".psv": read_delimited,
    ".data": read_delimited,
    ".txt": read_delimited,
    ".json": read_json,
    ".jsonl": read_json,
    ".ndjson": read_json,
}
_ENDINGS = (*_READERS, ".parquet")
