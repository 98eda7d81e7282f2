"""Fewer marks than points, where there are too many for a browser, and the words that say so."""

from __future__ import annotations

import numpy as np

from slp_core.facts import Facts, fact


def spaced(rows: np.ndarray, most: int) -> np.ndarray:
    """All of the rows, or evenly spaced ones where they are more than ``most``."""
    if len(rows) <= most:
        return rows
    return rows[np.linspace(0, len(rows) - 1, most).round().astype(np.int64)]


def thinned_facts(drawn: int, total: int) -> Facts:
    """That a picture has not all of its points, where it has not."""
    if drawn == total:
        return ()
    template = (
        "The picture has {drawn:,} of its {total:,} query points, spread evenly; what is said "
        "counts them all."
    )
    return (fact("figure.thinned", template, drawn=drawn, total=total),)
