"""What is odd in a dataset but no error: duplicates, contradictions, overlap, imbalance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slp_core.data.limits import IMBALANCE_RATIO

Where = Callable[[Sequence[int]], str]
"""Says where rows (positions) stand in their file."""


def content_warnings(
    name: str,
    content_ids: NDArray[np.int64],
    labels: NDArray[np.str_],
    where: Where,
    *,
    what: str = "text",
) -> list[str]:
    """Warn of rows that repeat an earlier one, and of equal inputs under two labels.

    `content_ids` are equal for equal inputs (see ``Examples.content_ids``); `what` an input is
    called.
    """
    seen: dict[tuple[int, Any], int] = {}
    first_label: dict[int, Any] = {}
    repeats, contradictions = [], []
    for row, (content, label) in enumerate(zip(content_ids.tolist(), labels.tolist(), strict=True)):
        if (content, label) in seen:
            repeats.append(row)
        elif first_label.setdefault(content, label) != label:
            contradictions.append(row)
        seen.setdefault((content, label), row)
    warnings = []
    if repeats:
        warnings.append(f"{name} has duplicates: {_times(repeats, 'repeat')} in {where(repeats)}.")
    if contradictions:
        warnings.append(
            f"{name} has the same {what} with two labels: {where(contradictions)} "
            f"{'disagrees' if len(contradictions) == 1 else 'disagree'} with an earlier row."
        )
    return warnings


def overlap_warning(
    name: str,
    content_ids: NDArray[np.int64],
    support_pool: NDArray[np.int64],
    query_pool: NDArray[np.int64],
) -> list[str]:
    """Warn of rows to be judged on that also stand among the rows to learn from."""
    again = np.isin(content_ids[support_pool], content_ids[query_pool])
    if not again.any():
        return []
    n = int(again.sum())
    rows = "1 training row also stands" if n == 1 else f"{n:,} training rows also stand"
    return [f"In {name} {rows} in the test rows, so accuracy may flatter a method."]


def imbalance_warning(name: str, counts: dict[str, int]) -> list[str]:
    """Warn of a largest class that dwarfs the smallest."""
    largest = max(counts, key=lambda label: counts[label])
    smallest = min(counts, key=lambda label: counts[label])
    if counts[largest] < IMBALANCE_RATIO * counts[smallest]:
        return []
    return [
        f"{name} is strongly imbalanced ({counts[largest]:,} rows of {largest!r} against "
        f"{counts[smallest]:,} of {smallest!r}): read macro F1 beside accuracy."
    ]


def _times(rows: Sequence[int], verb: str) -> str:
    return (
        f"1 row {verb}s an earlier one"
        if len(rows) == 1
        else f"{len(rows):,} rows {verb} earlier ones"
    )
