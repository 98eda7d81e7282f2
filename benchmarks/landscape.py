"""How long landscapes take, in a plane and in UMAP, there against UMAP's own inverse.

Run as ``python benchmarks/landscape.py``; ``--no-umap`` leaves out the slow comparison.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from slp_core.methods import (
    ConstraintSLPClassifier,
    DeepSLPClassifier,
    NearestCentroidClassifier,
)
from slp_core.views import decision_landscape, fit_projection

GRID = 200


def seconds(work: Callable[[], object], repeats: int = 5) -> float:
    """The least of a few timings, in seconds."""
    timings = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        timings.append(time.perf_counter() - start)
    return min(timings)


def episode(n_classes: int, n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors around class means, about as far apart as sentence vectors are."""
    rng = np.random.default_rng(0)
    y = np.arange(n) % n_classes
    X = rng.normal(size=(n_classes, d))[y] * 0.4 + rng.normal(size=(n, d))
    return X / np.linalg.norm(X, axis=1, keepdims=True), y


def planes() -> None:
    print(f"{GRID} × {GRID} in PCA, 384-d, 16 shots, 500 points (goal: 0.1 s)")
    for n_classes in (3, 13):
        X, y = episode(n_classes, 500, 384)
        projection = fit_projection(X)
        support = slice(0, 16 * n_classes)
        for method in (ConstraintSLPClassifier(), DeepSLPClassifier(), NearestCentroidClassifier()):
            model = method.fit(X[support], y[support])
            flat = seconds(lambda: decision_landscape(model, projection, GRID))  # noqa: B023
            bent = seconds(
                lambda: decision_landscape(model, projection, GRID, "surface"),  # noqa: B023
                repeats=2,
            )
            name = type(model).__name__
            print(f"  {name:28s} {n_classes:2d} classes: plane {flat:.3f} s, surface {bent:.3f} s")


def umap_inverse(places: int = 100) -> None:
    import umap

    X, y = episode(3, 500, 384)
    model = DeepSLPClassifier().fit(X[:48], y[:48])
    projection = fit_projection(X, "umap")
    ours = seconds(lambda: decision_landscape(model, projection, GRID), repeats=2) / GRID**2
    layout = umap.UMAP(random_state=0, n_jobs=1).fit(X)
    low, high = layout.embedding_.min(axis=0), layout.embedding_.max(axis=0)
    somewhere = np.random.default_rng(0).uniform(low, high, size=(places, 2))
    layout.inverse_transform(somewhere[:2])  # compiles
    theirs = seconds(lambda: layout.inverse_transform(somewhere), repeats=1) / places
    print(
        f"landscape in UMAP against UMAP.inverse_transform, a grid point: {theirs / ours:,.0f}× "
        f"({ours * 1e6:.1f} µs against {theirs * 1e3:.1f} ms; goal: 1,000×)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--no-umap", action="store_true", help="leave out UMAP.inverse_transform")
    options = parser.parse_args()
    planes()
    if not options.no_umap:
        umap_inverse()


if __name__ == "__main__":
    main()
