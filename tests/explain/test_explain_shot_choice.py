"""Choices of shots, and labels that the other rows contradict."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slp_core import SLPError, doubtful_labels, select_shots


@st.composite
def labelled_points(draw):
    n, rng = draw(st.integers(1, 14)), np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = rng.normal(size=(n, 2))
    return (X.round() if draw(st.booleans()) else X), rng.choice(list("abc"), n)


def summed(X, rows, chosen):
    """Of the distances from each of some rows to the nearest of those chosen."""
    return sum(min(np.linalg.norm(X[row] - X[c]) for c in chosen) for row in rows)


@settings(deadline=None)
@given(labelled_points(), st.integers(1, 4))
def test_no_swap_improves_medoids_and_one_medoid_is_the_best(data, shots):
    X, y = data
    chosen = select_shots(X, y, shots)
    assert y[chosen].tolist() == sorted(y[chosen])
    for label in np.unique(y):
        rows = np.flatnonzero(y == label).tolist()
        own = [row for row in chosen.tolist() if y[row] == label]
        assert len(set(own)) == len(own) == min(shots, len(rows))
        swapped = [
            [*(row for row in own if row != out), into]
            for out in own
            for into in set(rows) - set(own)
        ]
        least = min((summed(X, rows, each) for each in swapped), default=np.inf)
        assert summed(X, rows, own) <= least + 1e-9
        if shots == 1:
            assert summed(X, rows, own) <= min(summed(X, rows, [r]) for r in rows) + 1e-9


@given(labelled_points(), st.integers(1, 4))
def test_coverage_goes_on_with_the_row_furthest_from_those_chosen(data, shots):
    X, y = data
    chosen = select_shots(X, y, shots, method="coverage").tolist()
    for label in np.unique(y):
        rows = np.flatnonzero(y == label)
        own = [row for row in chosen if y[row] == label]
        assert len(set(own)) == len(own) == min(shots, len(rows))
        away = np.linalg.norm(X[rows] - X[rows].mean(axis=0), axis=1)
        assert np.linalg.norm(X[own[0]] - X[rows].mean(axis=0)) <= away.min() + 1e-9
        for n in range(1, len(own)):
            reached = [summed(X, [row], own[:n]) for row in rows if row not in own[:n]]
            assert summed(X, own[n : n + 1], own[:n]) >= max(reached) - 1e-9


@pytest.mark.parametrize(
    ("X", "shots", "method", "words"),
    [
        ([[0.0]], 1, "medoids", "There are 1 points and 2 labels"),
        ([[0.0], [1.0]], 0, "medoids", "shots must be 1 or more, not 0."),
        ([[0.0], [1.0]], 1, "best", "method 'best' is not one of medoids, coverage."),
    ],
)
def test_impossible_choices_say_why(X, shots, method, words):
    with pytest.raises(SLPError, match=words):
        select_shots(X, ["a", "b"], shots, method)


def clouds(n, flipped, seed=0):
    """Two clouds of n points, the true labels, and labels of which some are flipped."""
    rng = np.random.default_rng(seed)
    true = np.arange(n) % 2
    X = rng.normal(size=(n, 2)) + 4 * true[:, None]
    given_labels = true.copy()
    given_labels[rng.choice(n, flipped, replace=False)] ^= 1
    return X, true, given_labels


def test_flipped_labels_are_found():
    X, true, labels = clouds(200, 12)
    names = np.array(["yes", "no"])
    table = doubtful_labels(X, names[labels])
    flipped = set(np.flatnonzero(true != labels))
    assert len(flipped & set(table["row"][:12])) >= 11
    assert (table["label"] == names[labels[table["row"]]]).all()
    assert (table["suggested"] != table["label"]).all()
    assert table["margin"].is_monotonic_increasing


def test_a_class_of_one_row_is_not_judged_and_its_row_is_not_doubtful():
    table = doubtful_labels([[0.0], [0.1], [9.0], [9.1], [0.05]], list("aabbc"))
    assert 4 not in table["row"].tolist()
    assert doubtful_labels([[0.0], [1.0]], list("ab")).empty
