"""constraintSLP's linear programme as data that a browser plays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from slp_core.evaluation.draws import EpisodeArrays
from slp_core.explain.soft_label_path import SoftLabelPath, soft_label_path
from slp_core.figures.player import Measured
from slp_core.methods.constraint_slp import ConstraintSLPClassifier
from slp_core.methods.edited_prototypes import EditedPrototypes
from slp_core.views.epochs import EpochPicture, epoch_picture
from slp_core.views.projection import Projection


@dataclass(frozen=True, eq=False)
class ProgrammeRun:
    """The solutions from hard labels to the optimum, with what is predicted at each step."""

    path: SoftLabelPath
    measured: Measured
    pictures: tuple[EpochPicture, ...]

    def table(self) -> pd.DataFrame:
        """One row per step."""
        measured = self.measured
        accuracies = {"support": measured.support, "query": measured.query}
        return pd.DataFrame({"step": measured.at} | accuracies | dict(measured.below))


def programme_run(
    model: ConstraintSLPClassifier, data: EpisodeArrays, projection: Projection
) -> ProgrammeRun:
    """Solve the programme step by step, and predict support and query set at each."""
    path = soft_label_path(model)
    pictures, accuracies = [], []
    for step, labels in enumerate(path.soft_labels, start=1):
        now = EditedPrototypes.of(model, labels).classifier()
        pictures.append(epoch_picture(step, now, projection, data.X_support))
        accuracies.append(
            [
                _accuracy(now, data.X_support, data.y_support),
                _accuracy(now, data.X_query, data.y_query),
            ]
        )
    support, query = np.array(accuracies).T
    below = {"violation": path.violation, "objective": path.objective}
    measured = Measured("step", np.arange(1, len(pictures) + 1), support, query, below)
    return ProgrammeRun(path, measured, tuple(pictures))


def _accuracy(model: ConstraintSLPClassifier, X: np.ndarray, y: np.ndarray) -> float:
    return float((model.predict(X) == y).mean()) if len(X) else float("nan")
