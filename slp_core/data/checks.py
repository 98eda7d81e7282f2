"""Oddities of a dataset that are no errors: repeats, contradictions, overlap, imbalance."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from slp_core.data import remarks
from slp_core.data.table import Table
from slp_core.sentences import ClassName, class_names

_IMBALANCED = 8  # largest class over smallest, from which it is worth a remark


def oddities(
    table: Table,
    content_ids: NDArray[np.int64],
    labels: NDArray[np.str_],
    what: str = "text",
    learnt: NDArray[np.int64] | None = None,
    tested: NDArray[np.int64] | None = None,
) -> Iterator[str]:
    """What is odd in a table, and in rows after its own that are learnt from."""
    name, n = table.name, len(table)
    classes, y, counts = np.unique(labels[:n], return_inverse=True, return_counts=True)
    _, first, same = np.unique(content_ids[:n], return_index=True, return_inverse=True)
    distinct = np.unique(same * len(classes) + y, return_index=True)[1]
    if len(again := np.setdiff1d(np.arange(n), distinct)):
        yield remarks.duplicates(name, table.where(again))
    if len(unlike := np.flatnonzero(y != y[first][same])):
        yield remarks.contradictions(name, what, table.where(unlike))
    if learnt is not None and (shared := np.isin(content_ids[learnt], content_ids[tested])).any():
        yield remarks.overlap(name, int(shared.sum()))
    if pairs := _alike(class_names(np.unique(labels))):
        yield remarks.alike_classes(name, pairs)
    sizes = list(zip(class_names(classes), counts.tolist(), strict=True))
    largest, smallest = max(sizes, key=itemgetter(1)), min(sizes, key=itemgetter(1))
    if largest[1] >= _IMBALANCED * smallest[1]:
        yield remarks.imbalance(name, largest, smallest)


def _alike(classes: Sequence[ClassName]) -> list[tuple[ClassName, ClassName]]:
    """Pairs such as ``Good`` and ``good``, or with an invisible character."""
    first: dict[str, ClassName] = {}
    pairs = [(first.setdefault(_letters(name), name), name) for name in classes]
    return [(one, other) for one, other in pairs if one != other]


def _letters(label: str) -> str:
    """What is seen of a name, without its case."""
    letters = unicodedata.normalize("NFKC", label).casefold()
    return "".join(c for c in letters if not c.isspace() and unicodedata.category(c) != "Cf")
