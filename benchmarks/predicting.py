"""Predicting many points: the time, beside that of their products, and the memory taken."""

from __future__ import annotations

import resource
import subprocess
import sys

import numpy as np

from benchmarks.fitting import DIMENSION, support_set
from benchmarks.row import Row
from benchmarks.timing import in_turns, row
from slp_core import ConstraintSLPClassifier, DeepSLPClassifier, NearestCentroidClassifier

POINTS = 200_000
REPEATS = 3
MODELS = {
    method.__name__: method
    for method in (NearestCentroidClassifier, ConstraintSLPClassifier, DeepSLPClassifier)
}


def run() -> list[Row]:
    X, y = support_set()
    points = many_points()
    rows = []
    for name, method in MODELS.items():
        model = method().fit(X, y)
        weights = model.coef_ if hasattr(model, "coef_") else model.prototypes_
        against = weights.reshape(-1, DIMENSION).T.astype(np.float32)
        products = "their products with its heads or prototypes"
        works = {"ours": lambda: model.predict(points), products: lambda: points @ against}  # noqa: B023
        grown = subprocess.run(
            [sys.executable, "-m", "benchmarks.predicting", name],
            capture_output=True,
            text=True,
            check=True,
            timeout=600,
        ).stdout.strip()
        what = f"{name}, {POINTS:,} points × {DIMENSION}, {grown} MB beside them"
        rows.append(row(what, in_turns(works, REPEATS), "ours", products))
    return rows


def many_points() -> np.ndarray:
    """(200,000, 384) float32, 0.3 GB."""
    return np.random.default_rng(0).standard_normal((POINTS, DIMENSION), dtype=np.float32)


def memory(name: str) -> float:
    """MB by which the process grows at most while it predicts them all."""
    model = MODELS[name]().fit(*support_set())
    points = many_points()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    model.predict(points)
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


if __name__ == "__main__":
    print(f"{memory(sys.argv[1]):.0f}")
