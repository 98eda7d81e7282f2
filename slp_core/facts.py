"""Sentences made of facts: what is said on screen is data first, and text made from it alone.

Whatever has a ``sentence()`` derives from :class:`Stated` and gives its facts; a sentence is their
text. A fact's template holds words and the names of its values, and no figure of its own: what a
sentence claims is in ``kind`` and ``values``, where ``tests/facts`` checks it by brute force.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from slp_core.markdown import LONGEST, isolated, literal, named, shortened

T = TypeVar("T")

# A class's shape in running text, by its place in the class order; markers on figures match.
SHAPES = tuple("●■◆▲⬟★▼✚⬢✖◀✦⋈")


def shape_of(index: int) -> int:
    """The place in ``SHAPES`` of a class; from the fourteenth on with other colours."""
    turn, place = divmod(index, len(SHAPES))
    return (place + 5 * turn) % len(SHAPES)


class ClassName(str):
    """A class in a sentence: its shape, and its name in quotes, shortened and never interpreted."""

    place: int | None

    def __new__(cls, name: str, place: int | None = None) -> ClassName:
        """A name with its place."""
        self = super().__new__(cls, name)
        self.place = place
        return self

    def __format__(self, spec: str) -> str:
        shape = "" if self.place is None else f"{SHAPES[shape_of(self.place)]}\N{NO-BREAK SPACE}"
        return shape + named(str(self))


def decimals_apart(one: float, other: float, least: int = 3, most: int = 9) -> int:
    """With how many decimals two numbers do not read the same; ``least`` where they are one."""
    told = (n for n in range(least, most + 1) if f"{one:.{n}f}" != f"{other:.{n}f}")
    return next(told, least)


PROPER_NAMES = {"Reptile"}  # that have no capital but the first


def in_sentence(name: str) -> str:
    """A method's or an encoder's name as inside a sentence: proper names keep their capitals."""
    word = name.split(" ")[0].rstrip(",")
    plain = len(word) > 1 and word[1:] == word[1:].lower() and word not in PROPER_NAMES
    return name[:1].lower() + name[1:] if plain else name


class MethodTitle(str):
    """A method's title in a sentence: never interpreted."""

    def __format__(self, spec: str) -> str:
        return literal(in_sentence(self) if spec == "inside" else str(self))


class EncoderName(str):
    """An encoder's title in a sentence: in quotes, and never interpreted."""

    def __format__(self, spec: str) -> str:
        return named(str(self), 2 * LONGEST)


def class_names(names: Iterable[str]) -> tuple[ClassName, ...]:
    """All classes of a dataset or model, in their order."""
    return tuple(ClassName(str(name), place) for place, name in enumerate(names))


class Verbatim(str):
    """A name in a sentence as it is, without quotes: a file's, an encoder's; never interpreted."""

    def __format__(self, spec: str) -> str:
        return isolated(literal(shortened(str(self))))


class Part(float):
    """A share of things that are counted: only none of them reads as 0%, only all as 100%."""

    def __format__(self, spec: str) -> str:
        for decimals in range(9):
            text = f"{float(self):.{decimals}%}"
            if not 0 < self < 1 or 0 < float(text[:-1]) < 100:
                break
        return text


class _Words(str):
    """A text among a fact's values, of which nobody has said what it is: never interpreted."""

    def __format__(self, spec: str) -> str:
        return format(literal(str(self)), spec)


class Number(float):
    """A number as sentences have it: with a true minus sign, and by rounding never −0.00."""

    def __format__(self, spec: str) -> str:
        text = float.__format__(self, spec)
        if text.startswith("-") and not text.strip("-0.%"):
            return float.__format__(0.0, spec)
        return text.replace("-", "−")


def _harmless(value: object) -> object:
    if type(value) is str:
        return _Words(value)
    return Number(value) if type(value) is float else value


@dataclass(frozen=True)
class Listed(Generic[T]):
    """Several values as a sentence lists them: "a, b and c", or "a, b and 5 more"."""

    items: Sequence[T]
    more: int = 0

    def __format__(self, spec: str) -> str:
        said = [format(_harmless(item), spec) for item in self.items]
        if self.more:
            said.append(f"{self.more:,} more")
        return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"


@dataclass(frozen=True)
class Fact:
    """One thing that is stated."""

    kind: str
    template: str
    values: Mapping[str, Any]

    def __str__(self) -> str:
        return self.template.format_map({n: _harmless(each) for n, each in self.values.items()})

    def __format__(self, spec: str) -> str:
        return str(self)

    def __getitem__(self, name: str) -> Any:
        return self.values[name]


def fact(kind: str, template: str, **values: Any) -> Fact:
    """State something."""
    return Fact(kind, template, values)


def noun(n: int, one: str, many: str = "") -> str:
    """A noun as it stands after a count in a template: of one thing, or of any other number."""
    return one if n == 1 else many or f"{one}s"


Facts = tuple[Fact, ...]


def said(facts: Iterable[Fact]) -> str:
    """Facts as running text, in Markdown."""
    return " ".join(filter(None, map(str, facts)))


def long_names(facts: Iterable[Fact]) -> list[str]:
    """Names that the text of facts shortens, whole: for a tip beside it."""
    found: dict[str, None] = {}
    for each in facts:
        _collect(each, found)
    return [name for name in found if named(name) != named(name, len(name))]


def _collect(value: Any, found: dict[str, None]) -> None:
    if isinstance(value, ClassName):
        found[str(value)] = None
    elif isinstance(value, Fact):
        for inner in value.values.values():
            _collect(inner, found)
    elif isinstance(value, Listed):
        for inner in value.items:
            _collect(inner, found)


class Stated(ABC):
    """Base of what has a sentence."""

    @abstractmethod
    def facts(self) -> Facts:
        """What is stated, in the order in which it is said."""

    def sentence(self) -> str:
        """The facts as text, in Markdown."""
        return said(self.facts())
