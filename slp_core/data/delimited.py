"""Delimited text, by whichever delimiter it has, as rows of cells."""

from __future__ import annotations

import csv
import io
import re
from itertools import islice
from typing import Any

from slp_core.data.layouts import labelled_lines
from slp_core.data.limits import check_counts, check_size
from slp_core.data.table import Table, table_of_grid, titles_of_text
from slp_core.errors import DatasetError

_DELIMITERS = (",", ";", "\t", "|")
_TOLD_DELIMITER = re.compile(
    r"""(?P<quote>"?)sep=(?P<delimiter>[^\w\s"\x00-\x1f]|\t)(?P=quote)(?P=delimiter)*(\r\n?|\n)""",
    re.IGNORECASE,
)
"""A first line that tells Excel the delimiter, and is none of the table."""
_SPACES_BETWEEN = re.compile(r'"[^"\n]*"( "[^"\n]*")+\r?\n')  # quoted cells, as R writes them
_SNIFFED_CHARACTERS = 64 * 1024
_SNIFFED_ROWS = 50


def read_delimited(text: str, name: str) -> Table:
    first_row = 1
    if told := _TOLD_DELIMITER.match(text):
        delimiter, first_row, text = told["delimiter"], 2, text[told.end() :]
    else:
        delimiter = _sniff_delimiter(text)
    if delimiter not in text or text.startswith("__label__"):
        table = labelled_lines(text, name)
        if table is not None:
            return table
    if _SPACES_BETWEEN.match(text):
        raise DatasetError(
            f"{name} has spaces between its cells: save it with commas, as R's write.csv does."
        )
    check_counts(name, cells=text.count(delimiter))  # some of which may be quoted
    try:
        grid = _parse_delimited(text, name, delimiter, csv.QUOTE_MINIMAL, first_row)
    except DatasetError:
        if delimiter != "\t":
            raise
        # Tab-separated files are often written without any quoting.
        grid = _parse_delimited(text, name, delimiter, csv.QUOTE_NONE, first_row)
    return table_of_grid(grid, name, titles_of_text(grid), semicolons=delimiter == ";")


def _sniff_delimiter(text: str) -> str:
    """The delimiter that cuts the header in two or more, and most rows into as many cells."""
    sample = text[:_SNIFFED_CHARACTERS]
    scores = {}
    for delimiter in _DELIMITERS:
        reader = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter)
        try:
            records = enumerate(islice(reader, _SNIFFED_ROWS))
            grid = [(row, record) for row, record in records if any(map(str.strip, record))]
        except csv.Error:
            continue
        widths = [len(record) for _, record in grid[titles_of_text(grid) :]]
        if widths and widths[0] > 1:
            agreement = sum(width == widths[0] for width in widths) / len(widths)
            scores[delimiter] = (agreement, widths[0])
    return max(scores, key=lambda delimiter: scores[delimiter], default=",")


def _parse_delimited(
    text: str, name: str, delimiter: str, quoting: Any, first_row: int
) -> list[tuple[int, list[str]]]:
    # Not of a StringIO, which is four times as large.
    lines = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8", newline="")
    reader = csv.reader(lines, delimiter=delimiter, quoting=quoting, strict=True)
    grid: list[tuple[int, list[str]]] = []
    row = first_row - 1
    try:
        for row, record in enumerate(reader, start=first_row):
            if any(map(str.strip, record)):
                grid.append((row, record))
                check_size(name, len(grid) - 1, len(grid[0][1]))
    except csv.Error as error:
        header = grid[titles_of_text(grid)][0] if grid else first_row
        place = f"row {row + 1} (the header is row {header})"
        if "field limit" in str(error):
            raise DatasetError(
                f"{name} has a cell of more than {csv.field_size_limit():,} characters in {place}: "
                "shorten it, or close the quotation mark there."
            ) from error
        raise DatasetError(
            f"{name} has a stray quotation mark in {place}: write each one inside a quoted cell "
            'twice ("") and close every quoted cell.'
        ) from error
    return grid
