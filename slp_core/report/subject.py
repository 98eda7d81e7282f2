"""The subject of a report, and its parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from slp_core.data import Episode, FewShotDataset
from slp_core.data.edits import NONE, Edits
from slp_core.encoders import Vectors
from slp_core.evaluation.draws import EpisodeArrays, arrays_of
from slp_core.explain import PointReading, Predictions, read_causes
from slp_core.explain.causes import Causes
from slp_core.figures.display import Display
from slp_core.figures.map.data import MapData
from slp_core.methods.protocols import HasProbabilities
from slp_core.methods.table import Method

COMPARED = ("constraint_slp", "deep_slp", "nearest_centroid", "logistic_regression")
"""Methods that a report compares beside its own."""


@dataclass(frozen=True)
class ReportSubject:
    dataset: FewShotDataset
    encoder_title: str
    vectors: Vectors  # (n, d)
    shots: int
    draw: int
    method: Method
    options: Mapping[str, Any]
    model: HasProbabilities
    predictions: Predictions
    centroids: np.ndarray  # (K, d)
    map_data: MapData
    map_text: str
    reading: PointReading
    row: int
    date: str
    scaling: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    page: str = ""  # that the report is of; else of all of them
    edits: Edits = NONE  # of the support set
    shown: Sequence[Part] = ()  # on that page
    compared: Sequence[str] = COMPARED

    @property
    def episode(self) -> Episode:
        return self.dataset.draw(self.shots, self.draw).with_edits(self.edits)

    @cached_property
    def arrays(self) -> EpisodeArrays:
        return arrays_of(self.episode, self.vectors)

    def options_of(self, method: Method) -> Mapping[str, Any]:
        """These options, or those of another method like them."""
        if method.name == self.method.name:
            return self.options
        return method.like(self.options, len(self.dataset.classes))

    @cached_property
    def causes(self) -> Causes:
        X, y = self.arrays.X_query, self.episode.y_query
        return read_causes(self.model, X, y, self.centroids)


@dataclass(frozen=True)
class Part:
    """One part of a report, in the order in which it is read."""

    title: str
    paragraphs: Sequence[str] = ()  # Markdown
    displays: Sequence[Display] = ()
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    note: str = ""
    plain: str = ""
    image: np.ndarray | None = None  # (h, w)
    card: str = ""
