"""The nearest rows of an example, one cosine at a time."""

import numpy as np
import pandas as pd
import pytest

from slp_core.diagnostics.neighbours import (
    nearest_rows,
    nearest_rows_twice,
)


def test_nearest_rows_have_the_largest_cosines():
    rng = np.random.default_rng(0)
    X, rows = rng.normal(size=(40, 6)), np.arange(3, 40, 2)
    found, cosine = nearest_rows(X[5], X, rows, 7, leave_out=5)
    cosines = {
        row: X[row] @ X[5] / np.linalg.norm(X[row]) / np.linalg.norm(X[5])
        for row in rows
        if row != 5
    }
    best = sorted(cosines, key=lambda row: -cosines[row])[:7]
    assert found.tolist() == best
    np.testing.assert_allclose(cosine, [cosines[row] for row in best])
    assert nearest_rows(X[5], pd.DataFrame(X), rows, 1)[0].tolist() == [5]
    assert len(nearest_rows(X[5], X, np.array([5]), 5, leave_out=5)[0]) == 0
    assert nearest_rows(np.zeros(6), X, rows, 1)[1].tolist() == [0]


def test_a_row_is_no_neighbour_of_itself_under_either_encoder():
    rng = np.random.default_rng(0)
    spaces = rng.normal(size=(20, 6)), rng.normal(size=(20, 3))
    y = np.arange(20) % 2
    parts, among = (np.arange(5), np.arange(8, 20)), [*range(5), *range(8, 20)]
    asked = ("a", "b"), ("p", "q"), [X[9] for X in spaces], spaces, y, parts
    twice = nearest_rows_twice(*asked, 4, row=9)
    for X, near, labels in zip(spaces, twice.rows, twice.labels, strict=True):
        expected, _ = nearest_rows(X[9], X, np.array(among), 4, leave_out=9)
        assert near.tolist() == expected.tolist()
        assert labels.tolist() == [row % 2 for row in near]
    assert (twice.true, twice.n) == (1, len(among))
    typed = nearest_rows_twice(*asked, 1)
    assert [near.tolist() for near in typed.rows] == [[9], [9]]
    assert typed.true is None


@pytest.mark.parametrize("seed", range(40))
def test_neighbours_of_random_rows(seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(1, 12)), int(rng.choice([1, 2, 5]))
    spaces = [rng.integers(-2, 3, size=(n, d)).astype(float) for d in (3, 2)]  # ties, zeros
    y, row = rng.integers(3, size=n), int(rng.integers(n)) if seed % 3 else None
    at = [X[row] if row is not None else rng.normal(size=X.shape[1]) for X in spaces]
    half = np.array_split(np.arange(n), 2)
    found = nearest_rows_twice(("a", "b"), ("p", "q", "r"), at, spaces, y, half, k, row)
    lists = [near.tolist() for near in found.rows]
    each = zip(at, spaces, found.rows, found.cosine, found.labels, strict=True)
    for x, X, near, cosines, labels in each:
        cosine = {}
        for i in range(n):
            lengths = np.linalg.norm(x) * np.linalg.norm(X[i])
            cosine[i] = float(x @ X[i]) / lengths if lengths else 0.0
        others = sorted((c for i, c in cosine.items() if i != row), reverse=True)
        np.testing.assert_allclose(cosines, others[:k], atol=1e-9)
        np.testing.assert_allclose(cosines, [cosine[i] for i in near], atol=1e-9)
        assert row not in near
        assert labels.tolist() == y[near].tolist()
    assert found.shared.tolist() == sorted(set(lists[0]) & set(lists[1]))
    if row is not None:
        own = tuple(sum(int(y[i] == y[row]) for i in rows) for rows in lists)
        assert found.of_own_class == own
