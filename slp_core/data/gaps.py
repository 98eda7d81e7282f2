"""Rows that cannot be examples: without a class, a text or a number, or of a tiny class."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from slp_core.data import remarks
from slp_core.data.columns import WHOLE, Columns
from slp_core.data.layouts import SEVERAL
from slp_core.data.table import Table, as_text, is_filled

_NO_CLASS = {"", "nan", "#n/a", "<na>", "nat", "unlabeled", "unlabelled"}
_MAYBE_NO_CLASS = {"none", "null", "n/a", "na", "?", "unknown"}  # or a class that is called so
_BETWEEN = re.compile("[|;,]")


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
    left, told = np.ones(len(table), dtype=bool), list[str]()

    def drop(bad: Sequence[bool] | NDArray[np.bool_], what: str) -> None:
        rows = np.flatnonzero(left & np.array(bad))
        left[rows] = False
        if len(rows):
            told.append(remarks.left_out_rows(table.name, what, table.where(rows)))

    unlabelled, maybe = np.array(_unlabelled(labels)), np.array(_maybe_unlabelled(labels))
    if drop_unlabelled is not False:
        drop(unlabelled | maybe if drop_unlabelled else unlabelled, "without a class")
    drop(_several(labels), "with several labels")
    if drop_unlabelled is None and maybe.any():
        told.append(remarks.maybe_no_class(table.name, labels[maybe.argmax()], int(maybe.sum())))
    if drop_incomplete:
        drop(_incomplete(table, columns), "with an empty cell")
    if min_class_rows > 1:
        counts = Counter(label for label, is_left in zip(labels, left, strict=True) if is_left)
        rare = [counts[label] < min_class_rows for label in labels]
        drop(rare, f"of classes with fewer than {min_class_rows} examples")
    if not left.all():
        table = table.take(np.flatnonzero(left).tolist())
    return replace(table, warnings=(*table.warnings, *told))


def _unlabelled(labels: Sequence[str]) -> list[bool]:
    words = {label for label in labels if label.casefold() not in _NO_CLASS and label != "-"}
    names = words and all(len(word) > 1 and not WHOLE.fullmatch(word) for word in words)
    return [label.casefold() in _NO_CLASS or bool(names and label == "-") for label in labels]


def _maybe_unlabelled(labels: Sequence[str]) -> list[bool]:
    """Of rows with "None", or with -1 beside 0 and 1: it may be a class."""
    words = _MAYBE_NO_CLASS
    others = {label for label in labels if label.casefold() not in _NO_CLASS}
    if {"-1", "0", "1"} <= others and all(map(WHOLE.fullmatch, others)):
        words = {"-1"}
    return [label.casefold() in words for label in labels]


def _several(labels: Sequence[str]) -> list[bool]:
    """Of rows whose label is a list of others', such as ``a | b``."""
    single = {label for label in labels if not _BETWEEN.search(label)}
    parts = [[part.strip() for part in _BETWEEN.split(label)] for label in labels]
    return [
        SEVERAL in label or (len(each) > 1 and set(each) <= single)
        for label, each in zip(labels, parts, strict=True)
    ]


def _incomplete(table: Table, columns: Columns) -> NDArray[np.bool_]:
    empty = np.zeros(len(table), dtype=bool)
    numeric, texts = columns.kind == "numeric", (columns.text, columns.text2, columns.mention)
    for name in columns.features if numeric else [each for each in texts if each is not None]:
        empty |= [not is_filled(cell) for cell in table.columns[name]]
        if numeric:
            values = table.numbers(name).values
            empty |= [value is not None and not np.isfinite(value) for value in values]
    return empty
