"""Oddities of a dataset that are no errors: repeats, contradictions, overlap, imbalance."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slp_core.data import remarks
from slp_core.data.limits import IMBALANCE_RATIO
from slp_core.data.remarks import Places
from slp_core.data.table import is_number
from slp_core.sentences import ClassName

Where = Callable[[Sequence[int]], Places]
"""Says where rows (positions) stand in their file."""


def content_warnings(
    name: str,
    content_ids: NDArray[np.int64],
    labels: NDArray[np.str_],
    where: Where,
    *,
    what: str = "text",
) -> tuple[str, ...]:
    """Warn of rows that repeat an earlier one, and of labels unlike the first of an equal input."""
    if len(np.unique(content_ids)) == len(content_ids):
        return ()
    labels_seen: dict[int, set[Any]] = {}
    first_labels: dict[int, Any] = {}
    repeats, contradictions = [], []
    for row, (content, label) in enumerate(zip(content_ids.tolist(), labels.tolist(), strict=True)):
        seen = labels_seen.setdefault(content, set())
        first = first_labels.setdefault(content, label)
        if label in seen:
            repeats.append(row)
        if label != first:
            contradictions.append(row)
        seen.add(label)
    told: tuple[str, ...] = ()
    if repeats:
        told += (remarks.duplicates(name, where(repeats)),)
    if contradictions:
        told += (remarks.contradictions(name, what, where(contradictions)),)
    return told


def overlap_warning(
    name: str,
    content_ids: NDArray[np.int64],
    support_pool: NDArray[np.int64],
    query_pool: NDArray[np.int64],
) -> tuple[str, ...]:
    """Warn of test rows that are also among the training rows."""
    n = int(np.isin(content_ids[support_pool], content_ids[query_pool]).sum())
    return (remarks.overlap(name, n),) if n else ()


def alike_warning(name: str, classes: Sequence[str]) -> tuple[str, ...]:
    """Warn of classes that may be one, such as ``Good`` and ``good``, or ``1`` and ``01``."""
    first: dict[str | Decimal, int] = {}
    pairs = []
    for place, label in enumerate(classes):
        other = first.setdefault(_as_if_spelt_alike(label), place)
        if other != place:
            pairs.append((ClassName(classes[other], other), ClassName(label, place)))
    return (remarks.alike_classes(name, pairs),) if pairs else ()


def _as_if_spelt_alike(label: str) -> str | Decimal:
    """A number's value, or a name's letters without case and invisible characters."""
    letters = unicodedata.normalize("NFKC", label).casefold()
    seen = "".join(c for c in letters if not c.isspace() and unicodedata.category(c) != "Cf")
    return Decimal(seen) if is_number(seen) and math.isfinite(float(seen)) else seen


def imbalance_warning(name: str, counts: dict[str, int]) -> tuple[str, ...]:
    """Warn of a largest class that dwarfs the smallest."""
    largest = max(counts, key=lambda label: counts[label])
    smallest = min(counts, key=lambda label: counts[label])
    if counts[largest] < IMBALANCE_RATIO * counts[smallest]:
        return ()
    places = {label: place for place, label in enumerate(sorted(counts))}

    def side(label: str) -> tuple[ClassName, int]:
        return ClassName(label, places[label]), counts[label]

    return (remarks.imbalance(name, side(largest), side(smallest)),)
