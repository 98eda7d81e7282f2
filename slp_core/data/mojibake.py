"""Letters decoded with a wrong encoding, ``Ã¶`` for ö, as ftfy (Speer 2019) detects them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from slp_core.data.table import Table


def garbled(table: Table, columns: Sequence[str] | None = None) -> list[int]:
    """Positions of the rows with such letters, in these columns or in any."""
    names = table.columns if columns is None else columns
    return sorted(
        {
            i
            for name in names
            for i, cell in enumerate(table.columns[name])
            if isinstance(cell, str) and _mend(cell) != cell
        }
    )


def mended(table: Table) -> Table:
    """The table with such letters repaired, in its header too."""
    columns: dict[str, list[Any]] = {}
    for name, cells in table.columns.items():
        title = _mend(name)
        if title in columns or (title != name and title in table.columns):
            title = name
        columns[title] = [_mend(cell) for cell in cells]
    return replace(table, columns=columns, mended=True)


def _mend(cell: Any) -> Any:
    if not isinstance(cell, str) or cell.isascii():
        return cell
    from ftfy import fix_encoding

    return fix_encoding(cell)
