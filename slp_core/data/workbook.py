"""XLSX: the rows of a workbook's sheets as they stand there, and none that do not.

openpyxl's own read-only sheets fill the gaps between rows and between cells, so that a row with a
large number costs as much as all that could stand before it. Its parser is asked instead.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any
from xml.parsers import expat

from slp_core.data.archives import open_archive
from slp_core.data.bounds import too_many
from slp_core.data.limits import LIMITS
from slp_core.errors import DatasetError

if TYPE_CHECKING:
    import openpyxl

_CHUNK = 64 * 1024


class Workbook:
    """A workbook that is looked at sheet by sheet."""

    def __init__(self, data: bytes, name: str) -> None:
        self._name = name
        self.merged_down: list[tuple[int, int, int]] = []
        with _errors(name):
            with open_archive(data, name, DatasetError, "an Excel workbook"):
                pass  # so its parts are few, and small enough in whole
            self._book = _opened(data, name)
        self.sheets = tuple(sheet.title for sheet in self._book.worksheets)

    def rows(self, sheet: str) -> Iterator[tuple[int, list[Any]]]:
        """The rows of a sheet that hold a cell: number, and cells up to the last one."""
        from openpyxl.worksheet._reader import WorkSheetParser

        book = self._book
        self.merged_down = []
        with _errors(self._name), book[sheet]._get_source() as source:
            parser = WorkSheetParser(
                source,
                book[sheet]._shared_strings,
                data_only=True,
                epoch=book.epoch,
                date_formats=book._date_formats,
                timedelta_formats=book._timedelta_formats,
            )
            empty = 0
            for row, cells in parser.parse():
                if row > LIMITS.sheet_rows:
                    raise too_many(self._name, LIMITS.sheet_rows, "rows, counting empty ones")
                parser.row_dimensions.clear()
                filled = {cell["column"]: cell["value"] for cell in cells}
                filled = {column: value for column, value in filled.items() if value is not None}
                if not filled:
                    empty += 1
                    if empty > LIMITS.empty_rows:
                        raise too_many(self._name, LIMITS.empty_rows, "empty rows")
                    continue
                if max(filled) > LIMITS.columns:
                    raise too_many(self._name, LIMITS.columns, "columns, counting empty ones")
                yield row, [filled.get(column) for column in range(1, max(filled) + 1)]
            merged = parser.merged_cells.mergeCell if parser.merged_cells else ()
            self.merged_down = [
                (cell.min_row, cell.max_row, cell.min_col)
                for cell in merged
                if cell.min_row < cell.max_row
            ]


def _opened(data: bytes, name: str) -> openpyxl.Workbook:
    """Have openpyxl open a workbook, and count the elements of what it then reads."""
    from openpyxl.packaging.relationship import RelationshipList
    from openpyxl.reader.excel import SHARED_STRINGS, ExcelReader

    class Archive(zipfile.ZipFile):
        """Its parts are read whole: of each element openpyxl makes an object."""

        def read(self, part: Any, pwd: bytes | None = None) -> bytes:
            content = super().read(part, pwd)
            what = f"elements in its part {part} (styles, for the most)"
            _count_elements(io.BytesIO(content), too_many(name, LIMITS.elements, what))
            return content

    class Reader(ExcelReader):
        """Shared texts are counted, and only so many sheets of cells are looked at."""

        def read_strings(self) -> None:
            part = self.package.find(SHARED_STRINGS)
            if part is not None:
                with self.archive.open(part.PartName[1:]) as source:
                    refusal = too_many(name, LIMITS.shared_elements, "pieces of shared text")
                    _count_elements(source, refusal, LIMITS.shared_elements)
            super().read_strings()

        def read_worksheets(self) -> None:
            if len(self.parser.sheets) > LIMITS.sheets:
                raise too_many(name, LIMITS.sheets, "sheets")
            super().read_worksheets()

        def read_chartsheet(self, sheet: Any, rel: RelationshipList) -> None:
            """Leave it out: it holds no cells."""

    reader = Reader(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    reader.archive = Archive(io.BytesIO(data))
    reader.read()
    if not reader.wb.worksheets:
        raise ValueError("no sheet holds cells")
    return reader.wb


def _count_elements(source: IO[bytes], refusal: DatasetError, limit: int = LIMITS.elements) -> None:
    """Raise a refusal where XML has more elements, before a tree is made of it."""
    count = 0

    def element(*_: Any) -> None:
        nonlocal count
        count += 1
        if count > limit:
            raise refusal

    def declaration(*_: Any) -> None:
        raise ValueError("a workbook declares no document type, and no entities")

    parser = expat.ParserCreate()
    parser.StartElementHandler = element
    parser.StartDoctypeDeclHandler = declaration
    while chunk := source.read(_CHUNK):
        parser.Parse(chunk, False)
    parser.Parse(b"", True)


@contextmanager
def _errors(name: str) -> Iterator[None]:
    try:
        yield
    except (DatasetError, MemoryError, GeneratorExit):
        raise
    except Exception as error:
        if isinstance(error.__cause__, DatasetError):  # openpyxl has put words of its own round it
            raise error.__cause__ from None
        # It lets many kinds through from damaged XML and archives.
        raise DatasetError(
            f"{name} cannot be opened as an Excel workbook (damaged, cut short or protected by a "
            "password): save it again as .xlsx."
        ) from error
