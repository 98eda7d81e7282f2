"""Oddities of a dataset that are no errors: repeats, contradictions, overlap, imbalance."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from slp_core.data import remarks
from slp_core.data.table import Table
from slp_core.sentences import ClassName, class_names

_IMBALANCED = 8  # largest class over smallest, from which it is worth a remark


def content_warnings(
    table: Table, content_ids: NDArray[np.int64], labels: NDArray[np.str_], what: str = "text"
) -> Iterator[str]:
    """Warn of rows that repeat an earlier one, and of labels unlike the first of an equal input."""
    _, first, same = np.unique(content_ids, return_index=True, return_inverse=True)
    if len(first) == len(content_ids):
        return
    rows = np.stack([same, np.unique(labels, return_inverse=True)[1]])
    distinct = np.unique(rows, axis=1, return_index=True)[1]
    if len(distinct) < len(labels):
        again = np.setdiff1d(np.arange(len(labels)), distinct)
        yield remarks.duplicates(table.name, table.where(again))
    if len(unlike := np.flatnonzero(labels != labels[first][same])):
        yield remarks.contradictions(table.name, what, table.where(unlike))


def overlap_warning(
    name: str,
    content_ids: NDArray[np.int64],
    support_pool: NDArray[np.int64],
    query_pool: NDArray[np.int64],
) -> Iterator[str]:
    """Warn of test rows that are also among the training rows."""
    if n := int(np.isin(content_ids[support_pool], content_ids[query_pool]).sum()):
        yield remarks.overlap(name, n)


def alike_warning(name: str, classes: Sequence[str]) -> Iterator[str]:
    """Warn of classes that may be one, such as ``Good`` and ``good``, or ``1`` and ``01``."""
    first: dict[str | Decimal, int] = {}
    pairs = []
    for place, label in enumerate(classes):
        other = first.setdefault(_as_if_spelt_alike(label), place)
        if other != place:
            pairs.append((ClassName(classes[other], other), ClassName(label, place)))
    if pairs:
        yield remarks.alike_classes(name, pairs)


def _as_if_spelt_alike(label: str) -> str | Decimal:
    """A number's value, or a name's letters without case and invisible characters."""
    letters = unicodedata.normalize("NFKC", label).casefold()
    seen = "".join(c for c in letters if not c.isspace() and unicodedata.category(c) != "Cf")
    try:
        value = Decimal(seen)
    except InvalidOperation:
        return seen
    return value if value.is_finite() and "_" not in seen else seen


def imbalance_warning(name: str, labels: NDArray[np.str_]) -> Iterator[str]:
    classes, counts = np.unique(labels, return_counts=True)
    sizes = list(zip(class_names(classes), counts.tolist(), strict=True))
    largest, smallest = max(sizes, key=itemgetter(1)), min(sizes, key=itemgetter(1))
    if largest[1] >= _IMBALANCED * smallest[1]:
        yield remarks.imbalance(name, largest, smallest)
