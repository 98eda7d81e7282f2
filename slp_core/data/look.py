"""What a form asks of a file before it is read: answered where the file is parsed, and small."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from slp_core.data.columns import Columns
from slp_core.data.dataset import FewShotDataset
from slp_core.data.examples import Kind
from slp_core.data.read import TablePreview, preview_table, read_dataset
from slp_core.data.tables import TableFile
from slp_core.errors import DatasetError

if TYPE_CHECKING:
    import pandas as pd

_ROWS_SHOWN, _COLUMNS_SHOWN = 4, 40


@dataclass(frozen=True)
class FileLook:
    """A file's table as a form for its columns needs it, with the guess which holds what."""

    names: list[str]
    head: pd.DataFrame
    columns: Columns
    garbled: bool
    can_be_chosen_from: bool


def sheets_of(data: bytes, filename: str) -> tuple[tuple[str, ...], str]:
    """The sheets of a workbook, and the one to begin with: a wrong one hides no other."""
    file = _file(data, filename)
    try:
        return file.sheets, file.first_sheet
    except DatasetError:
        return file.sheets, file.sheets[0]


def look_at(data: bytes, filename: str, sheet: str | None = None, mend: bool = False) -> FileLook:
    """Parse a file, and look at its table."""
    preview = _preview(data, filename, sheet, mend)
    return FileLook(
        preview.names,
        preview.head(_ROWS_SHOWN, _COLUMNS_SHOWN),
        preview.columns,
        not mend and preview.garbled is not None,
        preview.can_be_chosen_from,
    )


def guess_again(
    data: bytes, filename: str, sheet: str | None, mend: bool, kind: Kind, told: Mapping[str, str]
) -> Columns:
    """The guess for examples of a kind, some columns by role being known."""
    return _preview(data, filename, sheet, mend).guess(kind, **told)


def read_uploaded(
    data: bytes, filename: str, sheet: str | None, mend: bool, columns: Mapping[str, Any]
) -> FewShotDataset:
    """The dataset in a file, its columns being known."""
    return read_dataset(_preview(data, filename, sheet, mend), **columns)


@lru_cache(maxsize=1)  # a form asks about one file again and again
def _preview(data: bytes, filename: str, sheet: str | None, mend: bool) -> TablePreview:
    preview = preview_table(_file(data, filename), sheet=sheet)
    return preview.mended() if mend else preview


@lru_cache(maxsize=1)  # a workbook is opened once for all its sheets
def _file(data: bytes, filename: str) -> TableFile:
    return TableFile(io.BytesIO(data), filename)
