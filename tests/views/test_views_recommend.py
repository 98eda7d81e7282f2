import numpy as np
import pytest

from slp_core import ConstraintSLPClassifier, NearestCentroidClassifier
from slp_core.views import (
    centroids_in_place,
    fit_projection,
    landscape_fidelity,
    recommend_projection,
)


def clouds(k, d, n=300, noise=1.0):
    rng = np.random.default_rng(0)
    y = np.arange(n) % k
    return rng.normal(size=(k, d))[y] + noise * rng.normal(size=(n, d)), y


def test_the_recommended_picture_has_the_highest_fidelity():
    X, y = clouds(3, 60)
    model = NearestCentroidClassifier().fit(X[:48], y[:48])
    found = recommend_projection(model, X)
    assert len(found.fidelity) == 6  # three planes, each as a slice and as a surface
    for (name, inverse), share in found.fidelity.items():
        projection = fit_projection(X, name, model)
        assert share == landscape_fidelity(model, projection, inverse).overall
    assert found.fidelity[found.best] == max(found.fidelity.values())
    # Three centroids span a plane, and the nearest of them is decided in it.
    assert found.fidelity["centroid_plane", "plane"] == 1.0
    assert found.fidelity["decision_plane", "plane"] == 1.0


def test_of_many_rows_a_sample_is_judged():
    X, y = clouds(3, 10, n=20_000)
    model = ConstraintSLPClassifier(distance="along_line").fit(X[:48], y[:48])
    whole = landscape_fidelity(model, fit_projection(X, "pca")).overall
    sample = recommend_projection(model, X, ["pca"]).fidelity["pca", "plane"]
    assert sample == pytest.approx(whole, abs=0.06)


@pytest.mark.parametrize(("k", "method", "on_it"), [(3, "centroid_plane", 3), (6, "pca", 0)])
def test_centroids_in_place_are_those_on_the_plane(k, method, on_it):
    X, y = clouds(k, 40)
    model = NearestCentroidClassifier().fit(X, y)
    projection = fit_projection(X, method, model)
    assert centroids_in_place(projection, model.centroids_) == on_it
    plane = fit_projection(X[:, :2], "pca")
    assert centroids_in_place(plane, model.centroids_[:, :2]) == k
