"""Soft labels read off, compared, checked against Theorem 1, and gathered over draws."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slp_core import (
    ConstraintSLPClassifier,
    DeepSLPClassifier,
    LogisticRegressionClassifier,
    NearestCentroidClassifier,
    SLPError,
)
from slp_core.explain.bands import winning_bands
from slp_core.explain.soft_label_draws import soft_labels_over_draws
from slp_core.explain.soft_label_pairs import SoftLabelPairs
from slp_core.explain.soft_labels import (
    read_soft_labels,
    soft_label_array,
    soft_labels_at,
    soft_labels_at_prototypes,
)
from slp_core.methods.edited_prototypes import EditedPrototypes

PAPER = [[-10.0, 0.0], [5.0, 0.0], [15.0, 0.0]]


def data(k=7, d=5, seed=0, n=8):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(k), n)
    X = 2 * rng.normal(size=(k, d))[y] + rng.normal(size=(len(y), d))
    return X, np.array(list("abcdefghijklm"))[y], rng.normal(size=(60, d)) * 2


def read(model, seed=0, name="it"):
    X, y, Q = data(seed=seed)
    return read_soft_labels(model.fit(X, y), name, Q), model, Q


def paper():
    return ConstraintSLPClassifier().fit(PAPER, list("ABC"))


def test_constant_soft_labels_are_the_models_own_at_every_prototype():
    labels, model, _ = read(ConstraintSLPClassifier())
    assert labels.constant
    assert np.array_equal(soft_label_array(labels), model.soft_labels_)
    for one in labels.prototypes:
        end = model.prototypes_[one.line, one.side]
        assert (end == model.centroids_[one.at]).all()
        assert one.order[0] == one.at
        assert (one.std == 0).all()
        apart = np.linalg.norm(model.prototypes_[one.line, 1 - one.side] - end)
        assert one.distance[[0, -1]] == pytest.approx([0, apart])


def test_soft_labels_that_depend_on_the_point_are_averaged_over_their_lines_points():
    labels, model, Q = read(DeepSLPClassifier(random_state=0))
    line = model.place(Q).line
    for one in labels.prototypes:
        here = [model.soft_labels(q[None])[0, one.side] for q in Q[line == one.line]]
        np.testing.assert_allclose(one.mean, np.mean(here, axis=0))
        np.testing.assert_allclose(one.std, np.std(here, axis=0))
        falling = [(np.diff(z[list(one.order)]) <= 0).all() for z in here]
        assert one.falls == pytest.approx(np.mean(falling))


def test_a_line_without_query_examples_has_no_mean_and_no_verdict():
    X, y, _ = data()
    labels = read_soft_labels(DeepSLPClassifier().fit(X, y), "DeepSLP", np.empty((0, 5)))
    assert all(np.isnan(one.mean).all() for one in labels.prototypes)
    assert labels.ordered == ()
    array = soft_label_array(labels)  # hard labels stand in for them
    assert {(one.at, int(array[one.line, one.side].argmax())) for one in labels.prototypes} == {
        (one.at, one.at) for one in labels.prototypes
    }


def test_methods_without_prototypes_are_refused_in_a_sentence():
    X, y, Q = data()
    with pytest.raises(SLPError, match="Logistic regression has no prototypes"):
        read_soft_labels(LogisticRegressionClassifier().fit(X, y), "Logistic regression", Q)


def test_theorem_1_holds_on_the_papers_line_and_its_exception_is_named():
    model = paper()
    held = read_soft_labels(model, "constraintSLP", np.array(PAPER))
    assert [one.exception for one in held.ordered] == [None, None]

    edited = EditedPrototypes.of(model, [[[0.5, 0.1, 0.4], [0.1, 0.2, 0.7]]]).classifier()
    broken = read_soft_labels(edited, "by hand", np.array(PAPER))
    left, right = broken.ordered
    assert left.exception == (1, 2)
    assert right.exception is None


def test_classes_equally_far_away_are_not_ordered():
    model = ConstraintSLPClassifier(n_lines=1)
    model.fit([[0.0, 0], [1, 0], [1, 0], [3, 0]], list("abcd"))
    for label in ([0.6, 0.1, 0.2, 0.1], [0.6, 0.2, 0.1, 0.1]):
        edited = EditedPrototypes.of(model, [[label, label[::-1]]]).classifier()
        assert not any(
            o.exception for o in read_soft_labels(edited, "it", np.zeros((1, 2))).ordered
        )


def test_prototypes_are_matched_by_class_even_where_a_line_runs_the_other_way():
    # Without class a the same line starts at its other end.
    first = ConstraintSLPClassifier(n_lines=1).fit([[0.0], [4], [10]], list("abc"))
    second = ConstraintSLPClassifier(n_lines=1).fit([[3.0], [0], [10]], list("abc"))
    Q = np.zeros((1, 1))
    pairs = SoftLabelPairs(read_soft_labels(first, "one", Q), read_soft_labels(second, "two", Q))
    (at,) = pairs.divergence["at"]
    assert (at, pairs.first.at_class[at].side, pairs.second.at_class[at].side) == (2, 1, 1)
    assert pairs.unmatched == ((0,), (1,))


def test_distances_between_soft_labels_are_those_of_their_definitions():
    pairs = SoftLabelPairs(read(ConstraintSLPClassifier())[0], read(DeepSLPClassifier())[0])
    assert pairs.unmatched == ((), ())
    found = pairs.divergence
    for pair in found.itertuples():
        p, q = (labels.at_class[pair.at].mean for labels in (pairs.first, pairs.second))
        m = (p + q) / 2
        kl = [sum(a * np.log(a / b) for a, b in zip(x, m, strict=True) if a) for x in (p, q)]
        assert pair.jsd == pytest.approx(np.mean(kl))
        assert pair.total_variation == pytest.approx(np.maximum(p - q, 0).sum())
        assert pair.same_line
    assert pairs.furthest[1] == found["jsd"].max()


def test_a_method_beside_itself_is_no_distance_away():
    labels, *_ = read(DeepSLPClassifier())
    pairs = SoftLabelPairs(labels, labels)
    assert pairs.divergence["jsd"].tolist() == pytest.approx([0] * len(pairs.divergence))


def test_at_a_point_only_its_own_line_speaks():
    labels, model, Q = read(DeepSLPClassifier())
    found = soft_labels_at(labels, model, Q[0])
    line = model.lines_[int(model.place(Q[:1]).line[0])]
    assert set(found) == {line.left, line.right}
    np.testing.assert_allclose(found[line.right], model.soft_labels(Q[:1])[0, 1])
    constant, solved, _ = read(ConstraintSLPClassifier())
    assert soft_labels_at(constant, solved, Q[0]) == {}


def test_at_the_prototypes_each_line_speaks_whichever_the_place_would_ask():
    X, y, _ = data()
    constant = ConstraintSLPClassifier().fit(X, y)
    np.testing.assert_array_equal(soft_labels_at_prototypes(constant), constant.soft_labels_)
    model = DeepSLPClassifier(train_on="line").fit(X, y)
    labels = soft_labels_at_prototypes(model)
    for line, side in np.ndindex(labels.shape[:2]):
        at = model.prototypes_[line, side]
        shares = np.exp(model.coef_[line, side] @ at + model.intercept_[line, side])
        np.testing.assert_allclose(labels[line, side], shares / shares.sum())


def test_over_draws_each_draw_keeps_its_own_labels():
    by_draw = {seed: read(ConstraintSLPClassifier(), seed)[0] for seed in range(4)}
    draws = soft_labels_over_draws(by_draw)
    for draw, labels in by_draw.items():
        assert set(draws.labels.loc[draw].index) == set(labels.at_class)
        for at, one in labels.at_class.items():
            assert (draws.labels.loc[draw, at] == one.mean).all()
    assert draws.known.sum() == sum(len(labels.at_class) for labels in by_draw.values())
    at, of = draws.most_moved
    ranges = [np.ptp(draws.labels.xs(k, level="at"), axis=0).max() for k in draws.known.index]
    low, high = draws.range_of(at, of)
    assert high - low == max(ranges)
    same = soft_labels_over_draws({0: by_draw[0], 1: by_draw[0]})
    assert same.groupings == 1
    assert same.range_of(*same.most_moved) == same.range_of(*same.most_moved)[::-1]


def test_a_line_without_query_examples_has_no_soft_label_on_a_draw():
    X = np.array([[0.0, 0], [1, 0], [0, 50], [1, 50]])
    model = DeepSLPClassifier(n_lines=2, epochs=1).fit(X, list("abcd"))
    by_draw = {draw: read_soft_labels(model, "it", asked) for draw, asked in enumerate((X[:2], X))}
    draws = soft_labels_over_draws(by_draw)
    assert draws.known.tolist() == [2, 2, 1, 1]
    assert [(draw, 2) in draws.labels.index for draw in (0, 1)] == [False, True]


def test_a_class_that_ends_a_line_once_is_compared_with_nothing():
    by_draw = {
        draw: read_soft_labels(
            ConstraintSLPClassifier(n_lines=1).fit(places, list("abcd")), "it", np.zeros((1, 1))
        )
        for draw, places in enumerate(([[0.0], [1], [2], [3]], [[1.0], [0], [3], [2]]))
    }
    draws = soft_labels_over_draws(by_draw)
    assert draws.known.tolist() == [1, 1, 1, 1]
    assert draws.most_moved is None


def test_draws_of_a_line_without_query_examples():
    X, y, _ = data()
    labels = read_soft_labels(DeepSLPClassifier().fit(X, y), "DeepSLP", np.empty((0, 5)))
    draws = soft_labels_over_draws({0: labels, 1: labels})
    assert draws.most_moved is None


def test_hard_labels_of_one_class_lines():
    labels, *_ = read(NearestCentroidClassifier())
    assert len(labels.prototypes) == 7
    assert all(one.mean[one.at] == 1 for one in labels.prototypes)
    assert labels.ordered == ()


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 9), st.integers(0, 10_000))
def test_bands_are_those_of_a_dense_scan(k, seed):
    left, right = np.random.default_rng(seed).dirichlet(np.full(k, 0.5), size=2)
    bands = winning_bands(left, right)
    w = np.linspace(0, 1, 2001)[1:-1]
    scores = w[:, None] * left + (1 - w[:, None]) * right
    band = np.searchsorted(bands.edges, w, side="right") - 1
    claimed = np.array(bands.classes)[band]
    best = scores.max(axis=1)
    np.testing.assert_allclose(scores[np.arange(len(w)), claimed], best, atol=1e-12)
    assert all(a != b for a, b in zip(bands.classes, bands.classes[1:], strict=False))


@pytest.mark.parametrize(("above", "won"), [(1e-10, (0, 2)), (1e-8, (0, 1, 2))])
def test_a_band_no_wider_than_rounding_is_none(above, won):
    """Three classes meet at w = 1/2; the middle one lies above the other two there by a little."""
    bands = winning_bands(np.array([0, 0.5 + above, 1]), np.array([1, 0.5 + above, 0]))
    assert bands.classes == won
    assert bands.edges[1:-1] == pytest.approx([0.5] * (len(won) - 1), abs=1e-7)


def test_intervals_of_the_papers_example():
    model = paper()
    # 65 w = 44 w + 49 (1 − w) and 60 (1 − w) = 44 w + 49 (1 − w)
    bands = winning_bands(*model.soft_labels_[0])
    assert bands.classes == (2, 1, 0)
    assert bands.edges == pytest.approx((0, 11 / 55, 49 / 70, 1))
    alone = winning_bands(np.array([0.4, 0.6]), np.array([0.3, 0.7]))
    assert (alone.classes, alone.edges) == ((1,), (0, 1))


def test_equal_soft_labels_are_known_to_be_equal_whatever_rounding_does():
    rng = np.random.default_rng(0)
    labels, *_ = read(DeepSLPClassifier())
    prototype = labels.prototypes[0]
    for _ in range(200):
        mean = rng.dirichlet(np.ones(7))
        pairs = SoftLabelPairs(
            *(
                replace(labels, prototypes=(replace(prototype, mean=mean * (1 + e)),))
                for e in (0, 1e-16)
            )
        )
        assert pairs.divergence["jsd"][0] == pytest.approx(0, abs=1e-12)
