"""Numbers as people write them; all cells of a column together decide its decimal mark."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

DecimalMark = Literal[".", ","]

_CURRENCY = "$€£¥₹₽₩₺"
_AFFIXES = re.compile(
    rf"(?P<sign>[+\-\u2212]?)\s*(?P<before>[{_CURRENCY}]?)\s*(?P<inner_sign>[+\-\u2212]?)"
    rf"(?P<core>\S.*?)\s*(?P<after>[%{_CURRENCY}]?)"
)
_GROUPED = "[0-9]{1,3}(?:%s[0-9]{3})+"
_EXPONENT = r"(?:[eE][+\-\u2212]?[0-9]+)?"
_SPACES = " \u00a0\u202f\u2009"
_OPEN = re.compile(r"[1-9][0-9]{0,2}[.,][0-9]{3}")  # one mark, and three digits after it
_LARGE = 100  # beside whole numbers from here on, three digits after a mark are thousands


@dataclass(frozen=True)
class Numbers:
    """A column of cells read as numbers: None for what is none, or empty."""

    values: list[float | None]
    open: str = ""  # a cell that can be read in two ways, where the others do not tell which
    decimal: DecimalMark = "."


def read_numbers(
    cells: Sequence[Any], *, decimal: DecimalMark | None = None, semicolons: bool = False
) -> Numbers:
    """Read a column; files whose cells are parted by semicolons tend to have decimal commas."""
    if decimal != "," and (plain := _plain(cells)) is not None:
        return Numbers(plain)
    cores = [_core(cell) for cell in cells if isinstance(cell, str) and cell.strip()]
    found, example = (decimal, "") if decimal else _decimal_mark(cores, semicolons)
    return Numbers([_value(cell, found) for cell in cells], example, found)


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
    return _value(cell, ".") is not None or _value(cell, ",") is not None


def _decimal_mark(cores: Sequence[str], semicolons: bool) -> tuple[DecimalMark, str]:
    """The decimal mark of a column; with a cell that could be read either way, if it is open."""
    fits = {mark: sum(_number(core, mark) is not None for core in cores) for mark in (".", ",")}
    if fits["."] != fits[","]:
        return ("." if fits["."] > fits[","] else ","), ""
    either = [core for core in cores if _OPEN.fullmatch(core)]
    if not either:
        return ("," if semicolons else "."), ""
    mark = "." if "." in either[0] else ","
    whole = [core for core in cores if core.isdecimal()]
    counts = whole and max(map(len, whole)) <= 3 and max(map(int, whole)) >= _LARGE
    thousands = counts or (mark == "," and not semicolons)
    open_ = either[0] if mark == "." or semicolons else ""
    if not whole and mark == "." and not semicolons:
        open_ = ""  # as every program writes three decimals
    other: DecimalMark = "," if mark == "." else "."
    return (other if thousands else mark), open_  # type: ignore[return-value]


def _core(cell: str) -> str:
    """Its digits and marks, without sign, currency and percent."""
    found = _AFFIXES.fullmatch(cell.strip())
    return found["core"] if found else ""


def _value(cell: Any, decimal: DecimalMark) -> float | None:
    if not isinstance(cell, str):
        try:
            return None if cell is None else float(cell)
        except (TypeError, ValueError, OverflowError):
            return None
    found = _AFFIXES.fullmatch(cell.strip())
    if found is None or (found["sign"] and found["inner_sign"]):
        return None
    if found["before"] and found["after"]:
        return None
    value = _number(found["core"], decimal)
    negative = (found["sign"] + found["inner_sign"]) in ("-", "\u2212")
    return -value if negative and value is not None else value


def _number(core: str, decimal: DecimalMark) -> float | None:
    """The value of digits and marks; None where they are no number with this decimal mark."""
    if core.casefold() in ("nan", "inf", "infinity"):
        return float(core)
    separators = "'’" + _SPACES + ("," if decimal == "." else ".")
    whole, mark, fraction = core.partition(decimal)
    if mark and not re.fullmatch(f"[0-9]*{_EXPONENT}", fraction):
        return None
    if not mark and (found := re.fullmatch(f"([^eE]*)({_EXPONENT})", core)):
        whole, fraction = found[1], found[2]
    if not whole.isascii() or not whole.isdecimal():
        grouped = (s for s in separators if re.fullmatch(_GROUPED % re.escape(s), whole))
        bare = "0" if not whole and re.match("[0-9]", fraction) else None
        digits = next((whole.replace(s, "") for s in grouped), bare)
        if digits is None or (digits != "0" and whole.startswith("0")):
            return None
        whole = digits
    text = f"{whole}{'.' if mark else ''}{fraction}".replace("\u2212", "-")
    return float(text)
