"""The data of a map: plain arrays."""

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
    """Examples on the map."""

    points: np.ndarray  # (n, 2)
    true: np.ndarray  # (n,)
    predicted: np.ndarray  # (n,)
    ids: np.ndarray  # (n,)
    texts: Sequence[str] = ()
    off_plane: np.ndarray | None = None  # (n,)

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
        return MapPoints(
            self.points[rows],
            self.true[rows],
            self.predicted[rows],
            self.ids[rows],
            picked(self.texts, rows) if len(self.texts) else (),
            None if self.off_plane is None else self.off_plane[rows],
        )


@dataclass(frozen=True, eq=False)
class MapData:
    """Everything that a map shows, computed beforehand."""

    classes: tuple[str, ...]
    query: MapPoints
    support: MapPoints
    centroids: np.ndarray  # (K, 2)
    lines: Sequence[np.ndarray]  # (p, 2)
    prototypes: np.ndarray  # (L, 2, 2)
    soft_labels: np.ndarray  # (L, 2, K)
    feet: np.ndarray | None = None  # (K, 2)
    landscape: Landscape | None = None
    disagreeing: np.ndarray | None = None  # (u, 2)
    axis_titles: tuple[str, str] = ("", "")
    scaled: bool = False

    def place_of(self, row: int) -> tuple[float, float] | None:
        """Where a row of the dataset is drawn; None where it is neither query nor support point."""
        return self.query.place_of(row) or self.support.place_of(row)


@dataclass(frozen=True)
class MapLayers:
    """Which layers of the map are drawn; ``shade`` sets the landscape's colour intensity.

    ``chosen``, ``typed`` and ``changed`` name rings in the key: a chart is drawn once, its rings
    come and go.
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
    typed: bool = False
    changed: bool = False
    shade: Shade = "margin"
