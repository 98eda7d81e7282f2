"""One prediction taken apart: soft label ÷ distance, prototype by prototype."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from slp_core.explain.bands import Bands, winning_bands
from slp_core.explain.places import along_line
from slp_core.explain.predictions import TIE
from slp_core.lines import Line, distances
from slp_core.methods.protocols import (
    HasProbabilities,
    has_local_soft_labels,
    predicts_from_lines,
)
from slp_core.methods.tables import check_fitted, nameless

_NOWHERE, _NO_BANDS = float("nan"), Bands((), (0.0, 1.0))
_RULES = ("euclidean", "along_line")


@dataclass(frozen=True, eq=False)
class PointReading:
    """One prediction taken apart; without lines, its probabilities and centroids."""

    vector: np.ndarray  # (d,)
    classes: tuple[str, ...]
    true: int | None
    predicted: int
    probability: np.ndarray  # (K,)
    centroid_distance: np.ndarray  # (K,)
    lines: tuple[Line, ...] = ()
    nearness: np.ndarray = field(default_factory=lambda: np.empty(0))  # (L,)
    line: int | None = None
    t: float = _NOWHERE
    r: float = _NOWHERE
    assignment: str = "segment"
    rule: str = "euclidean"  # for distances, of the method
    away: Mapping[str, np.ndarray] = field(
        default_factory=lambda: dict.fromkeys(_RULES, np.full(2, np.nan))
    )
    """By rule, (2,) distances from prototypes A and B."""
    unit: float = 1.0  # of distances in the class scores
    soft_labels: np.ndarray = field(default_factory=lambda: np.empty((2, 0)))  # (2, K)
    bands: Bands = _NO_BANDS
    local: bool = False

    @property
    def line_classes(self) -> tuple[int, ...]:
        return () if self.line is None else self.lines[self.line].classes

    @property
    def length(self) -> float:
        return _NOWHERE if self.line is None else self.lines[self.line].length

    @property
    def distances(self) -> np.ndarray:
        """(2,) from prototypes A and B, as class scores have them."""
        return self.away[self.rule] / self.unit

    @property
    def w(self) -> float:
        return _weight(self.away[self.rule])

    @property
    def along(self) -> float:
        """W of the projection onto the line."""
        return _weight(self.away["along_line"])

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

    @property
    def runner_up(self) -> int | None:
        if len(self.lines) < 2:
            return None
        others = self.nearness.copy()
        others[self.line] = np.inf
        return int(others.argmin())

    @property
    def lead(self) -> float:
        """How much further away the next nearest line is."""
        if self.runner_up is None:
            return 0.0
        return max(0.0, float(self.nearness[self.runner_up] - self.nearness[self.line]))

    @property
    def scored(self) -> tuple[int, ...]:
        """Classes that can have a score, the most probable first."""
        scores = self.influence
        some = scores != 0
        some[list(self.line_classes)] = True
        order = np.argsort(-self.probability, kind="stable")
        return tuple(int(k) for k in order if np.isfinite(scores[k]) and (some[k] or self.local))


def read_point(
    model: HasProbabilities, x: np.ndarray, centroids: np.ndarray, true: int | None = None
) -> PointReading:
    """Take one prediction (d,) apart (equation 1), given centroids (K, d) of the support set."""
    check_fitted(model)
    model, X = nameless(model), np.asarray(x, dtype=np.float64)[None, :]
    names = tuple(str(c) for c in model.classes_)
    probability = model.predict_proba(X)[0]
    to_centroids = distances(X, centroids)[0]
    found = PointReading(X[0], names, true, int(probability.argmax()), probability, to_centroids)
    if not predicts_from_lines(model):
        return found
    at = model.place(X)
    labels, number = model.prototype_scores(X, at.line)[0], int(at.line[0])
    to_ends = distances(X, model.prototypes_.reshape(-1, X.shape[1]))[0].reshape(-1, 2)
    both = np.maximum(to_ends[number], model.distance_floor), np.concatenate(along_line(model, at))
    return replace(
        found,
        lines=model.lines_,
        nearness=at.segment_distance[0] if model.assignment == "segment" else to_ends.min(axis=1),
        line=number,
        t=float(at.t[0]),
        r=float(at.r[0]),
        assignment=model.assignment,
        rule=model.distance,
        away=dict(zip(_RULES, both, strict=True))
        | {model.distance: np.concatenate([at.d_left, at.d_right])},
        unit=model.distance_unit,
        soft_labels=labels,
        bands=winning_bands(*labels),
        local=has_local_soft_labels(model),
    )


def _weight(away: np.ndarray) -> float:
    return float(away[1] / away.sum())
