"""Pictures of the same rows are turned onto each other, and stay true to their spaces."""

import numpy as np

from slp_core import (
    ConstraintSLPClassifier,
    NearestCentroidClassifier,
    decision_landscape,
    fit_projection,
)
from slp_core.views import landscape_fidelity
from slp_core.views.align import aligned, left_to_right


def clouds(d=20, n=80):
    rng = np.random.default_rng(0)
    y = np.arange(n) % 4
    return rng.normal(size=(n, d)) + 3 * np.eye(d)[y], y


def test_a_turned_space_comes_back_onto_the_first_picture():
    X, _ = clouds()
    turned = X @ np.linalg.qr(np.random.default_rng(1).normal(size=(20, 20)))[0] + 4.0
    first, second = fit_projection(X), fit_projection(turned)
    again = aligned(second, first)
    np.testing.assert_allclose(again.points, first.points, atol=1e-9)


def test_alignment_keeps_distances_and_the_way_back():
    X, y = clouds()
    other = np.random.default_rng(2).normal(size=(80, 6)) + np.eye(6)[y]
    first, second = fit_projection(X), fit_projection(other)
    again = aligned(second, first)

    def gaps(p):
        return np.linalg.norm(p[:, None] - p, axis=2)

    np.testing.assert_allclose(gaps(again.points), gaps(second.points), atol=1e-9)
    np.testing.assert_allclose(again.transform(other), again.points, atol=1e-9)
    np.testing.assert_allclose(
        again.inverse(again.points), second.inverse(second.points), atol=1e-9
    )
    model = NearestCentroidClassifier().fit(other, y)
    assert landscape_fidelity(model, again).overall == landscape_fidelity(model, second).overall
    assert decision_landscape(model, again, grid=20).labels.shape == (20, 20)


def test_no_turn_brings_rows_nearer():
    X, _ = clouds()
    first = fit_projection(X)
    second = aligned(fit_projection(np.random.default_rng(2).normal(size=(80, 6))), first)

    def miss(points):
        return np.square(points - first.points).sum()

    best = miss(second.points)
    for angle in np.linspace(0, 2 * np.pi, 90):
        c, s = np.cos(angle), np.sin(angle)
        assert miss(second.points @ np.array([[c, -s], [s, c]])) >= best - 1e-9
        assert miss(second.points @ np.array([[c, s], [s, -c]])) >= best - 1e-9


def test_prototype_a_is_drawn_left_of_b():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        y = np.arange(60) % 3
        X = rng.normal(size=(60, 8)) + 3 * rng.normal(size=(3, 8))[y]
        model = ConstraintSLPClassifier().fit(X, y)
        projection = fit_projection(X, ("pca", "centroid_plane", "decision_plane")[seed % 3], model)
        found = left_to_right(projection, model)
        line = next(n for n, line in enumerate(model.lines_) if len(line.classes) > 1)
        a, b = found.transform(model.prototypes_[line])
        assert a[0] <= b[0]
        np.testing.assert_allclose(np.abs(found.points), np.abs(projection.points))
        for inverse in found.inverses:
            one, other = (landscape_fidelity(model, each, inverse) for each in (found, projection))
            np.testing.assert_array_equal(one.shown, other.shown)
        assert left_to_right(found, model) is found
    flat = fit_projection(X[:, :2])
    assert left_to_right(flat, ConstraintSLPClassifier().fit(X[:, :2], y)) is flat
