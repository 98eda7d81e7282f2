"""The sizes beyond which a file is refused, so that one upload cannot take the app down."""

import os
from dataclasses import dataclass
from typing import Final

MB: Final = 1024 * 1024


@dataclass(frozen=True)
class Limits:
    """What a file may hold, and what reading it may cost; a refusal names the one it is about.

    All are looked at before the work that they bound: a compressed file is refused before it is
    expanded, or in the middle of that.

    Parameters
    ----------
    file_bytes
        Of a file as it is handed in.
    files, files_bytes
        Of an upload of several.
    unpacked_bytes
        Of a compressed file when it is expanded, in whole.
    card_bytes
        Of the JSON card in a saved model or a checkpoint.
    weights_bytes
        Of the numbers in a saved model or a checkpoint, expanded; MiniLM itself has 91 MB.
    members
        Files in an archive.
    elements
        XML elements in a part of a workbook that is not cells: styles, for the most.
    shared_elements
        XML elements of the texts that a workbook's cells point to.
    sheets
        Of a workbook.
    lines
        Rows of a text file with the empty ones, and line ends within cells.
    sheet_rows
        The number of the last row of a sheet: Excel has no more.
    empty_rows
        Rows of a sheet that hold nothing, but stand in the file.
    rows, columns, cells
        Of a table.
    cell_characters, name_characters
        Of a cell, and of a column's name.
    characters
        Of all cells: a compressed file may say the same text many times.
    json_values
        Values in JSON, whatever they are part of.
    digits
        Of a whole number that is a position.
    classes
        Of a dataset, a saved model or hand-made soft labels.
    dimensions
        Numbers of a centroid in a saved model or among hand-made soft labels.
    text_characters, label_characters
        Of a text that is to be encoded, and of a class's name.
    seconds
        Of the processor, for one reading; and of patience with the machine, three times as many.
    memory_bytes
        That reading may take beside what the program itself takes.
    answer_bytes
        Of what comes of a reading.
    """

    file_bytes: int = 200 * MB
    files: int = 100
    files_bytes: int = 200 * MB
    unpacked_bytes: int = 400 * MB
    card_bytes: int = 2 * MB
    weights_bytes: int = 150 * MB
    members: int = 2_000
    elements: int = 100_000
    shared_elements: int = 2_000_000
    sheets: int = 100
    lines: int = 2_000_000
    sheet_rows: int = 1_048_576
    empty_rows: int = 200_000
    rows: int = 200_000
    columns: int = 5_000
    cells: int = 10_000_000
    cell_characters: int = 131_072
    name_characters: int = 1_000
    characters: int = 200_000_000
    json_values: int = 12_000_000
    digits: int = 9
    classes: int = 200
    dimensions: int = 5_000
    text_characters: int = 20_000
    label_characters: int = 200
    seconds: int = 60
    memory_bytes: int = 3 * 1024 * MB
    answer_bytes: int = 1024 * MB


OWN_COMPUTER: Final = Limits()
SERVER: Final = Limits(
    file_bytes=100 * MB,
    unpacked_bytes=200 * MB,
    cells=5_000_000,
    json_values=6_000_000,
    seconds=20,
    memory_bytes=1024 * MB,
    answer_bytes=512 * MB,
)
"""Of one that many use at once."""

LIMITS: Final = OWN_COMPUTER if os.environ.get("SLP_PUBLIC", "0") in ("", "0") else SERVER

MIN_CLASS_ROWS: Final = 2
"""One row to learn from and one to be judged on."""
IMBALANCE_RATIO: Final = 8
"""Largest class over smallest class, from which the imbalance is worth a warning."""
