"""Linear projections: deterministic, exact where they claim to be, and said in words."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.decomposition import PCA
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline

from slp_core.errors import SLPError
from slp_core.lines import find_lines
from slp_core.methods.baselines import NearestCentroidClassifier
from slp_core.views import fit_projection, landscape_fidelity
from slp_core.views.plane import decision_plane
from slp_core.views.projection import _scores
from slp_core.views.text import quality_text

BOOSTED = GradientBoostingClassifier(n_estimators=5)


@pytest.fixture
def vectors():
    return np.random.default_rng(0).normal(size=(60, 12)) * np.linspace(3, 1, 12)


@pytest.mark.parametrize("shape", [(60, 12), (8, 40)])
def test_pca_spans_scikit_learns_plane(shape):
    X = np.random.default_rng(1).normal(size=shape)
    projection = fit_projection(X)
    expected = PCA(2, svd_solver="full").fit(X)
    np.testing.assert_allclose(np.abs(projection.points), np.abs(expected.transform(X)), atol=1e-9)
    np.testing.assert_allclose(
        projection.kept.explained_variance, expected.explained_variance_ratio_
    )
    np.testing.assert_array_equal(projection.points, fit_projection(X).points)


def test_sign_of_an_axis_does_not_depend_on_the_order_of_rows(vectors):
    shuffled = np.random.default_rng(1).permutation(60)
    np.testing.assert_allclose(
        fit_projection(vectors[shuffled]).points, fit_projection(vectors).points[shuffled]
    )


@pytest.mark.parametrize("d", [1, 2])
@pytest.mark.parametrize("method", ["pca", "umap"])
def test_one_and_two_features_are_drawn_as_they_are(d, method):
    X = np.random.default_rng(2).normal(size=(20, d))
    projection = fit_projection(X, method)
    assert projection.exact
    np.testing.assert_array_equal(projection.points[:, :d], X)
    np.testing.assert_array_equal(projection.points[:, d:], 0)
    np.testing.assert_array_equal(projection.inverse(projection.points), X)


def test_plane_goes_to_the_space_and_back(vectors):
    projection = fit_projection(vectors)
    places = np.random.default_rng(3).normal(size=(5, 2))
    np.testing.assert_allclose(projection.transform(projection.inverse(places)), places)
    np.testing.assert_allclose(projection.transform(vectors), projection.points)


def test_residuals_are_what_the_plane_leaves_of_each_vector(vectors):
    projection = fit_projection(vectors)
    kept = np.square(projection.points).sum(axis=1)
    whole = np.square(vectors - vectors.mean(axis=0)).sum(axis=1)
    np.testing.assert_allclose(projection.residuals**2, whole - kept)
    np.testing.assert_allclose(fit_projection(vectors[:, :2]).residuals, 0, atol=1e-12)


def test_centroid_plane_holds_three_centroids_exactly(vectors):
    y = np.arange(60) % 3
    model = NearestCentroid().fit(vectors, y)
    projection = fit_projection(vectors, "centroid_plane", model)
    drawn = projection.transform(model.centroids_)
    np.testing.assert_allclose(projection.inverse(drawn), model.centroids_, atol=1e-12)
    assert len(find_lines(drawn).lines) == len(find_lines(model.centroids_).lines)


@pytest.mark.parametrize("n", [30, 300])
@pytest.mark.parametrize("rule", [NearestCentroid, NearestCentroidClassifier, LogisticRegression])
def test_decision_plane_of_a_linear_rule_of_three_classes_loses_nothing(rule, n):
    rng = np.random.default_rng(n)
    X, y = rng.normal(size=(n, 50)), np.arange(n) % 3
    model = rule().fit(X, y)
    projection = fit_projection(X, "decision_plane", model)
    assert landscape_fidelity(model, projection).overall == 1.0
    assert landscape_fidelity(model, fit_projection(X)).overall < 1.0


@pytest.mark.parametrize("rule", [BOOSTED, make_pipeline(BOOSTED)])
def test_scores_that_are_not_linear_are_not_fitted_point_by_point(rule):
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=60)
    X = rng.normal(size=(60, 50)) + 2 * np.eye(50)[y]
    scores, penalty = _scores(rule.fit(X, y), X)
    np.testing.assert_array_equal(scores, rule.predict_proba(X))
    assert penalty > 0


def test_decision_plane_fills_up_from_the_data_where_two_classes_leave_an_axis_open(vectors):
    model = LogisticRegression().fit(vectors, np.arange(60) % 2)
    projection = fit_projection(vectors, "decision_plane", model)
    np.testing.assert_allclose(
        projection.plane.axes @ projection.plane.axes.T, np.eye(2), atol=1e-9
    )
    assert landscape_fidelity(model, projection).overall == 1.0


@settings(max_examples=30, deadline=None)
@given(st.integers(4, 12), st.integers(3, 12), st.sampled_from([1e-3, 1e3]), st.integers(0, 10_000))
def test_decision_plane_is_read_off_a_ridge_regression_of_the_scores(n, d, size, seed):
    rng = np.random.default_rng(seed)
    X, scores = size * (rng.normal(size=(n, d)) + 1), rng.dirichlet(np.ones(3), size=n)
    plane = decision_plane(X, scores, 0.7)
    alpha = 0.7 * np.square(X - X.mean(axis=0)).sum() / d
    slopes = Ridge(alpha, solver="svd").fit(X, scores).coef_  # three, which add up to nothing
    lost = slopes - slopes @ plane.axes.T @ plane.axes
    np.testing.assert_allclose(lost, 0, atol=1e-9 * np.abs(slopes).max())


@pytest.mark.parametrize(
    "X", [np.zeros((4, 6)), np.ones((1, 5)), np.arange(5)[:, None] * np.ones((5, 4))]
)
def test_data_without_a_second_direction_are_still_drawn(X):
    projection = fit_projection(X)
    assert np.isfinite(projection.points).all()
    np.testing.assert_allclose(
        projection.plane.axes @ projection.plane.axes.T, np.eye(2), atol=1e-9
    )
    np.testing.assert_allclose(projection.inverse(projection.points), X, atol=1e-9)


@pytest.mark.parametrize(("n", "d"), [(1, 5), (12, 6), (1_000, 40)])
def test_equal_rows_have_no_variance_to_keep_however_their_mean_is_rounded(n, d):
    projection = fit_projection(np.tile(np.linspace(3.3, 0.1, d), (n, 1)))
    assert projection.kept.one_place
    assert projection.axis_titles == ("PC 1", "PC 2")


def test_only_all_of_the_variance_reads_as_100_percent():
    one = np.arange(50.0)[:, None] * np.eye(5)[0]
    nearly = fit_projection(one + 0.01 * np.random.default_rng(0).normal(size=(50, 5)))
    for projection, whole in ((nearly, False), (fit_projection(one), True)):
        first, second = projection.axis_titles
        assert ("100%" in first, "· 0%" in second) == (whole, whole)
        assert ("100%" in quality_text(projection.kept)) == whole


@pytest.mark.parametrize("size", [1e-200, 1e150])
def test_variance_is_kept_whatever_the_unit(vectors, size):
    found, usual = fit_projection(vectors * size).kept, fit_projection(vectors).kept
    np.testing.assert_allclose(found.explained_variance, usual.explained_variance)


@pytest.mark.parametrize("power", [-100, 500])
def test_neighbours_are_kept_whatever_the_unit(vectors, power):
    found, usual = (fit_projection(vectors * 2.0**n, "tsne").kept for n in (power, 0))
    assert found.trustworthiness == pytest.approx(usual.trustworthiness, abs=0.05)


def test_trustworthiness_is_one_where_nothing_is_lost_and_less_where_much_is(vectors):
    flat = vectors[:, :2] @ np.linalg.qr(np.random.default_rng(0).normal(size=(12, 2)))[0].T
    assert fit_projection(flat).kept.trustworthiness == pytest.approx(1.0)
    assert fit_projection(vectors).kept.trustworthiness < 0.95


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ({"X": np.empty((0, 3))}, "shape"),
        ({"X": [[1.0, np.nan, 2.0]]}, "Row 0"),
        ({"X": np.eye(3), "method": "isomap"}, "method must be 'pca'.* not 'isomap'"),
        ({"X": np.eye(3), "method": "decision_plane"}, "fitted model"),
        ({"X": np.eye(3), "n_neighbors": 3}, "no option n_neighbors"),
        ({"X": np.eye(3), "method": "umap"}, "UMAP needs at least 5 points"),
        ({"X": np.eye(3), "method": "tsne"}, "t-SNE needs at least 5 points"),
        ({"X": np.eye(6), "method": "umap", "min_dist": -1}, "min_dist must be a number from 0"),
        ({"X": np.eye(6), "method": "umap", "min_dist": 5}, "min_dist must be .* not 5"),
        ({"X": np.eye(6), "method": "umap", "n_neighbors": 0}, "n_neighbors must be a whole"),
        ({"X": np.eye(6), "method": "tsne", "perplexity": 0}, "perplexity must be a finite number"),
        ({"X": np.eye(6), "method": "umap", "seed": -1}, "seed must be a whole number from 0"),
        ({"X": np.eye(6), "method": "tsne", "seed": 1.5}, "seed must be a whole number from 0"),
        ({"X": np.eye(6) * 1e160}, "value of 1e\\+160, whose square overflows"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_a_sentence(arguments, part):
    with pytest.raises(SLPError, match=part):
        fit_projection(**arguments)
