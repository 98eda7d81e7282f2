"""How one example is predicted, from its vector on, number by number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from slp_core.explain.places import along_line
from slp_core.explain.point import PointReading, nearness, read_point
from slp_core.lines import Line, distances
from slp_core.methods.protocols import HasLines
from slp_core.methods.tables import nameless


@dataclass(frozen=True, eq=False)
class Way:
    """All numbers of one prediction; distances are in units of the embeddings."""

    reading: PointReading
    vector: np.ndarray  # (d,)
    lines: tuple[Line, ...]
    nearness: np.ndarray  # (L,) distances that the line is chosen by
    distances: Mapping[str, np.ndarray]  # (2,) from prototypes A and B, by the rule for distances
    rule: str  # of the method
    unit: float  # of distances in the class scores

    @property
    def line(self) -> Line:
        assert self.reading.line is not None
        return self.lines[self.reading.line]

    @property
    def classes(self) -> tuple[int, ...]:
        """Classes that can have a score, the most probable first."""
        scores = self.reading.influence
        some = scores != 0
        some[list(self.reading.line_classes)] = True
        order = np.argsort(-self.reading.probability, kind="stable")
        return tuple(
            int(k) for k in order if np.isfinite(scores[k]) and (some[k] or self.reading.local)
        )


def way_of(model: HasLines, x: np.ndarray, centroids: np.ndarray, true: int | None = None) -> Way:
    """Trace one vector (d,) through a method with lines; centroids (K, d) of the support set."""
    reading, model = read_point(model, x, centroids, true), nameless(model)
    X = np.asarray(x, dtype=np.float64)[None, :]
    at = model.place(X)
    full = distances(X, model.prototypes_[int(at.line[0])])[0]
    away = {
        "euclidean": np.maximum(full, model.distance_floor),
        "along_line": np.concatenate(along_line(model, at)),
    }
    off = nearness(model, X, at.segment_distance[0])
    return Way(reading, X[0], model.lines_, off, away, model.distance, model.distance_unit)
