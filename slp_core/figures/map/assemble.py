"""Maps of a fitted model and a projection, assembled from their parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from slp_core.explain.soft_labels import soft_labels_at_prototypes
from slp_core.figures.map.data import MapData, MapLayers
from slp_core.figures.map.figure import MapDisplay
from slp_core.methods.protocols import HasLines
from slp_core.views import Landscape, Projection

_BENDS = 24  # places along a line's path where the picture bends it


def map_of(
    model: object,
    projection: Projection,
    landscape: Landscape | None,
    classes: tuple[str, ...],
    centroids: np.ndarray,
    support: pd.DataFrame,
    query: pd.DataFrame,
    texts: Sequence[str] = (),
) -> MapData:
    """Project centroids, lines and prototypes of a model, and join them to the points."""
    lines, n_classes, d = model.lines_ if isinstance(model, HasLines) else (), *centroids.shape
    numbers = [number for number, line in enumerate(lines) if len(line.classes) > 1]
    ends, labels = np.empty((0, 2, d)), np.empty((0, 2, n_classes))
    if isinstance(model, HasLines) and numbers:
        ends, labels = model.prototypes_[numbers], soft_labels_at_prototypes(model)[numbers]
    feet = np.array(centroids)
    for number, (left, right) in zip(numbers, ends, strict=True):
        line = lines[number]
        if line.length > 0:
            share = line.positions[:, None] / line.length
            feet[list(line.classes)] = left + share * (right - left)
    return MapData(
        classes=classes,
        query=query,
        support=support,
        centroids=projection.transform(centroids),
        lines=[_path(projection, *pair) for pair in ends],
        prototypes=projection.transform(ends.reshape(-1, d)).reshape(-1, 2, 2),
        soft_labels=labels,
        feet=projection.transform(feet) if numbers else None,
        landscape=landscape,
        disagreeing=(
            None if landscape is None else projection.points[landscape.fidelity_report.disagreeing]
        ),
        axis_titles=projection.axis_titles,
        scaled=projection.exact,
        texts=texts,
    )


def map_points(
    projection: Projection, rows: np.ndarray, true: np.ndarray, predicted: np.ndarray
) -> pd.DataFrame:
    """Rows of the dataset as marks; what a click reports is the row."""
    x, y = projection.points[rows].T
    off = np.nan if projection.residuals is None else projection.residuals[rows]
    classes = {"true": true, "predicted": predicted}
    return pd.DataFrame({"id": rows, "x": x, "y": y, **classes, "off_plane": off})


def _path(projection: Projection, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    steps = 2 if projection.plane is not None else _BENDS
    share = np.linspace(0.0, 1.0, steps)[:, None]
    return projection.transform(left + share * (right - left))


_HEIGHT = 320  # px


def question_map(
    model: object,
    projection: Projection,
    classes: tuple[str, ...],
    centroids: np.ndarray,
    support: np.ndarray,
    y_support: np.ndarray,
    texts: Sequence[str],
    row: int,
) -> MapDisplay:
    """The support set with centroids and lines; a ring where the row is."""
    here, unsaid = np.array([row]), np.full(len(support), -1)
    data = map_of(
        model,
        projection,
        None,
        classes,
        centroids,
        map_points(projection, support, y_support, unsaid),
        map_points(projection, here, unsaid[:1], unsaid[:1]),  # ringed, not drawn
        texts,
    )
    layers = MapLayers(
        landscape=False, boundaries=False, query=False, prototypes=False, chosen=True
    )
    return MapDisplay(data, layers, chosen=row, height=_HEIGHT)
