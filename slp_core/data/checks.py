"""What is odd in a dataset but no error: repeats, contradictions, overlap, imbalance and more."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slp_core.data.limits import IMBALANCE_RATIO
from slp_core.data.table import Places, is_number
from slp_core.facts import ClassName, Facts, Listed, Verbatim, fact

_PAIRS_NAMED = 3

Where = Callable[[Sequence[int]], Places]
"""Says where rows (positions) stand in their file."""


def content_warnings(
    name: str,
    content_ids: NDArray[np.int64],
    labels: NDArray[np.str_],
    where: Where,
    *,
    what: str = "text",
) -> Facts:
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
    file = Verbatim(name)
    told: Facts = ()
    if repeats:
        n = len(repeats)
        rows = "{n:,} row repeats an earlier one" if n == 1 else "{n:,} rows repeat earlier ones"
        template = "{file} has duplicates: " + rows + " in {where}."
        told += (fact("data.repeats", template, file=file, n=n, where=where(repeats)),)
    if contradictions:
        n = len(contradictions)
        template = "{file} has the same {what} under several labels: {where} "
        template += "disagrees" if n == 1 else "disagree"
        template += " with the first of them."
        at = where(contradictions)
        told += (fact("data.contradictions", template, file=file, what=what, n=n, where=at),)
    return told


def overlap_warning(
    name: str,
    content_ids: NDArray[np.int64],
    support_pool: NDArray[np.int64],
    query_pool: NDArray[np.int64],
) -> Facts:
    """Warn of rows to be judged on that also stand among the rows to learn from."""
    n = int(np.isin(content_ids[support_pool], content_ids[query_pool]).sum())
    if not n:
        return ()
    rows = "{n:,} training row also stands" if n == 1 else "{n:,} training rows also stand"
    template = "In {file} " + rows + " in the test rows, so accuracy may flatter a method."
    return (fact("data.overlap", template, file=Verbatim(name), n=n),)


def alike_warning(name: str, classes: Sequence[str]) -> Facts:
    """Warn of classes that may be one, such as ``Good`` and ``good``, or ``1`` and ``01``."""
    first: dict[str | Decimal, int] = {}
    pairs = []
    for place, label in enumerate(classes):
        other = first.setdefault(_as_if_spelt_alike(label), place)
        if other != place:
            pairs.append((ClassName(classes[other], other), ClassName(label, place)))
    if not pairs:
        return ()
    each = [fact("data.alike", "{a} beside {b}", a=a, b=b) for a, b in pairs[:_PAIRS_NAMED]]
    template = "Names of classes in {file} differ by no more than case, blanks or the spelling of a"
    template += " number: {pairs}; write those alike that are one class."
    listed = Listed(each, len(pairs) - len(each))
    return (fact("data.alike_names", template, file=Verbatim(name), pairs=listed),)


def _as_if_spelt_alike(label: str) -> str | Decimal:
    """A number's value, or a name's letters, whatever their case and what does not show."""
    letters = unicodedata.normalize("NFKC", label).casefold()
    seen = "".join(c for c in letters if not c.isspace() and unicodedata.category(c) != "Cf")
    return Decimal(seen) if is_number(seen) and math.isfinite(float(seen)) else seen


def imbalance_warning(name: str, counts: dict[str, int]) -> Facts:
    """Warn of a largest class that dwarfs the smallest."""
    largest = max(counts, key=lambda label: counts[label])
    smallest = min(counts, key=lambda label: counts[label])
    if counts[largest] < IMBALANCE_RATIO * counts[smallest]:
        return ()
    places = {label: place for place, label in enumerate(sorted(counts))}
    told = fact(
        "data.imbalance",
        "{file} is strongly imbalanced ({most:,} rows of {largest} against {least:,} of "
        "{smallest}): read macro F{one} beside accuracy.",
        file=Verbatim(name),
        most=counts[largest],
        largest=ClassName(largest, places[largest]),
        least=counts[smallest],
        smallest=ClassName(smallest, places[smallest]),
        one=1,
    )
    return (told,)
