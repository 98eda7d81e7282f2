"""The nearest rows of an example, one cosine at a time."""

import re

import numpy as np
import pandas as pd
import pytest

from slp_core.diagnostics.neighbours import (
    Neighbours,
    NeighboursTwice,
    nearest_rows,
    nearest_rows_twice,
)
from slp_core.markdown import unmarked


def test_nearest_rows_have_the_largest_cosines():
    rng = np.random.default_rng(0)
    X, rows = rng.normal(size=(40, 6)), np.arange(3, 40, 2)
    found = nearest_rows(X[5], X, rows, 7, leave_out=5)
    cosines = {
        row: X[row] @ X[5] / np.linalg.norm(X[row]) / np.linalg.norm(X[5])
        for row in rows
        if row != 5
    }
    best = sorted(cosines, key=lambda row: -cosines[row])[:7]
    assert found.rows.tolist() == best
    np.testing.assert_allclose(found.cosine, [cosines[row] for row in best])
    assert nearest_rows(X[5], pd.DataFrame(X), rows, 1).rows.tolist() == [5]
    assert len(nearest_rows(X[5], X, np.array([5]), 5, leave_out=5).rows) == 0
    assert nearest_rows(np.zeros(6), X, rows, 1).cosine.tolist() == [0]


def test_a_row_is_no_neighbour_of_itself_under_either_encoder():
    rng = np.random.default_rng(0)
    spaces = rng.normal(size=(20, 6)), rng.normal(size=(20, 3))
    y = np.arange(20) % 2
    parts, among = (np.arange(5), np.arange(8, 20)), [*range(5), *range(8, 20)]
    asked = ("a", "b"), ("p", "q"), [X[9] for X in spaces], spaces, y, parts
    twice = nearest_rows_twice(*asked, 4, row=9)
    for X, near, labels in zip(spaces, twice.nearest, twice.labels, strict=True):
        expected = nearest_rows(X[9], X, np.array(among), 4, leave_out=9)
        assert near.rows.tolist() == expected.rows.tolist()
        assert labels.tolist() == [row % 2 for row in near.rows]
    assert (twice.true, twice.n) == (1, len(among))
    typed = nearest_rows_twice(*asked, 1)
    assert [near.rows.tolist() for near in typed.nearest] == [[9], [9]]
    assert typed.true is None


@pytest.mark.parametrize(
    ("before", "after", "most"),
    [
        ("aabbc", "bbbcc", "a and b have 2 each under one, and b has 3 under other"),
        ("aabbc", "bbaac", "a and b have 2 each under one and 2 each under other"),
        ("aabcd", "aaabc", "a has 2 under one and 3 under other"),
        ("abbcd", "abcde", "b has 2 under one, and a, b, c, d and e have 1 each under other"),
    ],
)
def test_all_classes_that_are_level_are_named_and_one_is_named_once(before, after, most):
    labels = [np.array(["abcde".index(name) for name in names]) for names in (before, after)]
    none = Neighbours(np.arange(5), np.ones(5)), Neighbours(np.arange(5, 10), np.ones(5))
    twice = NeighboursTwice(("one", "other"), tuple("abcde"), none, tuple(labels), None, 10)
    said = re.sub(r"[^\w ,;:.]", "", unmarked(twice.sentence()))  # shapes and quotes
    assert " ".join(said.split()) == f"Of the 5 nearest, {most}; rows in both lists: 0."
