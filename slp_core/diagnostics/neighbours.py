"""Whom an example stands next to, under two encoders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slp_core.facts import (
    ClassName,
    EncoderName,
    Fact,
    Facts,
    Listed,
    Stated,
    class_names,
    fact,
    noun,
)

_IN_BOTH = "; rows in both lists: {shared:,}."


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The nearest rows of an example, the nearest first."""

    rows: np.ndarray  # (k,)
    cosine: np.ndarray  # (k,)


@dataclass(frozen=True, eq=False)
class NeighboursTwice(Stated):
    """An example's nearest rows under two encoders."""

    names: tuple[str, str]
    classes: tuple[str, ...]
    nearest: tuple[Neighbours, Neighbours]
    labels: tuple[np.ndarray, np.ndarray]  # (k,)
    true: int | None
    n: int

    @property
    def shared(self) -> np.ndarray:
        """Rows in both lists."""
        return np.intersect1d(self.nearest[0].rows, self.nearest[1].rows)

    def facts(self) -> Facts:
        """How many of each list are of one class, and how many rows stand in both."""
        k, names = len(self.nearest[0].rows), class_names(self.classes)
        own: Facts = ()
        if self.true is not None:
            own = (fact("neighbours.own_class", "It is {own}.", own=names[self.true]),)
        if not k:
            none = fact("neighbours.none", "There is no other row to stand next to.")
            return (*own, none)
        before, after = map(EncoderName, self.names)
        shared = {"before": before, "after": after, "shared": len(self.shared)}
        if k == 1:
            first, second = (names[int(labels[0])] for labels in self.labels)
            which = "the same row" if len(self.shared) else "another row"
            template = (
                "The nearest is {first} under {before}, and " + which + ", {second}, under {after}."
            )
            return (*own, fact("neighbours.one", template, first=first, second=second, **shared))
        if self.true is not None:
            template = (
                "Of the {k:,} nearest, {first:,} under {before} and {second:,} under {after} are "
                "of that class" + _IN_BOTH
            )
            n_first, n_second = (int((labels == self.true).sum()) for labels in self.labels)
            counts = {"first": n_first, "second": n_second}
            told = fact("neighbours.of_own", template, k=k, **counts, **shared)
            return (*own, told)
        return (self._most_fact(names, k=k, **shared),)

    def row_facts(self, encoder: int, place: int) -> Facts:
        """One of the nearest rows: its class, its cosine, and whether both encoders have it."""
        near = self.nearest[encoder]
        label = class_names(self.classes)[int(self.labels[encoder][place])]
        in_both = bool(np.isin(near.rows[place], self.shared))
        template = "**{label}** · {cosine:.3f}"
        if in_both:
            template += " · :material/join_inner: in both lists"
        cosine, row = float(near.cosine[place]), int(near.rows[place])
        shared = {"label": label, "cosine": cosine, "row": row, "in_both": in_both}
        return (fact("neighbours.row", template, encoder=encoder, place=place, **shared),)

    def among_facts(self) -> Facts:
        """Where the nearest were looked for."""
        template = (
            "Among all {n:,} support and query points; cosine of the angle between the vectors."
        )
        return (fact("neighbours.among", template, n=self.n),)

    def _most_fact(self, names: tuple[ClassName, ...], **shared: Any) -> Fact:
        """Which classes have most of each list, all of them where several are level."""
        (first, n_first), (second, n_second) = (self._most(labels) for labels in self.labels)
        between = " and " if first == second else ", and {second} " + _has(second) + " "
        template = "Of the {k:,} nearest, {first} " + _has(first) + " {n_first:,}" + _each(first)
        template += " under {before}" + between + "{n_second:,}" + _each(second)
        template += " under {after}" + _IN_BOTH
        most = {
            "first": Listed([names[label] for label in first]),
            "second": Listed([names[label] for label in second]),
        }
        counts = {"n_first": n_first, "n_second": n_second}
        return fact("neighbours.most", template, **most, **counts, **shared)

    def _most(self, labels: np.ndarray) -> tuple[list[int], int]:
        """The classes of most of them, in class order, and how many each of these has."""
        counts = np.bincount(labels, minlength=len(self.classes))
        return np.flatnonzero(counts == counts.max()).tolist(), int(counts.max())


def _has(level: Sequence[int]) -> str:
    return noun(len(level), "has", "have")


def _each(level: Sequence[int]) -> str:
    return noun(len(level), "", " each")


def cut_by_facts(titles: Sequence[str]) -> Facts:
    """Which encoders have read only the beginning of a long text; at least one title."""
    names = Listed([EncoderName(title) for title in titles])
    verb = "reads" if len(titles) == 1 else "read"
    template = "The text is longer than {names} " + verb + ", and was cut."
    return (fact("neighbours.cut", template, names=names),)


def nearest_rows(
    x: np.ndarray, X: np.ndarray, rows: np.ndarray, n: int = 5, leave_out: int | None = None
) -> Neighbours:
    """The rows whose vectors have the smallest angle to a vector."""
    rows = rows[rows != leave_out] if leave_out is not None else rows
    x, among = np.asarray(x), np.asarray(X)[rows]
    lengths = np.linalg.norm(among, axis=1) * np.linalg.norm(x)
    dots = (among @ x).astype(np.float64)
    cosine = np.divide(dots, lengths, out=np.zeros(len(rows)), where=lengths > 0)
    first = np.argsort(-cosine, kind="stable")[:n]
    return Neighbours(rows[first], np.clip(cosine[first], -1, 1))


def nearest_rows_twice(
    names: tuple[str, str],
    classes: tuple[str, ...],
    vectors: Sequence[np.ndarray],
    spaces: Sequence[np.ndarray],
    y: np.ndarray,
    rows: Sequence[np.ndarray],
    n: int = 5,
    row: int | None = None,
) -> NeighboursTwice:
    """An example's nearest rows under two encoders."""
    among = np.concatenate(rows)
    before, after = (
        nearest_rows(x, X, among, n, row) for x, X in zip(vectors, spaces, strict=True)
    )
    labels = (y[before.rows], y[after.rows])
    true = None if row is None else int(y[row])
    return NeighboursTwice(names, classes, (before, after), labels, true, len(among))
