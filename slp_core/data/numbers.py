"""Numbers as people write them; all cells of a column together decide its decimal mark."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

DecimalMark = Literal[".", ","]

_SIGN, _CURRENCY = r"[+\-\u2212]", "$€£¥₹₽₩₺"


def _written(decimal: str, thousands: str) -> re.Pattern[str]:
    """A number with this decimal mark, and one of these marks between its thousands."""
    grouped = rf"[1-9][0-9]{{0,2}}(?P<by>[{thousands}])[0-9]{{3}}(?:(?P=by)[0-9]{{3}})*"
    digits = rf"(?:[0-9]+|{grouped}|(?={decimal}[0-9]))(?:{decimal}[0-9]*)?(?:e{_SIGN}?[0-9]+)?"
    return re.compile(
        rf"(?P<sign>{_SIGN})?\s*(?P<before>[{_CURRENCY}])?\s*(?(sign)|(?P<inner>{_SIGN})?)"
        rf"(?P<core>nan|inf(?:inity)?|{digits})\s*(?(before)|[%{_CURRENCY}]?)",
        re.IGNORECASE,
    )


_SPACES = "'’ \u00a0\u202f\u2009"
_WRITTEN: dict[DecimalMark, re.Pattern[str]] = {
    ".": _written(r"\.", f"{_SPACES},"),
    ",": _written(",", rf"{_SPACES}\."),
}
_OPEN = re.compile(r"[1-9][0-9]{0,2}[.,][0-9]{3}")  # one mark, and three digits after it
_TRUTH = {"true": 1.0, "false": 0.0}
_LARGE = 100  # beside whole numbers from here on, three digits after a mark are thousands


@dataclass(frozen=True)
class Numbers:
    """A column of cells read as numbers: None for what is none, or empty."""

    values: list[float | None]
    truths: bool = False  # true is 1 and false is 0
    open: str = ""  # a cell that can be read in two ways, where the others do not tell which
    decimal: DecimalMark = "."


def read_numbers(
    cells: Sequence[Any], *, decimal: DecimalMark | None = None, semicolons: bool = False
) -> Numbers:
    """Read a column; files whose cells are parted by semicolons tend to have decimal commas."""
    if are_truths(cells):
        return Numbers([_TRUTH[str(cell).strip().casefold()] for cell in cells], truths=True)
    if decimal != "," and (plain := _plain(cells)) is not None:
        return Numbers(plain)
    texts = [cell.strip() for cell in cells if isinstance(cell, str)]
    found, example = (decimal, "") if decimal else _decimal_mark(texts, semicolons)
    return Numbers([number_of(cell, found) for cell in cells], open=example, decimal=found)


def are_truths(cells: Sequence[Any]) -> bool:
    """Whether each cell of a column says true or false, in letters of any case."""
    return bool(cells) and all(str(cell).strip().casefold() in _TRUTH for cell in cells)


def _plain(cells: Sequence[Any]) -> list[float | None] | None:
    """The values where each cell is a number in Python's own writing, and can be nothing else."""
    texts = [cell.strip() for cell in cells if isinstance(cell, str)]
    marked = [cell for cell in texts if "." in cell]
    if any("_" in cell for cell in texts) or (
        marked and all(len(cell) - cell.index(".") == 4 for cell in marked)
    ):
        return None
    try:
        return [None if cell is None else float(cell) for cell in cells]
    except (TypeError, ValueError, OverflowError):
        return None


def looks_like_number(cell: Any) -> bool:
    """Whether a cell can be read as a number, in one way of writing or another; NaN can."""
    return number_of(cell, ".") is not None or number_of(cell, ",") is not None


def _decimal_mark(texts: Sequence[str], semicolons: bool) -> tuple[DecimalMark, str]:
    """The decimal mark of a column; with a cell that could be read either way, if it is open."""
    points, commas = (
        [found["core"] for text in texts if (found := pattern.fullmatch(text))]
        for pattern in _WRITTEN.values()
    )
    if len(points) != len(commas):
        return ("." if len(points) > len(commas) else ","), ""
    either = next(filter(_OPEN.fullmatch, points), "")
    if not either:
        return ("," if semicolons else "."), ""
    whole = [core for core in points if core.isdecimal()]
    counts = whole and max(map(len, whole)) <= 3 and max(map(int, whole)) >= _LARGE
    if "." in either:
        # Without whole numbers, three decimals as every program writes them
        is_open = bool(whole) or semicolons
        return ("," if counts else "."), either if is_open else ""
    return ("." if counts or not semicolons else ","), either if semicolons else ""


def number_of(cell: Any, decimal: DecimalMark) -> float | None:
    """What a cell says with this decimal mark; None for no number."""
    if not isinstance(cell, str):
        try:
            return None if cell is None else float(cell)
        except (TypeError, ValueError, OverflowError):
            return None
    found = _WRITTEN[decimal].fullmatch(cell.strip())
    if found is None:
        return None
    core = found["core"].replace(found["by"], "") if found["by"] else found["core"]
    value = float(core.replace(decimal, ".").replace("\u2212", "-"))
    return -value if (found["sign"] or found["inner"]) in ("-", "\u2212") else value
