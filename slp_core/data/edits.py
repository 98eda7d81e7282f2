"""How an edited support set differs from the draw that it was made from, and as a short text."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_ROWS = r"[0-9]{1,9}(?:\.[0-9]{1,9})*"
_PAIRS = r"[0-9]{1,9}-[0-9]{1,4}(?:\.[0-9]{1,9}-[0-9]{1,4})*"
_TEXT = re.compile(rf"(?:r({_ROWS}))?(?:a({_ROWS}))?(?:l({_PAIRS}))?")


@dataclass(frozen=True)
class Edits:
    """Row numbers of a dataset, each kind ascending."""

    removed: tuple[int, ...] = ()
    added: tuple[int, ...] = ()
    relabelled: tuple[tuple[int, int], ...] = ()  # rows, and the classes that they are given

    def __bool__(self) -> bool:
        return bool(self.removed or self.added or self.relabelled)

    def __str__(self) -> str:
        """``r3.14a15l9-2``: without rows 3 and 14, with row 15, and row 9 given class 2."""
        parts = {
            "r": map(str, self.removed),
            "a": map(str, self.added),
            "l": (f"{row}-{k}" for row, k in self.relabelled),
        }
        lists = {kind: ".".join(rows) for kind, rows in parts.items()}
        return "".join(f"{kind}{rows}" for kind, rows in lists.items() if rows)

    @classmethod
    def read(cls, text: str) -> Edits | None:
        """The inverse; None where a text is none of these."""
        found = _TEXT.fullmatch(text)
        if not found or not text:
            return None
        removed, added, relabelled = (part.split(".") if part else [] for part in found.groups())
        pairs = [pair.split("-") for pair in relabelled]
        return cls(
            tuple(sorted(set(map(int, removed)))),
            tuple(sorted(set(map(int, added)))),
            tuple(sorted({int(row): int(k) for row, k in pairs}.items())),
        )

    def labels(self, true: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """(n,) the class of each of n rows, with what it is given in the place of its true one."""
        labels = true[rows]
        for row, k in self.relabelled:
            labels[rows == row] = k
        return labels


NONE = Edits()
