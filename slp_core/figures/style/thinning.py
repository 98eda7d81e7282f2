"""Fewer marks than points, where there are too many for a browser, and the words that say so."""

from __future__ import annotations

import numpy as np


def spaced(rows: np.ndarray, most: int) -> np.ndarray:
    """All of the rows, or evenly spaced ones where they are more than ``most``."""
    if len(rows) <= most:
        return rows
    return rows[np.linspace(0, len(rows) - 1, most).round().astype(np.int64)]


def thinned_text(drawn: int, total: int) -> str:
    """That not all points are drawn; nothing where they are."""
    if drawn == total:
        return ""
    return f"{drawn:,} of {total:,} query examples are drawn; the numbers count all of them."
