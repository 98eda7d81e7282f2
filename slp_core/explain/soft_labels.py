"""The soft labels of a fitted method, and whether Theorem 1 holds for them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import softmax

from slp_core.errors import SLPError
from slp_core.explain.predictions import Predictions
from slp_core.lines import Line
from slp_core.methods.protocols import (
    HasLines,
    HasProbabilities,
    has_constant_soft_labels,
    has_lines,
    has_local_soft_labels,
)
from slp_core.methods.tables import check_fitted, nameless

SIDES = ("A", "B")
_TOLERANCE = 1e-6  # of the linear programme's solver: a smaller rise is none
_ONE_PLACE = 1e-12  # of the coordinates: centroids so near each other differ by rounding


@dataclass(frozen=True, eq=False)
class Prototype:
    """One prototype, and its soft label on L lines of K classes."""

    line: int
    side: int
    at: int
    order: tuple[int, ...]
    distance: np.ndarray  # (n,)
    mean: np.ndarray  # (K,)
    std: np.ndarray  # (K,)
    falls: float

    @property
    def largest_first(self) -> tuple[int, ...]:
        """The classes on the line, those with most weight first."""
        return tuple(sorted(self.order, key=lambda c: -self.mean[c]))

    @property
    def off_line(self) -> float:
        """The (mean) share of classes that are not on the line."""
        return float(1.0 - self.mean[list(self.order)].sum())


@dataclass(frozen=True, eq=False)
class SoftLabels:
    """The soft labels of a fitted method."""

    method: str
    classes: tuple[str, ...]
    lines: tuple[Line, ...]
    prototypes: tuple[Prototype, ...]
    constant: bool

    @property
    def at_class(self) -> dict[int, Prototype]:
        """The prototype at each class that ends a line: a class is on one line, so there is one."""
        return {prototype.at: prototype for prototype in self.prototypes}

    def theorem1(self) -> tuple[Theorem1, ...]:
        """What Theorem 1 is about, at every prototype with classes at different distances."""
        return tuple(
            _theorem1(self, prototype)
            for prototype in self.prototypes
            if prototype.distance[-1] > 0 and not np.isnan(prototype.mean).any()
        )


@dataclass(frozen=True, eq=False)
class Theorem1:
    """Theorem 1 at one prototype: closer classes get more weight; where not, (closer, further)."""

    classes: tuple[str, ...]
    prototype: Prototype
    constant: bool
    exception: tuple[int, int] | None

    @property
    def holds(self) -> bool:
        """Whether the soft label never rises with the distance."""
        return self.exception is None


@dataclass(frozen=True, eq=False)
class SoftLabelEdit:
    """A method's predictions, those of its soft labels held constant, and those of edited ones."""

    method: Predictions
    constant: bool
    before: Predictions
    now: Predictions
    touched: bool

    @property
    def changed(self) -> int:
        """How many predictions the edit has changed."""
        return int(np.count_nonzero(self.now.predicted != self.before.predicted))


def read_soft_labels(model: HasProbabilities, method: str, X: np.ndarray) -> SoftLabels:
    """Read the soft labels of every prototype off a fitted classifier."""
    check_fitted(model)
    if not has_lines(model):
        raise SLPError(f"{method} has no prototypes, so it has no soft labels.")
    names = tuple(str(c) for c in model.classes_)
    assigned = model.place(X).line if len(X) else np.zeros(0, dtype=np.int64)
    constant = model.soft_labels_ if has_constant_soft_labels(model) else None
    at_points = None
    if has_local_soft_labels(model) and len(X):
        at_points = softmax(model.prototype_scores(X, assigned), axis=2)
    found = []
    one_place = _ONE_PLACE * float(np.abs(model.prototypes_).max())
    for number, line in enumerate(model.lines_):
        for side in range(2 if len(line.classes) > 1 else 1):
            if constant is not None:
                labels = constant[number, side][None]
            elif at_points is None:
                labels = np.empty((0, len(names)))
            else:
                labels = at_points[assigned == number, side]
            found.append(_prototype(number, side, line, labels, one_place))
    return SoftLabels(method, names, tuple(model.lines_), tuple(found), constant is not None)


def soft_labels_at(model: HasLines, x: np.ndarray) -> tuple[int, np.ndarray]:
    """The line that a point is assigned to, and (2, K) the soft labels there."""
    model, X = nameless(model), np.asarray(x, dtype=np.float64)[None]
    line = int(model.place(X).line[0])
    labels = model.prototype_scores(X)[0]
    return line, softmax(labels, axis=1) if has_local_soft_labels(model) else labels


def soft_labels_at_prototypes(model: HasLines) -> np.ndarray:
    """(L, 2, K) constant soft labels as they are, others as they are at the prototype itself."""
    if has_constant_soft_labels(model):
        return model.soft_labels_
    n_lines, _, d = model.prototypes_.shape
    lines, sides = np.divmod(np.arange(2 * n_lines), 2)
    logits = nameless(model).prototype_scores(model.prototypes_.reshape(-1, d), lines)
    labels: np.ndarray = softmax(logits[np.arange(2 * n_lines), sides], axis=1)
    return labels.reshape(n_lines, 2, -1)


def soft_label_array(labels: SoftLabels) -> np.ndarray:
    """(L, 2, K) mean soft labels; where no point is assigned to a line, hard labels."""
    array = np.empty((len(labels.lines), 2, len(labels.classes)))
    for one in labels.prototypes:
        known = not np.isnan(one.mean).any()
        sides: int | slice = slice(None) if len(one.order) == 1 else one.side
        array[one.line, sides] = one.mean if known else np.eye(len(labels.classes))[one.at]
    return array


def _prototype(
    number: int, side: int, line: Line, labels: np.ndarray, one_place: float
) -> Prototype:
    """A prototype from (p, K) soft labels, one row a point; a line so short has no distances."""
    order = line.classes if side == 0 else line.classes[::-1]
    along = line.positions if side == 0 else (line.length - line.positions)[::-1]
    if line.length <= one_place:
        along = np.zeros_like(along)
    n_classes = labels.shape[1]
    unknown = np.full(n_classes, np.nan)
    return Prototype(
        number,
        side,
        order[0],
        order,
        along,
        labels.mean(axis=0) if len(labels) else unknown,
        labels.std(axis=0) if len(labels) else unknown,
        float((_greatest_rise(labels[:, order], along) <= _TOLERANCE).mean())
        if len(labels)
        else np.nan,
    )


def _further(distance: np.ndarray) -> np.ndarray:
    """(n, n) bool: whether class j is further away than class i."""
    further: np.ndarray = distance > distance[:, None] + 1e-12 * max(distance.max(), 1e-300)
    return further


def _greatest_rise(labels: np.ndarray, distance: np.ndarray) -> np.ndarray:
    """(p,) by how much a class has more than one that is nearer, at most; 0 where none has."""
    columns, rise = np.ascontiguousarray(labels.T), np.zeros(len(labels))
    for i, j in zip(*np.nonzero(_further(distance)), strict=True):
        np.maximum(rise, columns[j] - columns[i], out=rise)
    return rise


def _theorem1(labels: SoftLabels, one: Prototype) -> Theorem1:
    mean = one.mean[list(one.order)]
    rises = np.where(_further(one.distance), mean - mean[:, None], 0.0)
    i, j = divmod(int(rises.argmax()), len(one.order))
    worst = (one.order[i], one.order[j]) if rises[i, j] > _TOLERANCE else None
    return Theorem1(labels.classes, one, labels.constant, worst)
