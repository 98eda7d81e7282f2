"""What a classifier answered, and what its prototypes carried, after an epoch of its training."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.methods.training import Frame, TrainingRun
from slp_core.views.landscape import decision_landscape
from slp_core.views.projection import Projection

GRID = 72
ASPECT = 1.1


@dataclass(frozen=True, eq=False)
class EpochPicture:
    """What a classifier answered and carried after an epoch.

    Attributes
    ----------
    epoch : int
    x, y : (g,) arrays
        The grid.
    labels : (g, g) uint8 array (wider above 256 classes)
    soft_labels : (2 L, K) array
        Mean over the support points that ask each line, zeros where none does; left and right,
        line by line.
    """

    epoch: int
    x: np.ndarray
    y: np.ndarray
    labels: np.ndarray
    soft_labels: np.ndarray


def epoch_picture(
    run: TrainingRun, frame: Frame, projection: Projection, X: np.ndarray
) -> EpochPicture:
    """Ask the classifier of an epoch about the picture, and for its soft labels.

    Parameters
    ----------
    run : TrainingRun
    frame : Frame
    projection : Projection
    X : (n, d) array
        The support set.
    """
    model = run.at(frame)
    landscape = decision_landscape(model, projection, GRID, aspect=ASPECT)
    asked, labels = model.place(X).line, model.soft_labels(X)
    means = np.zeros((len(model.lines_), *labels.shape[1:]))
    for line in np.unique(asked):
        means[line] = labels[asked == line].mean(axis=0)
    return EpochPicture(
        frame.epoch,
        landscape.x,
        landscape.y,
        landscape.labels,
        means.reshape(-1, labels.shape[2]),
    )
