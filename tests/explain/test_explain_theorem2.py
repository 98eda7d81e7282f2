"""Theorem 2, against the paper's own example, and against counting by hand."""

import numpy as np
import pytest

from slp_core import ConstraintSLPClassifier
from slp_core.explain import read_causes
from slp_core.explain.causes import CROSSING
from slp_core.explain.theorem2 import turns_of


def test_the_papers_counter_example():
    X = np.array([[-10.0, 0], [5, 0], [15, 0]])
    model = ConstraintSLPClassifier().fit(X, ["A", "B", "C"])
    between = next(t for t in turns_of(model) if t.left == 0)
    # tan θ = w / (1 − w) with w = 7/10. The paper prints 66.84° beside distances, cut to three
    # decimals, that belong to this angle: at 66.84° they would be 9.833 and 14.341.
    assert between.angle == pytest.approx(66.80, abs=5e-3)
    assert np.floor(1000 * between.to_left) == 9847
    assert np.floor(1000 * between.to_right) == 14338
    assert between.taken == 0
    # There the two tie; a little nearer to B the prediction is B, though A is nearer by far.
    place = np.array([-10 + between.t, between.r])
    influence = model.influence(place[None])[0]
    assert influence[0] == pytest.approx(influence[1])
    assert model.predict(place[None] + [[0.1, 0.1]])[0] == "B"
    # The prototypes are seen from there at a right angle.
    assert (X[0] - place) @ (X[2] - place) == pytest.approx(0, abs=1e-9)


def test_along_the_line_the_two_tie_where_it_says():
    X = np.array([[-10.0, 0], [5, 0], [15, 0]])
    model = ConstraintSLPClassifier(distance="along_line").fit(X, ["A", "B", "C"])
    for turn in turns_of(model):
        influence = model.influence([[-10 + turn.t, turn.r]])[0]
        assert influence[turn.left] == pytest.approx(influence[turn.right])
        assert turn.t == pytest.approx(25 * (1 - turn.w))
        assert np.tan(np.radians(turn.angle)) == pytest.approx(turn.r / turn.t)


def test_two_classes_never_cross():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 9)), np.arange(200) % 2
    model = ConstraintSLPClassifier().fit(X[:16], y[:16])
    assert not np.isin(read_causes(model, X, y).cause, CROSSING).any()
    (turn,) = turns_of(model)
    assert (turn.w, turn.angle) == (pytest.approx(0.5), pytest.approx(45.0))
    assert turn.to_left == pytest.approx(turn.to_right)


def test_a_centroid_off_the_axis_is_told_as_a_range_that_random_points_fill():
    """In many dimensions a point at (t, r) may lie on any side of the axis."""
    rng = np.random.default_rng(1)
    X = np.zeros((3, 6))
    X[1, :2], X[2, 0] = (2.0, 1.5), 5.0
    model = ConstraintSLPClassifier(n_lines=1).fit(X, ["A", "B", "C"])
    (line,) = model.lines_
    assert line.offsets.max() == pytest.approx(1.5)
    for turn in turns_of(model):
        side = rng.normal(size=(4_000, 5))
        side *= turn.r / np.linalg.norm(side, axis=1)[:, None]
        points = np.column_stack([np.full(4_000, turn.t), side])
        np.testing.assert_allclose(model.place(points).w, turn.w, atol=1e-9)
        away = {}
        for c, (low, high) in ((turn.left, turn.from_left), (turn.right, turn.from_right)):
            away[c] = np.linalg.norm(points - X[c], axis=1)
            assert low - 1e-9 <= away[c].min() <= away[c].max() <= high + 1e-9
            assert away[c].max() - away[c].min() >= 0.7 * (high - low)
        nearer = away[turn.left] < away[turn.right]
        always = turn.left if nearer.all() else turn.right if not nearer.any() else None
        assert turn.taken in (always, None)
    assert {turn.taken for turn in turns_of(model)} != {None}


def test_in_one_dimension_no_point_sees_two_ends_at_a_right_angle():
    model = ConstraintSLPClassifier(n_lines=1).fit([[0.0], [2.0], [5.0]], ["A", "B", "C"])
    assert turns_of(model) == ()
