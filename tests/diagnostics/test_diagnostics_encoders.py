"""What changes from one encoder to another, against sums written out."""

import numpy as np
import pytest
from facts_cases import random_case

from slp_core.diagnostics.encoders import class_distances, encoder_change


@pytest.fixture
def points():
    rng = np.random.default_rng(0)
    y = np.array([0, 1, 2, 0, 1, 2, 2, 0])
    return rng.normal(size=(8, 4)) + 2 * np.eye(4)[y], y


def change(first, second, y, right, names=("a", "b")):
    k, right = int(y.max()) + 1, np.array(right, bool)
    return encoder_change(names, tuple("pqrs"[:k]), (first, second), y, right, right)


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
    overall = found.between[:3].mean() / found.within[:3].mean()
    assert found.ratio[3] == pytest.approx(overall)


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
    assert np.isnan(found.ratio[1:3]).all()
    assert np.isnan(class_distances(X, np.zeros(3, int), 1).ratio).all()


def test_accuracy_is_of_predictions_and_separation_of_distances(points):
    X, y = points
    means = np.stack([X[y == k].mean(axis=0) for k in range(3)])[y]
    up = change(X, means + (X - means) / 2, y, [[1, 0, 0, 0], [1, 1, 1, 0]])
    assert up.accuracy == (0.25, 0.75)
    assert up.ratio == pytest.approx(2)
    assert (up.gained.tolist(), up.lost.tolist()) == ([1, 2], [])
    assert np.isnan(change(X, X, y, [[], []]).accuracy).all()


NAMES = ("one", "the *other*")


@pytest.mark.parametrize("part", range(2))
def test_two_encoders_of_random_problems(part):
    for seed in range(part, 80, 2):
        case = random_case(seed)
        rng = np.random.default_rng(seed)
        X = np.concatenate([case.support, case.X.reshape(-1, case.support.shape[1])])
        y = np.concatenate([case.y_support, case.true])
        other = X @ rng.normal(size=(X.shape[1], int(rng.integers(1, 4)))) if seed % 3 else 2 * X
        correct = rng.random((2, len(case.true))) < 0.5
        found = encoder_change(NAMES, case.classes, (X, other), y, tuple(correct), tuple(correct))
        old, new = ([bool(flag) for flag in flags] for flags in correct)
        pairs = list(zip(old, new, strict=True))
        assert found.gained.tolist() == [i for i, (a, b) in enumerate(pairs) if b and not a]
        assert found.lost.tolist() == [i for i, (a, b) in enumerate(pairs) if a and not b]
        if pairs:
            shares = [sum(flags) / len(flags) for flags in (old, new)]
            assert found.accuracy == pytest.approx(shares)
        before, after = separation(X, y), separation(other, y)
        if before is None or after is None:
            assert np.isnan(found.ratio) or before is not None
        elif max(before, after) < 1e9:  # else all examples of a class coincide, but for rounding
            assert found.ratio == pytest.approx(after / before, rel=1e-6)


def separation(X, y):
    """Mean distance between class means over the mean distance within; None if there is none."""
    means = {k: X[y == k].mean(axis=0) for k in sorted(set(y.tolist()))}
    within = [np.mean([np.linalg.norm(x - means[k]) for x in X[y == k]]) for k in means]
    between = [
        np.mean([np.linalg.norm(means[k] - means[j]) for j in means if j != k])
        for k in means
        if len(means) > 1
    ]
    if not between or np.mean(within) == 0:
        return None
    return np.mean(between) / np.mean(within)
