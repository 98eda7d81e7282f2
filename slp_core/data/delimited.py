"""Delimited text, by whichever delimiter it has, as rows of cells."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import islice
from typing import Any

from slp_core.data.bounds import check_delimiters, check_lines, check_size
from slp_core.data.decode import decode_text
from slp_core.data.grid import table_of_grid
from slp_core.data.table import Table
from slp_core.errors import DatasetError

_DELIMITERS = (",", ";", "\t", "|")
_SNIFFED_CHARACTERS = 64 * 1024
_SNIFFED_ROWS = 50


def read_delimited(data: bytes, name: str) -> Table:
    """The table of a text whose rows are lines."""
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
    return table_of_grid(
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
