"""Rows that cannot be examples: without a class, a text or a number, or of a tiny class."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from slp_core.data import remarks
from slp_core.data.columns import Columns, all_truths
from slp_core.data.layouts import SEVERAL
from slp_core.data.table import Table, as_text, is_filled

_NO_CLASS = {"", "nan", "#n/a", "<na>", "nat", "unlabeled", "unlabelled"}
_MAYBE_NO_CLASS = {"none", "null", "n/a", "na", "?", "unknown"}  # or a class that is called so
_BETWEEN = re.compile("[|;,]")
_WHOLE = re.compile(r"[+-]?[0-9]+(\.0+)?")


def without_gaps(
    table: Table,
    columns: Columns,
    *,
    drop_unlabelled: bool | None,
    drop_incomplete: bool,
    min_class_rows: int,
) -> Table:
    """A table without the rows that are to be left out; its remarks say which ones."""
    assert columns.label is not None
    labels = [as_text(cell).strip() for cell in table.columns[columns.label]]
    told: list[str] = []
    dropped: set[int] = set()

    def drop(rows: Sequence[int], what: str) -> None:
        new = [row for row in rows if row not in dropped]
        if new:
            dropped.update(new)
            told.append(remarks.left_out_rows(table.name, what, table.where(new)))

    if drop_unlabelled is not False:
        drop(_unlabelled(labels), "without a class")
    drop(_several(labels), "with several labels")
    maybe = _maybe_unlabelled(labels)
    if drop_unlabelled:
        drop(maybe, "without a class")
    elif drop_unlabelled is None and maybe:
        told.append(remarks.maybe_no_class(table.name, labels[maybe[0]], len(maybe)))
    if drop_incomplete:
        drop(_incomplete(table, columns), "with an empty cell")
    if min_class_rows > 1:
        counts = Counter(label for i, label in enumerate(labels) if i not in dropped)
        rare = [i for i, label in enumerate(labels) if counts[label] < min_class_rows]
        drop(rare, f"of classes with fewer than {min_class_rows} examples")
    if dropped:
        table = table.take([row for row in range(len(table)) if row not in dropped])
    return replace(table, warnings=(*table.warnings, *told))


def _unlabelled(labels: Sequence[str]) -> list[int]:
    found = [i for i, label in enumerate(labels) if label.casefold() in _NO_CLASS]
    words = {label for label in labels if label.casefold() not in _NO_CLASS and label != "-"}
    if words and all(len(word) > 1 and not _WHOLE.fullmatch(word) for word in words):
        found += [i for i, label in enumerate(labels) if label == "-"]
    return sorted(found)


def _maybe_unlabelled(labels: Sequence[str]) -> list[int]:
    """Rows with "None", or with -1 beside 0 and 1: it may be a class."""
    words = _MAYBE_NO_CLASS
    others = {label for label in labels if label.casefold() not in _NO_CLASS}
    if {"-1", "0", "1"} <= others and all(map(_WHOLE.fullmatch, others)):
        words = {"-1"}
    return [i for i, label in enumerate(labels) if label.casefold() in words]


def _several(labels: Sequence[str]) -> list[int]:
    """Rows whose label is a list of others', such as ``a | b``."""
    single = {label for label in labels if not _BETWEEN.search(label)}
    found = []
    for i, label in enumerate(labels):
        parts = [part.strip() for part in _BETWEEN.split(label)]
        if SEVERAL in label or (len(parts) > 1 and set(parts) <= single):
            found.append(i)
    return found


def _incomplete(table: Table, columns: Columns) -> list[int]:
    if columns.kind == "numeric":
        empty = np.zeros(len(table), dtype=bool)
        for name in columns.features:
            if not all_truths(table.columns[name]):
                values = table.numbers(name).values
                blank = [not is_filled(cell) for cell in table.columns[name]]
                nan = [value is not None and not np.isfinite(value) for value in values]
                empty |= np.array(blank) | np.array(nan)
        return np.flatnonzero(empty).tolist()
    read = [columns.text, columns.text2, columns.mention]
    texts = [table.columns[name] for name in read if name is not None]
    return [i for i, row in enumerate(zip(*texts, strict=True)) if not all(map(is_filled, row))]
