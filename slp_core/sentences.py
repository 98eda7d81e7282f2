"""The pieces of Markdown sentences: numbers, lists, and names from data, which escape."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import floor, isfinite, log10

from slp_core.markdown import LONGEST, isolated, literal, named, shortened

# A class's shape in running text, by its place in the class order; markers on figures match.
SHAPES = tuple("●■◆▲⬟★▼✚⬢✖◀✦⋈")
PROPER_NAMES = {"Reptile"}  # that have no capital but the first


def shape_of(index: int) -> int:
    """The place in ``SHAPES`` of a class; from the fourteenth on with other colours."""
    turn, place = divmod(index, len(SHAPES))
    return (place + 5 * turn) % len(SHAPES)


class ClassName(str):
    """A class: formatted as its shape and its name in quotes, shortened and escaped."""

    place: int | None

    def __new__(cls, name: str, place: int | None = None) -> ClassName:
        self = super().__new__(cls, name)
        self.place = place
        return self

    def __format__(self, spec: str) -> str:
        shape = "" if self.place is None else f"{SHAPES[shape_of(self.place)]}\N{NO-BREAK SPACE}"
        return shape + named(str(self))


class MethodTitle(str):
    """A method's title: formatted escaped; with ``:inside``, as inside a sentence."""

    def __format__(self, spec: str) -> str:
        return literal(in_sentence(self) if spec == "inside" else str(self))


class EncoderName(str):
    """An encoder's title: formatted in quotes and escaped."""

    def __format__(self, spec: str) -> str:
        return named(str(self), 2 * LONGEST)


class Verbatim(str):
    """A file's or column's name: formatted without quotes, shortened and escaped."""

    def __format__(self, spec: str) -> str:
        return isolated(literal(shortened(str(self))))


def class_names(names: Iterable[str]) -> tuple[ClassName, ...]:
    """All classes of a dataset or model, in their order."""
    return tuple(ClassName(str(name), place) for place, name in enumerate(names))


def in_sentence(name: str) -> str:
    """A method's or an encoder's name as inside a sentence: proper names keep their capitals."""
    word = name.split(" ")[0].rstrip(",")
    plain = len(word) > 1 and word[1:] == word[1:].lower() and word not in PROPER_NAMES
    return name[:1].lower() + name[1:] if plain else name


def number(value: float, decimals: int = 2) -> str:
    """A number with a true minus sign, and by rounding never −0.00."""
    text = f"{value:,.{decimals}f}"
    return text.lstrip("-") if not text.strip("-0.") else text.replace("-", "−")


def signed(value: float, decimals: int = 2) -> str:
    """A number with its sign; 0 has none."""
    text = number(value, decimals)
    return text if value < 0 or not text.strip("0.") else f"+{text}"


def significant(value: float, digits: int = 3) -> str:
    """A number with so many significant digits, and at most six decimals."""
    if not value or not isfinite(value):
        return f"{value:g}"
    return number(value, min(max(digits - 1 - floor(log10(abs(value))), 0), 6))


def percent(share: float, decimals: int = 0) -> str:
    """A share as a percentage; only 0 reads as 0%, only 1 as 100%."""
    while True:
        text = f"{share:.{decimals}%}"
        if not 0 < share < 1 or 0 < float(text[:-1]) < 100:
            return text.replace("-", "−")
        if decimals >= 3:
            return "under 0.001%" if share < 0.5 else "over 99.999%"
        decimals += 1


def count(n: int, one: str, many: str = "") -> str:
    """A count with its noun: "1 error", "2,000 errors"."""
    return f"{n:,} {one if n == 1 else many or f'{one}s'}"


def listed(items: Sequence[object], most: int | None = None, last: str = "and") -> str:
    """A list: "a, b and c", or "a, b and 5 more". Items are formatted by their types."""
    parts = [f"{item}" for item in items[:most]]
    if more := len(items) - len(parts):
        parts.append(f"{more:,} more")
    return f" {last} ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def decimals_apart(one: float, other: float, least: int = 3) -> int:
    """With how many decimals two numbers do not read the same; ``least`` where they are one."""
    differ = (n for n in range(least, 10) if f"{one:.{n}f}" != f"{other:.{n}f}")
    return next(differ, least)
