"""Refusals of what is too large, each naming the limit that it goes beyond."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from slp_core.data.limits import LIMITS, MB
from slp_core.errors import DatasetError


def check_file_size(name: str, size: int) -> None:
    """Raise where a file has more bytes than are read."""
    if size > LIMITS.file_bytes:
        raise DatasetError(
            f"{name} is larger than {LIMITS.file_bytes // MB} MB: keep fewer rows or columns."
        )


def check_files(sizes: Sequence[int]) -> None:
    """Raise where an upload is of too many files, or of too many bytes in whole."""
    if len(sizes) > LIMITS.files:
        raise DatasetError(f"The upload has more than {LIMITS.files} files: give fewer of them.")
    if sum(sizes) > LIMITS.files_bytes:
        raise DatasetError(
            f"The upload has more than {LIMITS.files_bytes // MB} MB in whole: give fewer files."
        )


def check_size(name: str, rows: int, columns: int) -> None:
    """Raise where a table has too many rows, columns or cells."""
    for count, limit, what in (
        (rows, LIMITS.rows, "rows"),
        (columns, LIMITS.columns, "columns"),
        (rows * columns, LIMITS.cells, "cells"),
    ):
        if count > limit:
            raise too_many(name, limit, what)


def too_many(name: str, limit: int, what: str) -> DatasetError:
    """What to say of a file with more than so many of something."""
    return DatasetError(f"{name} has more than {limit:,} {what}: keep fewer of them.")


def check_lines(name: str, text: str) -> None:
    """Raise where a text has more lines than are looked at, empty ones too."""
    if max(text.count("\n"), text.count("\r")) > LIMITS.lines:
        raise too_many(name, LIMITS.lines, "lines")


def check_delimiters(name: str, text: str, delimiter: str) -> None:
    """Raise where a delimited text has more cells than a table may, even if some are quoted."""
    if text.count(delimiter) > LIMITS.cells:
        raise too_many(name, LIMITS.cells, "cells")


def check_json_values(name: str, text: str) -> None:
    """Raise where JSON would have more values than memory is kept for; texts count by commas."""
    if sum(map(text.count, ",[{")) > LIMITS.json_values:
        raise too_many(name, LIMITS.json_values, "values")


def check_names(name: str, columns: Iterable[str]) -> None:
    """Raise where a column has no name but a text."""
    for position, column in enumerate(columns, start=1):
        if len(column) > LIMITS.name_characters:
            raise DatasetError(
                f"{name} has a column name of more than {LIMITS.name_characters:,} characters "
                f"(column {position}, {column[:20]!r} …): shorten it."
            )


class CharacterCount:
    """Counts the characters of a table's cells, and refuses too long ones and too many."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._total = 0

    def add(self, column: str, cells: Iterable[Any]) -> None:
        """Count the cells of a column."""
        lengths = [len(cell) for cell in cells if isinstance(cell, str)]
        if max(lengths, default=0) > LIMITS.cell_characters:
            raise DatasetError(
                f"{self._name} has a cell of more than {LIMITS.cell_characters:,} characters in "
                f"column {column!r}: shorten it or leave the column out."
            )
        self._total += sum(lengths)
        if self._total > LIMITS.characters:
            raise too_many(self._name, LIMITS.characters, "characters in its cells")
