"""The data of a map: plain arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from slp_core.views import Landscape

Shade = Literal["margin", "confidence"]


@dataclass(frozen=True, eq=False)
class MapData:
    """Everything that a map shows, computed beforehand."""

    classes: tuple[str, ...]
    query: pd.DataFrame  # id: its row of the dataset, x, y, true, predicted, off_plane
    support: pd.DataFrame
    centroids: np.ndarray  # (K, 2)
    lines: Sequence[np.ndarray]  # (p, 2)
    prototypes: np.ndarray  # (L, 2, 2)
    soft_labels: np.ndarray  # (L, 2, K)
    feet: np.ndarray | None = None  # (K, 2)
    landscape: Landscape | None = None
    disagreeing: np.ndarray | None = None  # (u, 2)
    axis_titles: tuple[str, str] = ("", "")
    scaled: bool = False
    texts: Sequence[str] = ()  # of every row of the dataset

    def place_of(self, row: int) -> tuple[float, float] | None:
        """Where a row of the dataset is drawn; None where it is neither query nor support point."""
        for points in (self.query, self.support):
            for x, y in points[points["id"] == row][["x", "y"]].to_numpy().tolist():
                return x, y
        return None


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
