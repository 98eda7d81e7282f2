"""What a classifier answered, and what its prototypes carried, after an epoch of its training."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.methods.deep_slp import DeepSLPClassifier
from slp_core.views.landscape import decision_landscape
from slp_core.views.projection import Projection

GRID = 72
ASPECT = 1.1


@dataclass(frozen=True, eq=False)
class EpochPicture:
    """On a grid of (g,) by (h,) places the (h, g) labels; the mean soft label at each prototype.

    Soft labels (2 L, K), left and right line by line, are means over the support points that ask
    the line: zeros where none does.
    """

    epoch: int
    x: np.ndarray
    y: np.ndarray
    labels: np.ndarray
    soft_labels: np.ndarray


def epoch_picture(
    epoch: int, model: DeepSLPClassifier, projection: Projection, X: np.ndarray
) -> EpochPicture:
    """Ask the classifier as it is after an epoch about the picture and the (n, d) support set."""
    landscape = decision_landscape(model, projection, GRID, aspect=ASPECT)
    asked, labels = model.place(X).line, model.soft_labels(X)
    means = np.zeros((len(model.lines_), *labels.shape[1:]))
    for line in np.unique(asked):
        means[line] = labels[asked == line].mean(axis=0)
    return EpochPicture(
        epoch,
        landscape.x,
        landscape.y,
        landscape.labels,
        means.reshape(-1, labels.shape[2]),
    )
