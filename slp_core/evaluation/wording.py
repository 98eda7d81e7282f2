"""Values of facts about runs, as sentences write them: names of methods, counts, points."""

from __future__ import annotations

from collections.abc import Iterable

from slp_core.facts import MethodTitle, Number


def method_titles(titles: Iterable[str]) -> tuple[MethodTitle, ...]:
    """Several of them."""
    return tuple(map(MethodTitle, titles))


class Count(int):
    """A number of things, written with what they are: "1 draw", "1,200 draws", "3 classes"."""

    noun: str
    plural: str

    def __new__(cls, n: int, noun: str, plural: str = "") -> Count:
        """So many of what ``noun`` is one of, and ``plural`` several, if no "s" makes it so."""
        self = super().__new__(cls, n)
        self.noun, self.plural = noun, plural or f"{noun}s"
        return self

    def __format__(self, spec: str) -> str:
        return f"{int(self):,} {self.noun if self == 1 else self.plural}"


class Points(float):
    """A difference of accuracies in percentage points, written without its sign: "1.0 point".

    What is not nothing is never written as nothing. With the format ``signed`` it is a number with
    a true minus sign.
    """

    def __format__(self, spec: str) -> str:
        if spec == "signed":
            return f"{Number(self):.1f}"
        written = f"{abs(self):.1f}"
        if written == "0.0":
            written = "less than 0.1" if self else written
        return f"{written} {'point' if written == '1.0' else 'points'}"


class Probability(float):
    """A p-value: three decimals, or the order of magnitude of a small one."""

    def __format__(self, spec: str) -> str:
        return f"{float(self):.3f}" if self >= 0.001 else f"{float(self):.1e}"
