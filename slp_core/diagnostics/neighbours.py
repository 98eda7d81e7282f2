"""Whom an example stands next to, under two encoders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from slp_core.markdown import named


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The nearest rows of an example, the nearest first.

    Attributes
    ----------
    rows : (k,) int array
    cosine : (k,) array
        Of the angle to the example, from -1 to 1.
    """

    rows: np.ndarray
    cosine: np.ndarray


@dataclass(frozen=True, eq=False)
class NeighboursTwice:
    """An example's nearest rows under two encoders.

    Attributes
    ----------
    names : (str, str)
        What the encoders are called.
    nearest : (Neighbours, Neighbours)
    classes : ((k,) tuple of str, (k,) tuple of str)
        Of the nearest rows.
    true_class : str or None
        The example's, where it is known.
    """

    names: tuple[str, str]
    nearest: tuple[Neighbours, Neighbours]
    classes: tuple[tuple[str, ...], tuple[str, ...]]
    true_class: str | None

    @property
    def shared(self) -> np.ndarray:
        """Rows in both lists."""
        return np.intersect1d(self.nearest[0].rows, self.nearest[1].rows)

    def sentence(self) -> str:
        """How many of each list are of one class, and how many rows stand in both."""
        k = len(self.nearest[0].rows)
        if not k:
            return "There is no other row to stand next to."
        counts = []
        for name, classes in zip(self.names, self.classes, strict=True):
            label, n = self._most(classes)
            if k == 1:
                counts.append(f"the nearest is {named(classes[0])} under {name}")
            else:
                verb = "is" if n == 1 else "are"
                counts.append(
                    f"{n or 'none'} of the {k} nearest {verb} {named(label)} under {name}"
                )
        n = len(self.shared)
        both = "none stands" if not n else "one stands" if n == 1 else f"{n} stand"
        first = f"It is {named(self.true_class)}: " if self.true_class is not None else ""
        text = f"{first}{counts[0]}, {counts[1]}; {both} in both lists."
        return text[0].upper() + text[1:]

    def _most(self, classes: tuple[str, ...]) -> tuple[str, int]:
        """The example's class, or the most common one where it has none, and its count."""
        if self.true_class is not None:
            return self.true_class, classes.count(self.true_class)
        return Counter(classes).most_common(1)[0]


def nearest_rows(
    x: np.ndarray, X: np.ndarray, rows: np.ndarray, n: int = 5, leave_out: int | None = None
) -> Neighbours:
    """The rows whose vectors have the smallest angle to a vector.

    Parameters
    ----------
    x : (d,) array
    X : (N, d) array
    rows : int array
        Which of them may be found.
    n : int
        How many.
    leave_out : int, optional
        A row that is not looked at: the example itself.
    """
    rows = rows[rows != leave_out] if leave_out is not None else rows
    lengths = np.linalg.norm(X[rows], axis=1) * np.linalg.norm(x)
    dots = (X[rows] @ x).astype(np.float64)
    cosine = np.divide(dots, lengths, out=np.zeros(len(rows)), where=lengths > 0)
    first = np.argsort(-cosine, kind="stable")[:n]
    return Neighbours(rows[first], np.clip(cosine[first], -1, 1))


def nearest_rows_twice(
    names: tuple[str, str],
    vectors: Sequence[np.ndarray],
    spaces: Sequence[np.ndarray],
    labels: np.ndarray,
    rows: Sequence[np.ndarray],
    n: int = 5,
    row: int | None = None,
) -> NeighboursTwice:
    """An example's nearest rows under two encoders.

    Parameters
    ----------
    names : (str, str)
        What the encoders are called.
    vectors : (d,) and (e,) arrays
        The example under both.
    spaces : (N, d) and (N, e) arrays
        The rows under both.
    labels : (N,) array of str
        Their classes.
    rows : sequence of int arrays
        Which of them may be found, in parts.
    n : int
        How many.
    row : int, optional
        The row that the example is, if it is one: it has its class, and is no neighbour of itself.
    """
    among = np.concatenate(rows)
    before, after = (
        nearest_rows(x, X, among, n, row) for x, X in zip(vectors, spaces, strict=True)
    )
    classes = (tuple(labels[before.rows].tolist()), tuple(labels[after.rows].tolist()))
    true_class = None if row is None else str(labels[row])
    return NeighboursTwice(names, (before, after), classes, true_class)
