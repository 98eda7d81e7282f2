"""The sizes beyond which a file is refused, so that one upload cannot take the app down."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from slp_core.errors import DatasetError

MB: Final = 1024 * 1024


@dataclass(frozen=True)
class Limits:
    """Limits on what a file may hold and cost; each is checked before or during that work."""

    file_bytes: int = 200 * MB  # of a file as it is handed in
    files: int = 100  # of an upload of several, which may be as large as one
    unpacked_bytes: int = 400 * MB  # of a compressed file when it is expanded, in whole
    card_bytes: int = 2 * MB  # of the JSON card in a saved model or a checkpoint
    # Of the numbers in a saved model or a checkpoint, expanded; MiniLM itself has 91 MB
    weights_bytes: int = 150 * MB
    members: int = 2_000  # files in an archive
    # XML elements in a part of a workbook that is not cells: styles, for the most
    elements: int = 100_000
    shared_elements: int = 2_000_000  # XML elements of the texts that a workbook's cells point to
    sheets: int = 100  # of a workbook
    lines: int = 2_000_000  # rows of a text file with the empty ones, and line ends within cells
    sheet_rows: int = 1_048_576  # the number of the last row of a sheet: Excel has no more
    stored_rows: int = 400_000  # of a sheet, with those that hold nothing
    rows: int = 200_000  # of a table
    columns: int = 5_000
    cells: int = 10_000_000
    cell_characters: int = 131_072  # of a cell, and of a column's name
    name_characters: int = 1_000
    # Of all cells: a compressed file may say the same text many times
    characters: int = 200_000_000
    json_values: int = 12_000_000  # values in JSON, whatever they are part of
    digits: int = 9  # of a whole number that is a position
    classes: int = 200  # of a dataset, a saved model or hand-made soft labels
    dimensions: int = 5_000  # numbers of a centroid in a saved model or among hand-made soft labels
    text_characters: int = 20_000  # of a text that is to be encoded, and of a class's name
    label_characters: int = 200
    # Of the processor, for one reading; and of patience with the machine, three times as many
    seconds: int = 60
    memory_bytes: int = 3 * 1024 * MB  # that reading may take beside what the program itself takes


OWN_COMPUTER: Final = Limits()
SERVER: Final = Limits(
    file_bytes=100 * MB,
    unpacked_bytes=200 * MB,
    cells=5_000_000,
    json_values=6_000_000,
    seconds=20,
    memory_bytes=1024 * MB,
)
"""Of one that many use at once."""

LIMITS: Final = OWN_COMPUTER if os.environ.get("SLP_PUBLIC", "0") in ("", "0") else SERVER

_CALLED = {
    "elements": "elements in a part that is no sheet (styles, for the most)",
    "shared_elements": "pieces of shared text",
    "sheet_rows": "rows, counting empty ones",
    "stored_rows": "rows with empty ones",
    "characters": "characters in its cells",
    "json_values": "values",
}


def check_file_size(name: str, size: int) -> None:
    if size > LIMITS.file_bytes:
        raise DatasetError(
            f"{name} is larger than {LIMITS.file_bytes // MB} MB: keep fewer rows or columns."
        )


def check_counts(name: str, **counts: int) -> None:
    """Raise where a file has more of something than its limit."""
    for what, n in counts.items():
        if n > (limit := getattr(LIMITS, what)):
            raise DatasetError(
                f"{name} has more than {limit:,} {_CALLED.get(what, what)}: keep fewer of them."
            )


def check_size(name: str, rows: int, columns: int) -> None:
    check_counts(name, rows=rows, columns=columns, cells=rows * columns)


def check_names(name: str, columns: Iterable[str]) -> None:
    """Raise where a column's name is not a text."""
    for position, column in enumerate(columns, start=1):
        if len(column) > LIMITS.name_characters:
            raise DatasetError(
                f"{name} has a column name of more than {LIMITS.name_characters:,} characters "
                f"(column {position}, {column[:20]!r} …): shorten it."
            )


def check_characters(name: str, column: str, cells: Iterable[Any], before: int = 0) -> int:
    """The characters of these cells and of those before; raise where they are too many."""
    lengths = [len(cell) for cell in cells if isinstance(cell, str)]
    if max(lengths, default=0) > LIMITS.cell_characters:
        raise DatasetError(
            f"{name} has a cell of more than {LIMITS.cell_characters:,} characters in column "
            f"{column!r}: shorten it or leave the column out."
        )
    check_counts(name, characters=before + sum(lengths))
    return before + sum(lengths)
