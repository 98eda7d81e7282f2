"""What changes from one encoder to another, against sums written out."""

import numpy as np
import pytest

from slp_core.diagnostics.encoders import class_distances, encoder_change


@pytest.fixture
def points():
    rng = np.random.default_rng(0)
    y = np.array([0, 1, 2, 0, 1, 2, 2, 0])
    return rng.normal(size=(8, 4)) + 2 * np.eye(4)[y], y


def change(first, second, y, right, names=("a", "b")):
    k = int(y.max()) + 1
    return encoder_change(names, tuple("pqrs"[:k]), (first, second), y, np.array(right, bool))


def test_distances_are_means_of_distances(points):
    X, y = points
    found = class_distances(X, y, 3)
    means = [np.mean([x for x, c in zip(X, y, strict=True) if c == k], axis=0) for k in range(3)]
    for k in range(3):
        own = [np.linalg.norm(x - means[k]) for x, c in zip(X, y, strict=True) if c == k]
        others = [np.linalg.norm(means[k] - means[j]) for j in range(3) if j != k]
        assert found.within[k] == pytest.approx(np.mean(own))
        assert found.between[k] == pytest.approx(np.mean(others))
        assert found.ratio[k] == pytest.approx(np.mean(others) / np.mean(own))
    assert found.overall == pytest.approx(found.between.mean() / found.within.mean())


def test_neither_turning_nor_scaling_changes_how_far_classes_stand_apart(points):
    X, y = points
    turned = 7 * X @ np.linalg.qr(np.random.default_rng(1).normal(size=(4, 4)))[0] + 3
    found = change(X, turned, y, [[True], [True]])
    assert found.ratio == pytest.approx(1)
    means = np.stack([X[y == k].mean(axis=0) for k in range(3)])[y]
    assert change(X, means + (X - means) / 3, y, [[True], [True]]).ratio == pytest.approx(3)


def test_classes_of_one_point_or_none_have_no_ratio():
    X = np.array([[0.0, 0], [1, 0], [5, 5]])
    found = class_distances(X, np.array([0, 0, 2]), 3)
    assert found.within[0] == pytest.approx(0.5)
    assert np.isnan(found.within[1])
    assert np.isnan(found.ratio[1:]).all()
    alone = class_distances(X, np.zeros(3, int), 1)
    assert np.isnan(alone.overall)


def test_accuracy_goes_by_counts_and_is_no_reason_for_the_distances(points):
    X, y = points
    means = np.stack([X[y == k].mean(axis=0) for k in range(3)])[y]
    up = change(X, means + (X - means) / 2, y, [[1, 0, 0, 0], [1, 1, 1, 0]])
    right, apart = up.facts()
    assert (right["new"], right["old"], right["n"]) == (3, 1, 4)
    assert apart["ratio"] == pytest.approx(2)
    assert (up.gained.tolist(), up.lost.tolist()) == ([1, 2], [])
    nearly = change(X, X, y, [[1] * 299 + [0] * 301, [1] * 301 + [0] * 299])
    assert nearly.facts()[0].kind == "encoders.right"
    same = change(X, X, y, [[1], [1]])
    assert [told.kind for told in same.facts()] == ["encoders.as_many", "encoders.apart"]
    assert same.distances_facts()[0]["n"] == len(X)
