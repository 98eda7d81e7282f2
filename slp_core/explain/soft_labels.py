"""The soft labels of a fitted method, and whether Theorem 1 holds for them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import softmax

from slp_core.errors import SLPError
from slp_core.lines import Line
from slp_core.methods.protocols import (
    ConstantSoftLabels,
    HasLines,
    HasProbabilities,
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
    def known(self) -> bool:
        """Whether there is a soft label: one of a line without examples may depend on them."""
        return not np.isnan(self.mean).any()

    @property
    def exception(self) -> tuple[int, int] | None:
        """Classes that break Theorem 1 most: one, and one further away with more weight."""
        mean = self.mean[list(self.order)]
        rises = np.where(_further(self.distance), mean - mean[:, None], 0.0)
        i, j = divmod(int(rises.argmax()), len(self.order))
        return (self.order[i], self.order[j]) if rises[i, j] > _TOLERANCE else None


@dataclass(frozen=True, eq=False)
class SoftLabels:
    method: str
    classes: tuple[str, ...]
    lines: tuple[Line, ...]
    prototypes: tuple[Prototype, ...]
    constant: bool

    @property
    def at_class(self) -> dict[int, Prototype]:
        """The prototype at each class that ends a line: a class is on one line, so there is one."""
        return {prototype.at: prototype for prototype in self.prototypes}

    @property
    def ordered(self) -> tuple[Prototype, ...]:
        """Those that Theorem 1 is about: with classes at different distances."""
        return tuple(one for one in self.prototypes if one.distance[-1] > 0 and one.known)


def read_soft_labels(model: HasProbabilities, method: str, X: np.ndarray) -> SoftLabels:
    check_fitted(model)
    if not isinstance(model, HasLines):
        raise SLPError(f"{method} has no prototypes, so it has no soft labels.")
    names = tuple(str(c) for c in model.classes_)
    assigned = np.zeros(0, dtype=np.int64)
    constant = model.soft_labels_ if isinstance(model, ConstantSoftLabels) else None
    at_points = np.empty((0, 2, len(names)))
    if constant is None and len(X):
        assigned = model.place(X).line
        at_points = softmax(model.prototype_scores(X, assigned), axis=2)
    found = []
    one_place = _ONE_PLACE * float(np.abs(model.prototypes_).max())
    for number, line in enumerate(model.lines_):
        for side in range(2 if len(line.classes) > 1 else 1):
            labels = at_points[assigned == number, side]
            if constant is not None:
                labels = constant[number, side][None]
            found.append(_prototype(number, side, line, labels, one_place))
    return SoftLabels(method, names, tuple(model.lines_), tuple(found), constant is not None)


def soft_labels_at(labels: SoftLabels, model: HasLines, x: np.ndarray) -> dict[int, np.ndarray]:
    """Soft labels (K,) that depend on the example, at one example, by the class of the end."""
    if labels.constant:
        return {}
    model, X = nameless(model), np.asarray(x, dtype=np.float64)[None]
    line = int(model.place(X).line[0])
    here = softmax(model.prototype_scores(X)[0], axis=1)
    return {one.at: here[one.side] for one in labels.prototypes if one.line == line}


def soft_labels_at_prototypes(model: HasLines) -> np.ndarray:
    """(L, 2, K) constant soft labels as they are, others as they are at the prototype itself."""
    if isinstance(model, ConstantSoftLabels):
        return model.soft_labels_
    n_lines, _, d = model.prototypes_.shape
    lines, sides = np.divmod(np.arange(2 * n_lines), 2)
    logits = nameless(model).prototype_scores(model.prototypes_.reshape(-1, d), lines)
    labels: np.ndarray = softmax(logits[np.arange(2 * n_lines), sides], axis=1)
    return labels.reshape(n_lines, 2, -1)


def soft_label_array(labels: SoftLabels) -> np.ndarray:
    """(L, 2, K) mean soft labels; where no point is assigned to a line, hard labels."""
    array = np.empty((len(labels.lines), 2, len(labels.classes)))
    for one in labels.prototypes:  # A is followed by B, where there is one
        label = one.mean if one.known else np.eye(len(labels.classes))[one.at]
        array[one.line, one.side :] = label
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
