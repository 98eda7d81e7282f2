"""How much memory a value holds, near enough to bound what is kept."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

_MOST_PARTS = 20_000  # that are looked at; what has more is small beside its arrays


def n_bytes(value: Any) -> int:
    """Bytes of a value and of all that it holds, each once; arrays and tables by their own count.

    Of what has very many parts, those that are found first.
    """
    seen: set[int] = set()
    left, total = [value], 0
    while left and len(seen) < _MOST_PARTS:
        part = left.pop()
        if id(part) in seen or isinstance(part, type) or callable(part):
            continue
        seen.add(id(part))
        if isinstance(held := getattr(part, "nbytes", None), int):
            total += held  # NumPy, PyTorch
            continue
        if callable(usage := getattr(part, "memory_usage", None)):
            total += int(usage(deep=False).sum())  # a table of pandas
            continue
        total += sys.getsizeof(part, 64)
        if isinstance(part, Mapping):
            left.extend(part.values())
        elif isinstance(part, list | tuple | set | frozenset):
            left.extend(part)
        elif not isinstance(part, str | bytes | int | float):
            left.extend(getattr(part, "__dict__", {}).values())
    return total
