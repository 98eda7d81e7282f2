"""Answering a million points: against the time that it takes to read them, and the memory taken."""

from __future__ import annotations

import resource
import subprocess
import sys

import numpy as np

from benchmarks.fitting import DIMENSION, support_set
from benchmarks.row import Row
from benchmarks.timing import in_turns, row
from slp_core import ConstraintSLPClassifier, DeepSLPClassifier, NearestCentroidClassifier

POINTS = 1_000_000
REPEATS = 5
MODELS = (NearestCentroidClassifier, ConstraintSLPClassifier, DeepSLPClassifier)


def run() -> list[Row]:
    X, y = support_set()
    points = million()
    read, products = "reading them once", "their products with its prototypes"
    rows = []
    for method in MODELS:
        model = method().fit(X, y)
        heads = model.coef_.reshape(-1, DIMENSION) if hasattr(model, "coef_") else None
        against = model.prototypes_.reshape(-1, DIMENSION) if heads is None else heads
        against = np.ascontiguousarray(np.unique(against, axis=0).T, dtype=np.float32)
        if heads is not None:
            products = "their products with its heads"
        seconds = in_turns(
            {
                "ours": lambda: model.predict(points),  # noqa: B023
                read: points.sum,
                products: lambda: points @ against,  # noqa: B023
            },
            REPEATS,
        )
        grown = subprocess.run(
            [sys.executable, "-m", "benchmarks.predicting", method.__name__],
            capture_output=True,
            text=True,
            check=True,
            timeout=600,
        ).stdout.strip()
        what = f"{method.__name__}, {POINTS:,} points × {DIMENSION}, {grown} MB beside them"
        rows += [row(what, seconds, "ours", limit, "≥ 0.5×") for limit in (read, products)]
    return rows


def million() -> np.ndarray:
    """(1,000,000, 384) float32, 1.5 GB."""
    return np.random.default_rng(0).standard_normal((POINTS, DIMENSION), dtype=np.float32)


def memory(name: str) -> float:
    """MB by which the process grows at most while it answers them all."""
    X, y = support_set()
    model = next(method for method in MODELS if method.__name__ == name)().fit(X, y)
    points = million()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    model.predict(points)
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


if __name__ == "__main__":
    print(f"{memory(sys.argv[1]):.0f}")
