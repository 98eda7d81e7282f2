import numpy as np
import pytest

from slp_core import (
    ConstraintSLPClassifier,
    NearestCentroidClassifier,
    OneNearestNeighbourClassifier,
)
from slp_core.views import (
    fit_projection,
    held_out_fidelity,
    landscape_fidelity,
    recommend_projection,
)
from slp_core.views.fidelity import centroids_on_plane


def clouds(k, d, n=300, noise=1.0):
    rng = np.random.default_rng(0)
    y = np.arange(n) % k
    return rng.normal(size=(k, d))[y] + noise * rng.normal(size=(n, d)), y


def test_the_recommended_picture_shows_most_of_what_was_held_out():
    X, y = clouds(3, 60)
    model = NearestCentroidClassifier().fit(X[:48], y[:48])
    query = np.arange(48, 300)
    found = recommend_projection(model, X, rows=query)
    assert len(found) == 9  # three planes, each with three inverses
    for (name, inverse), held_out in found.items():
        assert sorted(held_out.rows) == query.tolist()
        assert held_out.n_agreeing == held_out_fidelity(model, X, name, inverse, query).n_agreeing
    # Three centroids span a plane, and the nearest of them is decided in it.
    assert found["centroid_plane", "plane"].overall == 1.0


def test_a_picture_that_has_seen_the_predictions_is_not_recommended_for_that():
    # More dimensions than points, and predictions that nothing foretells: a decision plane fits
    # what it was given, and shows nothing of the rest.
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 200)), np.arange(60) % 3
    model = OneNearestNeighbourClassifier().fit(X, y)
    fitted = landscape_fidelity(model, fit_projection(X, "decision_plane", model), "surface")
    found = recommend_projection(model, X, ["pca", "decision_plane"])
    assert fitted.overall > 0.9
    assert found["decision_plane", "surface"].overall < 0.6


def test_of_many_rows_a_sample_is_judged():
    X, y = clouds(3, 10, n=20_000)
    model = ConstraintSLPClassifier(distance="along_line").fit(X[:48], y[:48])
    whole = landscape_fidelity(model, fit_projection(X, "pca")).overall
    query = np.arange(48, 20_000)
    held_out = recommend_projection(model, X, ["pca"], query)["pca", "plane"]
    assert held_out.n == 1_000
    assert held_out.rows.min() >= 48
    assert held_out.overall == pytest.approx(whole, abs=0.06)


@pytest.mark.parametrize(("k", "method", "on_it"), [(3, "centroid_plane", 3), (6, "pca", 0)])
def test_centroids_on_plane_are_those_on_the_plane(k, method, on_it):
    X, y = clouds(k, 40)
    model = NearestCentroidClassifier().fit(X, y)
    projection = fit_projection(X, method, model)
    assert centroids_on_plane(projection, model.centroids_) == on_it
    plane = fit_projection(X[:, :2], "pca")
    assert centroids_on_plane(plane, model.centroids_[:, :2]) == k
