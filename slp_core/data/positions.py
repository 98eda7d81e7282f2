"""Positions that a caller names, checked: rows of a dataset, and the characters of a mention."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray


def row_numbers(
    rows: ArrayLike, what: str, n: int, *, may_repeat: bool = False
) -> NDArray[np.int64]:
    """Rows among n, in the order given."""
    given = np.asarray(rows)
    if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
        raise ValueError(
            f"{what} must be a list of row numbers, which are whole: of a mask give "
            "np.flatnonzero(mask)"
        )
    outside = given[(given < 0) | (given >= n)]
    if len(outside):
        raise ValueError(f"{what} names row {outside[0]}, but the rows are 0 to {n - 1}")
    named, times = np.unique(given, return_counts=True)
    if not may_repeat and (times > 1).any():
        raise ValueError(f"{what} names row {named[times > 1][0]} twice: name each row once")
    return given.astype(np.int64)


def check_held_out(query: NDArray[np.int64], learnt: Mapping[str, NDArray[np.int64]]) -> None:
    """Raise ValueError where rows to learn from, by argument, are among those to be judged on."""
    for what, rows in learnt.items():
        shared = np.intersect1d(rows, query)
        if len(shared):
            raise ValueError(
                f"{what} and query_pool share row {shared[0]}: leave it out of one of them"
            )


def mention_spans(
    spans: Sequence[Sequence[int]], texts: Sequence[str]
) -> tuple[tuple[int, int], ...]:
    """Where mentions stand in their sentences, as pairs of Python's integers."""
    checked = []
    for row, (span, text) in enumerate(zip(spans, texts, strict=True)):
        try:
            start, end = map(operator.index, span)
        except (TypeError, ValueError):
            raise ValueError(
                f"spans must be pairs of whole numbers, and row {row} is {span!r}: count "
                "characters from 0, the end excluded"
            ) from None
        if not 0 <= start <= end <= len(text):
            raise ValueError(f"the span [{start}, {end}) leaves the sentence of row {row}")
        checked.append((start, end))
    return tuple(checked)
