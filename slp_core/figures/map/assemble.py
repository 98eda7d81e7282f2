"""A map's contents from a fitted model and a picture: everything put where it is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from slp_core.figures.map.data import MapData, MapPoints
from slp_core.views import Landscape, Projection

_BENDS = 24  # places along a line's path where the picture bends it


def map_of(
    model: Any,
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
    lines = [line for line in getattr(model, "lines_", ()) if len(line.classes) > 1]
    kept = [i for i, n in enumerate(getattr(model, "lines_", ())) if len(n.classes) > 1]
    ends = model.prototypes_[kept] if kept else np.empty((0, 2, centroids.shape[1]))
    feet = np.array(centroids)
    for line, (left, right) in zip(lines, ends, strict=True):
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
        soft_labels=_soft_labels(model, kept, ends, len(classes)),
        feet=projection.transform(feet) if kept else None,
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


def _soft_labels(model: Any, lines: list[int], ends: np.ndarray, n_classes: int) -> np.ndarray:
    """(L, 2, K): constant ones as they are, others as they are at the prototype itself."""
    if hasattr(model, "soft_labels_"):
        return model.soft_labels_[lines]
    labels = np.empty((len(lines), 2, n_classes))
    for number, (line, pair) in enumerate(zip(lines, ends, strict=True)):
        for side in range(2):
            z = model.coef_[line, side] @ pair[side] + model.intercept_[line, side]
            p = np.exp(z - z.max())
            labels[number, side] = p / p.sum()
    return labels
