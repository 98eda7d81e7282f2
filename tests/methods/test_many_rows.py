"""Many rows are answered part by part, and as they are one by one."""

import threading
import warnings
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_matrix

from slp_core import ConstraintSLPClassifier, DeepSLPClassifier, NearestCentroidClassifier
from slp_core.lines import distances, project_on_segments
from slp_core.methods import base, quick

METHODS = (NearestCentroidClassifier, ConstraintSLPClassifier, DeepSLPClassifier)


@pytest.fixture
def few_are_many(monkeypatch):
    monkeypatch.setattr(base, "_MANY_ROWS", 102)
    monkeypatch.setattr(base, "_QUICK_ROWS_AT_ONCE", 10)
    monkeypatch.setattr(quick, "_LITTLE", 200)  # 5 or 6 of them multiplied at once
    monkeypatch.setattr(quick, "_FEW", 1)


@pytest.mark.parametrize("method", METHODS)
def test_many_rows_are_answered_in_parts_as_they_are_at_once(method, few_are_many, monkeypatch):
    rng = np.random.default_rng(0)
    y = np.arange(40) % 5
    X = rng.normal(size=(5, 6))[y] + 0.5 * rng.normal(size=(40, 6))
    model, points = method().fit(X, y), rng.normal(size=(103, 6)).astype(np.float32)
    expected, asked = model.classes_[model.predict_proba(points).argmax(axis=1)], []
    answer = model.predict_proba
    monkeypatch.setattr(model, "predict_proba", lambda X: asked.append(len(X)) or answer(X))
    np.testing.assert_array_equal(model.predict(points), expected)
    assert sum(asked) < 5  # the others are sure in single precision
    asked.clear()
    np.testing.assert_array_equal(model.predict(points.tolist()), expected)
    assert asked == [103]
    asked.clear()
    model.predict(points[:102])
    assert asked == [102]


@pytest.mark.parametrize("threads", [1, 3])
def test_parts_are_answered_on_as_many_threads_as_a_product_takes(
    threads, few_are_many, monkeypatch
):
    rng = np.random.default_rng(0)
    model = NearestCentroidClassifier().fit(rng.normal(size=(6, 4)), np.arange(6))
    quick, now, asked = model._quick(), [], []
    answer = quick.winners

    class Blas:  # the process's own may be limited by whatever else runs in it
        def info(self):
            return [{"num_threads": threads}, {"num_threads": 8}]

        @contextmanager
        def limit(self, limits):
            now.append(limits)
            yield
            now.pop()

    def watched(X):
        asked.append((threading.current_thread() is threading.main_thread(), *now))
        return answer(X)

    monkeypatch.setattr("slp_core.methods.quick._blas", Blas)
    monkeypatch.setattr(quick, "winners", watched)
    monkeypatch.setattr(model, "_quick", lambda: quick)
    model.predict(rng.normal(size=(200, 4)))
    assert not now
    assert asked == [(True,) if threads == 1 else (False, 1)] * 20


@settings(max_examples=150, deadline=None)
@given(
    method=st.sampled_from(METHODS),
    options=st.fixed_dictionaries(
        {},
        optional={
            "assignment": st.sampled_from(["segment", "prototype"]),
            "distance": st.sampled_from(["euclidean", "along_line"]),
            "n_lines": st.sampled_from(["half", "all", 1]),
        },
    ),
    train_on=st.sampled_from(["all", "line"]),
    seed=st.integers(0, 10**6),
    scale=st.sampled_from([1e-100, 1e-30, 1e-9, 1e-3, 1.0, 1e6, 1e25]),
    offset=st.sampled_from([0.0, 1.0, 1e3, 1e7]),
    single=st.booleans(),
)
def test_quick_answers_are_those_of_double_precision(
    method, options, train_on, seed, scale, offset, single
):
    rng = np.random.default_rng(seed)
    n_classes, d = int(rng.integers(2, 7)), int(rng.integers(1, 9))
    y = np.arange(4 * n_classes) % n_classes
    grid = rng.integers(-2, 3, size=(n_classes, d)).astype(float)  # ties, and equal centroids
    X = scale * (offset + grid[y] + rng.choice([0.0, 0.3]) * rng.normal(size=(len(y), d)))
    if method is NearestCentroidClassifier:
        options = {}
    if method is DeepSLPClassifier:
        options = {"train_on": train_on, "epochs": 3, **options}
    model = method(**options).fit(X, y)
    asked = np.concatenate(
        [
            scale * (offset + rng.normal(size=(30, d)) * 3),
            scale * (offset + rng.integers(-2, 3, size=(30, d))),
            model.centroids_,
            model.prototypes_.mean(axis=1),
            X * (1 + 1e-7),
        ]
    ).astype(np.float32 if single else np.float64)
    expected = model.predict_proba(asked).argmax(axis=1)
    with np.errstate(over="ignore"):
        winner, sure = model._quick().winners(asked)
    np.testing.assert_array_equal(winner[sure], expected[sure])
    # The usual way itself rounds a row otherwise among other rows: where it is a tie, that tells.
    if not sure.all():
        expected[~sure] = model.predict_proba(asked[~sure]).argmax(axis=1)
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings(action="error"):
        patch.setattr(base, "_MANY_ROWS", 0)
        np.testing.assert_array_equal(model.predict(asked), model.classes_[expected])


def of_lines(prototypes, rule, votes):
    prototypes = np.array(prototypes, dtype=float)
    lengths = np.linalg.norm(prototypes[:, 1] - prototypes[:, 0], axis=1)
    return quick.QuickLines(prototypes, lengths, quick.LineRule(**RULE | rule), votes)


RULE = {"by_segment": True, "along_line": False, "floor": 1e-9, "unit": 1.0}


@pytest.mark.parametrize("by_segment", [True, False])
def test_of_two_lines_almost_as_near_none_is_sure_to_be_the_nearest(by_segment):
    rng = np.random.default_rng(0)
    prototypes = rng.normal(size=(2, 2, 5)) + 3
    votes = [
        quick.Votes(np.array([line]), np.ones((2, 1, 1), np.float32), np.zeros(1), 0.0)
        for line in range(2)
    ]
    asked_of = of_lines(prototypes, {"by_segment": by_segment}, lambda line, *_: votes[line])

    def nearest(X):
        if by_segment:
            _, off = project_on_segments(X, prototypes[:, 0], prototypes[:, 1])
        else:
            off = distances(X, prototypes.reshape(4, 5)).reshape(-1, 2, 2).min(axis=2)
        return off.argmin(axis=1)

    X = rng.normal(size=(2_000, 5)) + 3
    first, second = (X[nearest(X) == line][:300] for line in range(2))
    n = min(len(first), len(second))
    first, second = first[:n], second[:n]
    for _ in range(40):
        middle = (first + second) / 2
        own = nearest(middle)[:, None] == 0
        first, second = np.where(own, middle, first), np.where(own, second, middle)
    for lead, told in ((0.0, False), (1e-2, True)):
        for line, points in enumerate((first, second)):
            ends = prototypes[line].mean(axis=0)
            points = points + lead * (ends - points)
            winner, sure = asked_of.winners(points)
            assert (winner[sure] == nearest(points)[sure]).all()
            assert sure.mean() > 0.9 if told else not sure.any()


@pytest.mark.parametrize("wrong", [0.0, 0.04, 0.06])
def test_a_lead_that_wrong_votes_could_make_up_for_is_not_sure(wrong):
    values = np.array([[[0.6], [0.5]], [[0.6], [0.5]]], dtype=np.float32)
    votes = quick.Votes(np.arange(2), values, np.array([wrong], np.float32), 0.0)
    asked_of = of_lines([[[-1, 0], [1, 0]]], {}, lambda *_: votes)
    winner, sure = asked_of.winners(np.array([[0.0, 1.0]]))
    assert (winner.tolist(), sure.tolist()) == ([0], [wrong < 0.05])


@pytest.mark.parametrize("others", [-np.inf, 0.0])
def test_a_winner_behind_the_other_classes_is_not_sure(others):
    values = np.array([[[-0.5], [-0.9]], [[-0.5], [-0.9]]], dtype=np.float32)
    votes = quick.Votes(np.arange(2), values, np.zeros(1, np.float32), others)
    asked_of = of_lines([[[-1, 0], [1, 0]]], {}, lambda *_: votes)
    winner, sure = asked_of.winners(np.array([[0.0, 1.0]]))
    assert (winner.tolist(), sure.tolist()) == ([0], [others < 0])


@pytest.mark.parametrize("along_line", [True, False])
def test_within_the_least_distance_the_far_prototype_still_has_its_say(along_line):
    """Right beside the left one: 0.5 / 0.1 against 0.45 / 0.1 + 1 / 0.99."""
    values = np.array([[[0.5], [0.45]], [[0.0], [1.0]]], dtype=np.float32)
    votes = quick.Votes(np.arange(2), values, np.zeros(1, np.float32), 0.0)
    rule = {"along_line": along_line, "floor": 0.1}
    asked_of = of_lines([[[0, 0], [1, 0]]], rule, lambda *_: votes)
    winner, sure = asked_of.winners(np.array([[0.01, 0.0]]))
    assert (winner.tolist(), sure.tolist()) == ([1], [True])


@pytest.mark.parametrize("method", METHODS)
def test_numbers_that_are_not_finite_are_refused_among_many(method, few_are_many):
    rng = np.random.default_rng(1)
    model = method().fit(rng.normal(size=(8, 3)), np.arange(8) % 2)
    for bad in (np.nan, np.inf):
        points = rng.normal(size=(200, 3))
        points[150, 1] = bad
        with pytest.raises(ValueError, match=r"NaN|infinity"):
            model.predict(points)
    with pytest.raises(ValueError, match="features"):
        model.predict(rng.normal(size=(200, 4)))
    with pytest.raises(TypeError, match="Sparse data"):
        model.predict(coo_matrix(np.eye(200, 3)))
