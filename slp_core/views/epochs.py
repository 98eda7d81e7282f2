"""A classifier's landscape and soft labels after an epoch of its training."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.methods.base import LineClassifier
from slp_core.methods.protocols import has_constant_soft_labels, has_local_soft_labels
from slp_core.views.landscape import decision_landscape
from slp_core.views.projection import Projection

GRID = 72
ASPECT = 1.1


@dataclass(frozen=True, eq=False)
class EpochPicture:
    """Predictions on a grid, and the mean soft label at each prototype, A and B line by line."""

    epoch: int
    x: np.ndarray  # (g,)
    y: np.ndarray  # (h,)
    labels: np.ndarray  # (h, g)
    soft_labels: np.ndarray  # (2 L, K), over the support points of the line; zeros without any


def epoch_picture(
    epoch: int, model: LineClassifier, projection: Projection, X: np.ndarray
) -> EpochPicture:
    """The classifier as it is after an epoch; soft labels over the (n, d) support set."""
    landscape = decision_landscape(model, projection, GRID, aspect=ASPECT)
    means = np.zeros((len(model.lines_), 2, len(model.classes_)))
    if has_constant_soft_labels(model):
        means = model.soft_labels_
    elif has_local_soft_labels(model):
        assigned, labels = model.place(X).line, model.soft_labels(X)
        for line in np.unique(assigned):
            means[line] = labels[assigned == line].mean(axis=0)
    return EpochPicture(
        epoch,
        landscape.x,
        landscape.y,
        landscape.labels,
        means.reshape(-1, means.shape[2]),
    )
