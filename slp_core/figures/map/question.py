"""The map that a question is asked on: nothing of it depends on a prediction."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from slp_core.figures.map.assemble import map_of, map_points
from slp_core.figures.map.data import MapLayers
from slp_core.figures.map.figure import MapDisplay
from slp_core.views import Projection

_HEIGHT = 460  # px


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
    here, nothing = np.array([row]), np.zeros(1, dtype=np.int64)
    data = map_of(
        model,
        projection,
        None,
        classes,
        centroids,
        map_points(projection, support, y_support, y_support, texts),
        map_points(projection, here, nothing, nothing),  # ringed, not drawn
    )
    layers = MapLayers(landscape=False, boundaries=False, query=False, prototypes=False)
    return MapDisplay(data, layers, chosen=row, height=_HEIGHT)
