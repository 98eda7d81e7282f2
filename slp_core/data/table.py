"""A table of cells, each row with its place in the file it came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, time
from typing import TYPE_CHECKING, Any

import numpy as np

from slp_core.errors import DatasetError
from slp_core.facts import ClassName, Facts, Listed, Verbatim, fact

if TYPE_CHECKING:
    import pandas as pd

_ROWS_SHOWN = 5
_UNITS = {"row": "rows", "line": "lines", "entry": "entries"}


@dataclass(frozen=True)
class Places:
    """Where some rows stand in their file, in words: ``rows 4, 9 and 12 (the header is row 1)``."""

    numbers: tuple[int, ...]
    unit: str = "row"
    header: int | None = None

    def __str__(self) -> str:
        listed = [str(number) for number in self.numbers[:_ROWS_SHOWN]]
        if len(self.numbers) > _ROWS_SHOWN:
            listed.append(f"{len(self.numbers) - _ROWS_SHOWN:,} more")
        unit = self.unit if len(self.numbers) == 1 else _UNITS[self.unit]
        counted = " (the first is entry 1)" if self.unit == "entry" else ""
        if self.unit == "row" and self.header is not None:
            counted = f" (the header is row {self.header})"
        return f"{unit} {Listed(listed)}{counted}"

    def __format__(self, spec: str) -> str:
        return str(self)


@dataclass(frozen=True)
class Table:
    """Cells by column, and where each row stands in its file."""

    name: str
    columns: dict[str, list[Any]]
    rows: Sequence[int]
    unit: str = "row"
    header: int | None = 1
    decimal_comma: bool = False
    warnings: Facts = ()
    nested: Mapping[str, str] = field(default_factory=dict)
    sheet: str | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def where(self, positions: Sequence[int] | np.ndarray) -> Places:
        """Where these rows stand."""
        numbers = tuple(int(self.rows[position]) for position in positions)
        return Places(numbers, self.unit, self.header)

    def head(self, rows: int, columns: int) -> Table:
        """Its beginning, as Arrow's tables, and so browsers, can hold it: see `_alike`."""
        first = list(self.columns.items())[:columns]
        shown = {name: _alike(cells[:rows]) for name, cells in first}
        return replace(self, columns=shown, rows=self.rows[:rows])

    def to_frame(self) -> pd.DataFrame:
        """The same cells as a pandas table, indexed by `rows`."""
        import pandas as pd

        index = pd.Index(self.rows, name=self.unit)
        return pd.DataFrame(
            {
                name: pd.Series([_shown(cell) for cell in cells], index=index, dtype=object)
                for name, cells in self.columns.items()
            },
            index=index,
        )


def as_text(cell: Any) -> str:
    """A cell as text: nothing for a missing one, "2" for 2.0, and a day for its midnight."""
    if cell is None:
        return ""
    if isinstance(cell, float | np.floating):
        if np.isnan(cell):
            return ""
        return str(int(cell)) if float(cell).is_integer() else str(cell)
    if isinstance(cell, datetime) and cell.time() == time():
        return str(cell.date())
    text = str(cell)
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:  # half a surrogate pair, which JSON escapes allow
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def without_nested(table: Table, nested: dict[str, str]) -> Table:
    """A table without its nested columns: who asks for one of them is told why."""
    if not nested:
        return table
    several = len(nested) > 1
    template = "Left out of {file}, because "
    template += "they hold" if several else "it holds"
    template += " lists or objects: the column" + ("s" if several else "") + " {columns}."
    told = fact(
        "data.nested_columns",
        template,
        file=Verbatim(table.name),
        columns=Listed([ClassName(key) for key in nested]),
    )
    flat = {key: cells for key, cells in table.columns.items() if key not in nested}
    return replace(table, columns=flat, nested=nested, warnings=(*table.warnings, told))


def empty(name: str) -> DatasetError:
    """What to say of a file without a row."""
    return DatasetError(
        f"{name} is empty: give it a header row and at least two rows of each of two classes."
    )


def repeated(name: str, column: str) -> DatasetError:
    """What to say of a file with two columns of one name."""
    return DatasetError(f"{name} has two columns named {column!r}: rename one of them.")


def _alike(cells: list[Any]) -> list[Any]:
    """Cells of a column in one type that Arrow takes: integers of 64 bits, or else texts."""
    given = [cell for cell in cells if cell is not None and cell == cell]  # NaN is no value
    types = {type(cell) for cell in given}
    most = 2**63 if types == {int} else 2**53
    too_long = any(isinstance(cell, int) and not -most <= cell < most for cell in given)
    if not too_long and (len(types) < 2 or types == {int, float}):
        return cells
    return [None if cell is None or cell != cell else str(cell) for cell in cells]


def _shown(cell: Any) -> Any:
    return as_text(cell) if isinstance(cell, str) else cell
