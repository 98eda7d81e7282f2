"""Tables as CSV that a spreadsheet opens without running anything in them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

# What spreadsheets begin a formula with (OWASP, "CSV injection"), also in East Asian width; they
# pass over spaces before it, and take one apostrophe away
_FORMULA = re.compile(r"['\s\0]*[=+\-@\t\r\n＝＋－＠]")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def as_csv(table: pd.DataFrame) -> bytes:
    """A table in UTF-8, without its index, harmless to spreadsheets."""
    return table.map(_harmless).rename(columns=_harmless).to_csv(index=False).encode()


def _harmless(cell: Any) -> Any:
    if isinstance(cell, str) and _FORMULA.match(cell) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell
