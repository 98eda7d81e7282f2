"""How many numbers a fitted classifier has chosen, and how many it has to keep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from slp_core.errors import SLPError


@dataclass(frozen=True)
class Parameters:
    """Sizes of a fitted classifier.

    Attributes
    ----------
    trainable : int
        Numbers that fitting is free to choose, by gradient descent or linear programming. Means
        and copies of support points are not among them.
    stored : int
        Numbers that are needed to answer: these, and the points that answers are measured from.
    counted : str
        What ``trainable`` is the number of.
    """

    trainable: int
    stored: int
    counted: str


def trainable_parameters(model: Any) -> Parameters:
    """Count the parameters of a fitted classifier from its arrays.

    DeepSLP has two heads a line, each with a weight a feature and a bias for every class that the
    line can answer: 2·L·(d·K + K) where that is all of them. constraintSLP has two soft labels a
    line, 2·L·K. Logistic regression has K·d + K, and half as many for two classes, which share one
    hyperplane. Nearest centroid and 1-nearest neighbour choose nothing: they keep K or n points.

    Parameters
    ----------
    model : fitted classifier
        One of this package's; of those that read texts, see
        :func:`~slp_core.evaluation.text_parameters.text_parameters`.

    Raises
    ------
    SLPError
        The model is of another kind.
    """
    from slp_core.methods import (
        ConstraintSLPClassifier,
        DeepSLPClassifier,
        LogisticRegressionClassifier,
        NearestCentroidClassifier,
        OneNearestNeighbourClassifier,
    )

    if not hasattr(model, "n_features_in_"):  # it reads no vectors
        from slp_core.evaluation.text_parameters import text_parameters

        return text_parameters(model)
    d = int(model.n_features_in_)
    if isinstance(model, DeepSLPClassifier):
        biases = int(np.isfinite(model.intercept_).sum())  # −∞ bars a class: no head for it
        trainable = biases * (d + 1)
        lines = counted(len(model.lines_), "line")
        said = f"{lines} with two linear heads: {biases:,} × ({d:,} weights + 1 bias)"
        return Parameters(trainable, trainable + model.prototypes_.size, said)
    if isinstance(model, ConstraintSLPClassifier):
        trainable = model.soft_labels_.size
        lines = counted(len(model.lines_), "line")
        said = f"{lines} with two soft labels of {len(model.classes_)} classes, solved for"
        return Parameters(trainable, trainable + model.prototypes_.size, said)
    if isinstance(model, LogisticRegressionClassifier):
        rows = len(model.coef_)
        trainable = model.coef_.size + model.intercept_.size
        planes = counted(rows, "hyperplane")
        return Parameters(trainable, trainable, f"{planes}: {rows} × ({d:,} weights + 1 bias)")
    if isinstance(model, NearestCentroidClassifier):
        kept = f"none: keeps {counted(len(model.centroids_), 'centroid')} of {d:,} numbers"
        return Parameters(0, model.centroids_.size, kept)
    if isinstance(model, OneNearestNeighbourClassifier):
        n = int(model.n_samples_fit_)
        kept = f"none: keeps {counted(n, 'support point')} of {d:,} numbers"
        return Parameters(0, n * d, kept)
    raise SLPError(f"Nothing is known of the parameters of {type(model).__name__}.")


def counted(n: int, what: str) -> str:
    """A number and what it is of."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"
