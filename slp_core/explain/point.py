"""One prediction taken apart: soft label ÷ distance, prototype by prototype."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from slp_core.explain.bands import Bands, winning_bands
from slp_core.explain.places import weight_along
from slp_core.explain.predictions import TIE
from slp_core.lines import distances
from slp_core.methods.protocols import (
    HasLines,
    HasProbabilities,
    has_local_soft_labels,
    predicts_from_lines,
)
from slp_core.methods.tables import check_fitted, nameless

_NOWHERE, _NO_BANDS = float("nan"), Bands((), (0.0, 1.0))


@dataclass(frozen=True, eq=False)
class PointReading:
    """One prediction taken apart."""

    classes: tuple[str, ...]
    true: int | None
    predicted: int
    probability: np.ndarray  # (K,)
    centroid_distance: np.ndarray  # (K,)
    assignment: str = "segment"
    line: int | None = None
    line_classes: tuple[int, ...] = ()
    soft_labels: np.ndarray = field(default_factory=lambda: np.empty((2, 0)))  # (2, K)
    distances: np.ndarray = field(default_factory=lambda: np.full(2, np.nan))  # (2,)
    w: float = _NOWHERE
    t: float = _NOWHERE
    r: float = _NOWHERE
    length: float = _NOWHERE
    along: float = _NOWHERE
    runner_up: int | None = None
    lead: float = _NOWHERE
    bands: Bands = _NO_BANDS
    local: bool = False

    @property
    def parts(self) -> np.ndarray:
        """(2, K) what prototypes A and B give to each class."""
        return self.soft_labels / self.distances[:, None]

    @property
    def influence(self) -> np.ndarray:
        """(K,) class scores: the sum of both parts; −∞ for a class that is barred."""
        total: np.ndarray = self.parts.sum(axis=0)
        return total

    @property
    def nearest(self) -> tuple[int, ...]:
        """Classes by the distance of their centroids, the nearest first."""
        return tuple(int(c) for c in np.argsort(self.centroid_distance, kind="stable"))

    @property
    def nearest_alike(self) -> tuple[int, ...]:
        """Classes whose centroid is the nearest, to rounding: one, but for ties."""
        least = self.centroid_distance[self.nearest[0]]
        reach = least + TIE * float(self.centroid_distance.max())
        return tuple(c for c in self.nearest if self.centroid_distance[c] <= reach)


def read_point(
    model: HasProbabilities, x: np.ndarray, centroids: np.ndarray, true: int | None = None
) -> PointReading:
    """Take one prediction (d,) apart (equation 1), given centroids (K, d) of the support set."""
    check_fitted(model)
    model, X = nameless(model), np.asarray(x, dtype=np.float64)[None, :]
    names = tuple(str(c) for c in model.classes_)
    probability = model.predict_proba(X)[0]
    away = distances(X, centroids)[0]
    if not predicts_from_lines(model):
        return PointReading(names, true, int(probability.argmax()), probability, away)
    at = model.place(X)
    labels = model.prototype_scores(X, at.line)[0]
    number = int(at.line[0])
    line = model.lines_[number]
    off = nearness(model, X, at.segment_distance[0])
    others = np.delete(np.arange(len(off)), number)
    runner_up = int(others[off[others].argmin()]) if len(others) else None
    return PointReading(
        names,
        true,
        int(probability.argmax()),
        probability,
        away,
        assignment=model.assignment,
        line=number,
        line_classes=line.classes,
        soft_labels=labels,
        distances=np.array([at.d_left[0], at.d_right[0]]) / model.distance_unit,
        w=float(at.w[0]),
        t=float(at.t[0]),
        r=float(at.r[0]),
        length=line.length,
        along=float(weight_along(model, at)[0]),
        runner_up=runner_up,
        lead=0.0 if runner_up is None else max(0.0, float(off[runner_up] - off[number])),
        bands=winning_bands(*labels),
        local=has_local_soft_labels(model),
    )


def nearness(model: HasLines, X: np.ndarray, segment_distance: np.ndarray) -> np.ndarray:
    """(L,) what the line is chosen by: the distance of its segment, or of its nearer prototype."""
    if model.assignment == "segment":
        return segment_distance
    ends = model.prototypes_.reshape(-1, X.shape[1])
    return distances(X, ends)[0].reshape(-1, 2).min(axis=1)
