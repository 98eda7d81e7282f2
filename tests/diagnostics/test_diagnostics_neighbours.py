"""The nearest rows of an example, one cosine at a time."""

import numpy as np
import pandas as pd
import pytest

from slp_core.diagnostics.encoders import nearest_rows


def test_nearest_rows_have_the_largest_cosines():
    rng = np.random.default_rng(0)
    X, rows = rng.normal(size=(40, 6)), np.arange(3, 40, 2)
    found, cosine = nearest_rows(X[5], X, np.array_split(rows, 2), 7, leave_out=5)
    cosines = {
        row: X[row] @ X[5] / np.linalg.norm(X[row]) / np.linalg.norm(X[5])
        for row in rows
        if row != 5
    }
    best = sorted(cosines, key=lambda row: -cosines[row])[:7]
    assert found.tolist() == best
    np.testing.assert_allclose(cosine, [cosines[row] for row in best])
    assert nearest_rows(X[5], pd.DataFrame(X), [rows], 1)[0].tolist() == [5]
    assert len(nearest_rows(X[5], X, [np.array([5])], 5, leave_out=5)[0]) == 0
    assert nearest_rows(np.zeros(6), X, [rows], 1)[1].tolist() == [0]


@pytest.mark.parametrize("seed", range(40))
def test_neighbours_of_random_rows(seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(1, 12)), int(rng.choice([1, 2, 5]))
    X = rng.integers(-2, 3, size=(n, 3)).astype(float)  # ties, zeros
    row = int(rng.integers(n)) if seed % 3 else None
    x = X[row] if row is not None else rng.normal(size=3)
    near, cosines = nearest_rows(x, X, [np.arange(n)], k, row)
    cosine = {}
    for i in range(n):
        lengths = np.linalg.norm(x) * np.linalg.norm(X[i])
        cosine[i] = float(x @ X[i]) / lengths if lengths else 0.0
    others = sorted((c for i, c in cosine.items() if i != row), reverse=True)
    np.testing.assert_allclose(cosines, others[:k], atol=1e-9)
    np.testing.assert_allclose(cosines, [cosine[i] for i in near], atol=1e-9)
    assert row not in near
