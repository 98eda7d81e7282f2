"""A map's contents from a fitted model and a picture: everything put where it is drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import softmax

from slp_core.figures.map.data import MapData, MapPoints
from slp_core.methods.protocols import HasLines, answers_from_lines, has_local_soft_labels
from slp_core.views import Landscape, Projection

_BENDS = 24  # places along a line's path where the picture bends it


def map_of(
    model: object,
    projection: Projection,
    landscape: Landscape | None,
    classes: tuple[str, ...],
    centroids: np.ndarray,
    support: MapPoints,
    query: MapPoints,
) -> MapData:
    """Project centroids, lines and prototypes of a model, and join them to the points.

    Parameters
    ----------
    model : fitted classifier
        Lines and prototypes are taken from it where it has any of two or more classes.
    projection : Projection
    landscape : Landscape, optional
    classes : tuple of str
    centroids : (K, d) array
    support, query : MapPoints
    """
    ends, feet = np.empty((0, 2, centroids.shape[1])), None
    soft_labels = np.empty((0, 2, len(classes)))
    if answers_from_lines(model):
        kept = [i for i, line in enumerate(model.lines_) if len(line.classes) > 1]
        ends, feet = model.prototypes_[kept], np.array(centroids)
        soft_labels = _soft_labels(model, kept)
        for number, (left, right) in zip(kept, ends, strict=True):
            line = model.lines_[number]
            if line.length > 0:
                share = line.positions[:, None] / line.length
                feet[list(line.classes)] = left + share * (right - left)
    return MapData(
        classes=classes,
        query=query,
        support=support,
        centroids=projection.transform(centroids),
        lines=[_path(projection, *pair) for pair in ends],
        prototypes=projection.transform(ends.reshape(-1, ends.shape[2])).reshape(-1, 2, 2),
        soft_labels=soft_labels,
        feet=None if feet is None else projection.transform(feet),
        landscape=landscape,
        unfaithful=_unfaithful(projection, landscape),
        axis_titles=projection.axis_titles,
        scaled=projection.exact,
    )


def map_points(
    projection: Projection,
    rows: np.ndarray,
    true: np.ndarray,
    predicted: np.ndarray,
    texts: Sequence[str] = (),
) -> MapPoints:
    """Rows of the dataset as marks; what a click reports is the row."""
    off = None if projection.residuals is None else projection.residuals[rows]
    return MapPoints(projection.points[rows], true, predicted, rows, texts, off)


def _unfaithful(projection: Projection, landscape: Landscape | None) -> np.ndarray | None:
    if landscape is None:
        return None
    return projection.points[landscape.fidelity_report.disagreeing]


def _path(projection: Projection, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    steps = 2 if projection.plane is not None else _BENDS
    share = np.linspace(0.0, 1.0, steps)[:, None]
    return projection.transform(left + share * (right - left))


def _soft_labels(model: HasLines, lines: list[int]) -> np.ndarray:
    """(L, 2, K): constant ones as they are, others as they are at the prototype itself."""
    number = np.array(lines)
    sides = [model.vote_labels(model.prototypes_[number, s], number)[:, s] for s in (0, 1)]
    labels = np.stack(sides, axis=1)
    return softmax(labels, axis=2) if has_local_soft_labels(model) else labels
