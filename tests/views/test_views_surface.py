"""The interpolating inverse, and layouts that only it can take back."""

import numpy as np
import pytest

from slp_core.errors import SLPError
from slp_core.views import fit_projection
from slp_core.views.layouts import decision_features
from slp_core.views.projection import Projection
from slp_core.views.surface import Surface


@pytest.fixture
def vectors():
    rng = np.random.default_rng(0)
    return rng.normal(size=(90, 20)) + 6 * np.eye(20)[np.arange(90) % 3]


@pytest.mark.parametrize("n", [1, 2, 5, 90])
def test_every_drawn_point_maps_back_onto_its_own_vector(vectors, n):
    projection = fit_projection(vectors[:n])
    np.testing.assert_allclose(
        projection.inverse(projection.points, "surface"), vectors[:n], atol=1e-12
    )


def test_coincident_points_share_their_mean():
    surface = Surface(np.array([[0.0, 0], [0, 0], [1, 0]]), np.array([[1.0], [3.0], [7.0]]))
    np.testing.assert_allclose(surface(np.array([[0.0, 0.0]])), [[2.0]])


def test_surface_is_continuous_where_neighbours_change(vectors):
    surface = fit_projection(vectors).surface
    start, end = np.array([-4.0, -4.0]), np.array([4.0, 4.0])
    path = start + np.linspace(0, 1, 20_001)[:, None] * (end - start)
    steps = np.linalg.norm(np.diff(surface(path), axis=0), axis=1)
    assert steps.max() < 0.1  # the vectors lie about 6 apart


def test_left_out_points_do_not_see_themselves(vectors):
    points = fit_projection(vectors).points
    values = np.zeros((90, 1))
    values[17] = 1.0
    surface = Surface(points, values)
    assert surface(points[[17]])[0, 0] == 1.0
    assert surface.without_each()[17, 0] == 0.0
    others = np.delete(np.arange(90), 17)
    again = Surface(points[others], values[others] + points[others, :1])
    np.testing.assert_allclose(
        Surface(points, values + points[:, :1]).without_each()[17], again(points[[17]])[0]
    )


@pytest.fixture
def bent(vectors):
    """A layout without a plane, as UMAP makes them."""
    flat = fit_projection(vectors).points
    return Projection("umap", vectors, np.tanh(flat / 4), None, False)


def test_layout_draws_a_known_vector_at_its_place_and_others_among_their_neighbours(bent):
    np.testing.assert_allclose(bent.transform(bent.vectors), bent.points, atol=1e-12)
    between = bent.transform(bent.vectors.mean(axis=0, keepdims=True))
    assert (np.abs(between) <= np.abs(bent.points).max(axis=0)).all()


def test_layout_has_no_plane(bent):
    with pytest.raises(SLPError, match="'plane' is not one of surface"):
        bent.inverse(bent.points, "plane")


@pytest.mark.parametrize("mix", [0.0, 0.3, 1.0])
def test_decision_distances_mix_vectors_and_predictions(vectors, mix):
    probabilities = np.random.default_rng(1).dirichlet(np.ones(3), size=90)
    features = decision_features(vectors, probabilities, mix)

    def squared(A):
        return ((A[:, None] - A[None]) ** 2).sum(-1)

    predictions = np.eye(3)[probabilities.argmax(axis=1)]
    far, unlike, differ = (
        squared(part) / squared(part).mean()
        for part in (vectors, np.sqrt(probabilities), predictions)
    )
    expected = (1 - mix) * far + mix * (unlike + differ) / 2
    np.testing.assert_allclose(squared(features), expected, atol=1e-9)
