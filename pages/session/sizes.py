"""How much memory the server may keep for what, and how much a value holds."""

from __future__ import annotations

import ctypes
import sys
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

_MB = 1024**2

RESULTS = 160 * _MB
"""Of what pages have computed, all visits together."""
JOBS = 160 * _MB
"""Of what jobs have computed."""
UPLOADS = 256 * _MB
"""Of datasets that visitors brought."""
MOST_RESULTS = 1_500
"""Results that are kept, however small."""

_ARENA_MAX = -8  # M_ARENA_MAX of glibc's mallopt
_ARENAS = 2
_ATOMS = {str, bytes, int, float, bool, type(None)}
_MOST_PARTS = 20_000  # that are looked at; what has more is small beside its arrays
_LARGE = 4_096  # bytes from which a part is counted by itself: other values may hold it too

Parts = Mapping[int, int]
"""Bytes of what a value holds, by identity; small parts all together under its own."""


def share_heaps() -> None:
    """Have the C library serve all threads from a few heaps: each keeps what is freed in it."""
    with suppress(OSError, AttributeError, TypeError):  # another library than glibc
        ctypes.CDLL(None).mallopt(_ARENA_MAX, _ARENAS)


def parts_of(value: Any) -> Parts:
    """What a value holds, each part once; arrays and tables by their own count."""
    seen: set[int] = set()
    left, small, large = [value], 0, dict[int, int]()
    while left and len(seen) < _MOST_PARTS:
        part = left.pop()
        if id(part) in seen:
            continue
        held: Any
        if type(part) in _ATOMS:  # most parts are: nothing else is asked of them
            held = sys.getsizeof(part)
        elif isinstance(part, type) or callable(part):
            continue
        elif isinstance(held := getattr(part, "nbytes", None), int):  # NumPy, PyTorch
            base = getattr(part, "base", None)
            if base is not None and hasattr(base, "nbytes"):  # a view keeps the whole
                seen.add(id(part))
                left.append(base)
                continue
        elif callable(usage := getattr(part, "memory_usage", None)):
            held = int(usage(deep=False).sum())  # a table of pandas
        else:
            held = sys.getsizeof(part, 64)
            if isinstance(part, Mapping):
                left.extend(part.values())
            elif isinstance(part, list | tuple | set | frozenset):
                left.extend(part)
            else:
                left.extend(getattr(part, "__dict__", {}).values())
        seen.add(id(part))
        if held < _LARGE:
            small += held
        else:
            large[id(part)] = held
    return {id(value): small} | large


class Held:
    """The bytes of several values together: what more than one of them holds counts once."""

    def __init__(self) -> None:
        self._holders, self.bytes = Counter[int](), 0

    def add(self, parts: Parts) -> None:
        """A value is kept."""
        for part, held in parts.items():
            self._holders[part] += 1
            self.bytes += held if self._holders[part] == 1 else 0

    def remove(self, parts: Parts) -> None:
        """It is let go."""
        for part, held in parts.items():
            self._holders[part] -= 1
            if not self._holders[part]:
                del self._holders[part]
                self.bytes -= held
