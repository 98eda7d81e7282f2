"""What a map shows: plain arrays, computed beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from slp_core.on_demand import picked
from slp_core.views import Landscape

Shade = Literal["margin", "confidence"]


@dataclass(frozen=True, eq=False)
class MapPoints:
    """Examples on the map.

    Attributes
    ----------
    points : (n, 2) array
    true, predicted : (n,) int arrays
        Indices into the map's classes.
    ids : (n,) int array
        What a click on a point reports as ``customdata``: its row in the dataset.
    texts : sequence of str
        What a person can read of each; empty if there is nothing to read.
    off_plane : (n,) array, optional
        How far each lies off the plane that the picture looks at; None where there is none.
    """

    points: np.ndarray
    true: np.ndarray
    predicted: np.ndarray
    ids: np.ndarray
    texts: Sequence[str] = ()
    off_plane: np.ndarray | None = None

    def place_of(self, row: int) -> tuple[float, float] | None:
        """Where a row of the dataset is drawn; None where it is not among these."""
        found = np.flatnonzero(self.ids == row)
        if not len(found):
            return None
        x, y = self.points[found[0]].tolist()
        return x, y

    def only(self, shown: np.ndarray) -> MapPoints:
        """Those of the n points at which ``shown``, (n,) bool, is true."""
        rows = np.flatnonzero(shown)
        texts = picked(self.texts, rows) if len(self.texts) else ()
        return MapPoints(
            self.points[rows],
            self.true[rows],
            self.predicted[rows],
            self.ids[rows],
            texts,
            None if self.off_plane is None else self.off_plane[rows],
        )


@dataclass(frozen=True, eq=False)
class MapData:
    """All that a map shows, computed beforehand.

    Drawing asks no model, but that a landscape finds its line regions when they are first shown.

    Attributes
    ----------
    classes : tuple of str
    query, support : MapPoints
    centroids : (K, 2) array
    lines : sequence of (p, 2) arrays
        Each line as a path through the picture: its two ends where the projection is linear.
    prototypes : (L, 2, 2) array
        Left and right end of every line.
    soft_labels : (L, 2, K) array
        Their soft labels; where these are functions of the point, their values at the prototype.
    feet : (K, 2) array, optional
        Where each class stands on its line; a dotted thread joins it to its centroid.
    landscape : slp_core.views.Landscape, optional
    disagreeing : (u, 2) array, optional
        Places of points at which the landscape does not show the method's own answer.
    axis_titles : (str, str)
    scaled : bool
        The axes have units worth reading: tick labels are shown.
    equal_axes : bool
        A distance is as long along either axis.
    """

    classes: tuple[str, ...]
    query: MapPoints
    support: MapPoints
    centroids: np.ndarray
    lines: Sequence[np.ndarray]
    prototypes: np.ndarray
    soft_labels: np.ndarray
    feet: np.ndarray | None = None
    landscape: Landscape | None = None
    disagreeing: np.ndarray | None = None
    axis_titles: tuple[str, str] = ("", "")
    scaled: bool = False
    equal_axes: bool = True

    def place_of(self, row: int) -> tuple[float, float] | None:
        """Where a row of the dataset is drawn; None where it is neither query nor support point."""
        return self.query.place_of(row) or self.support.place_of(row)


@dataclass(frozen=True)
class MapLayers:
    """What of the map is drawn; ``shade`` is what makes the landscape's colours strong.

    That is the winning class's lead over the runner-up, or its probability. ``key`` is that of the
    classes. ``chosen`` says that a ring will be laid over the map, and belongs in its key.
    """

    landscape: bool = True
    boundaries: bool = True
    line_regions: bool = False
    query: bool = True
    support: bool = True
    errors: bool = False
    disagreeing: bool = False
    lines: bool = True
    prototypes: bool = True
    centroids: bool = True
    names: bool = True
    key: bool = True
    chosen: bool = False
    shade: Shade = "margin"
