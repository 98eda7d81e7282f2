"""Landscapes: in a plane, of 2-D data, and in UMAP against UMAP's own inverse."""

from __future__ import annotations

import numpy as np

from benchmarks.row import Row
from benchmarks.timing import best
from slp_core.figures.map.assemble import map_of, map_points
from slp_core.figures.map.figure import MapDisplay
from slp_core.methods.baselines import LogisticRegressionClassifier, NearestCentroidClassifier
from slp_core.methods.constraint_slp import ConstraintSLPClassifier
from slp_core.methods.deep_slp import DeepSLPClassifier
from slp_core.views import decision_landscape, fit_projection

GRID, DIMENSION = 200, 384
PLACES = 100  # that UMAP's own inverse is asked for


def run() -> list[Row]:
    return [*planes(), *two_dimensions(), umap_inverse(), crowd()]


def planes() -> list[Row]:
    rows = []
    for n_classes in (3, 13):
        X, y = episode(n_classes, 500)
        projection = fit_projection(X)
        support = slice(0, 16 * n_classes)
        for method in (ConstraintSLPClassifier(), DeepSLPClassifier(), NearestCentroidClassifier()):
            model = method.fit(X[support], y[support])
            time = best(lambda: decision_landscape(model, projection, GRID))  # noqa: B023
            name = f"{GRID} × {GRID} in PCA, {n_classes} classes, {type(model).__name__}"
            rows.append(Row(name, time, None, None, "≤ 0.1 s"))
    return rows


def two_dimensions() -> list[Row]:
    """The same grid as scikit-learn's display: predicted and drawn; so is ours."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt
    from sklearn.inspection import DecisionBoundaryDisplay

    X, y = episode(3, 500, d=2)
    projection = fit_projection(X)
    names, rows = ("a", "b", "c"), np.arange(len(X))
    found = []
    for method in (ConstraintSLPClassifier(), DeepSLPClassifier(), LogisticRegressionClassifier()):
        model = method.fit(X[:48], y[:48])
        centroids = np.stack([X[:48][y[:48] == c].mean(axis=0) for c in range(3)])
        points = map_points(projection, rows, y, y)

        def ours() -> None:
            landscape = decision_landscape(model, projection, GRID)  # noqa: B023
            data = map_of(model, projection, landscape, names, centroids, points, points)  # noqa: B023
            MapDisplay(data).figure().to_json()

        def theirs() -> None:
            display = DecisionBoundaryDisplay.from_estimator(
                model,  # noqa: B023
                X,
                grid_resolution=GRID,
                response_method="predict_proba",
            )
            display.ax_.scatter(*X.T, c=y)
            display.figure_.canvas.draw()
            plt.close(display.figure_)

        name = f"{GRID} × {GRID} of 2-D data, drawn, {type(model).__name__}"
        theirs()  # the first figure loads fonts
        found.append(Row(name, best(ours), "DecisionBoundaryDisplay", best(theirs), "≥ 1×"))
    return found


def umap_inverse() -> Row:
    """Seconds for the whole grid; the peer's from its time for some places."""
    import umap

    X, y = episode(3, 500)
    model = DeepSLPClassifier().fit(X[:48], y[:48])
    projection = fit_projection(X, "umap")
    ours = best(lambda: decision_landscape(model, projection, GRID), times=2)
    layout = umap.UMAP(random_state=0, n_jobs=1).fit(X)
    low, high = layout.embedding_.min(axis=0), layout.embedding_.max(axis=0)
    somewhere = np.random.default_rng(0).uniform(low, high, size=(PLACES, 2))
    layout.inverse_transform(somewhere[:2])  # compiles
    theirs = best(lambda: layout.inverse_transform(somewhere), times=1) * GRID**2 / PLACES
    return Row(f"{GRID} × {GRID} in UMAP", ours, "UMAP.inverse_transform", theirs, "≥ 1,000×")


def crowd() -> Row:
    """The map of 100,000 query examples of 13 classes: drawn thinned, and sent to the browser."""
    X, y = episode(13, 100_000, d=8)
    model = NearestCentroidClassifier().fit(X[:208], y[:208])
    projection = fit_projection(X)
    landscape = decision_landscape(model, projection, GRID)
    names = tuple("abcdefghijklm")
    rows = np.arange(len(X))
    query = map_points(projection, rows, y, y)
    support = map_points(projection, rows[:208], y[:208], y[:208])
    data = map_of(model, projection, landscape, names, model.centroids_, support, query)
    size = len(MapDisplay(data).figure().to_json()) / 1e6
    time = best(lambda: MapDisplay(data).figure().to_json())
    return Row(f"map of 100,000 points, {size:.1f} MB sent", time, None, None, "")


def episode(n_classes: int, n: int, d: int = DIMENSION) -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors around class means, about as far apart as sentence vectors are."""
    rng = np.random.default_rng(0)
    y = np.arange(n) % n_classes
    X = rng.normal(size=(n_classes, d))[y] * 0.4 + rng.normal(size=(n, d))
    return X / np.linalg.norm(X, axis=1, keepdims=True), y
