"""Many rows are predicted batch by batch, and as they are at once."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import coo_matrix

from slp_core import ConstraintSLPClassifier, DeepSLPClassifier, NearestCentroidClassifier
from slp_core.methods import tables

METHODS = (NearestCentroidClassifier, ConstraintSLPClassifier, DeepSLPClassifier)


@pytest.fixture
def few_are_many(monkeypatch):
    monkeypatch.setattr(tables, "_NUMBERS_AT_ONCE", 600)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", [np.float32, np.float64, pd.DataFrame])
def test_many_rows_are_predicted_in_batches_as_they_are_at_once(
    method, kind, few_are_many, monkeypatch
):
    rng = np.random.default_rng(0)
    y = np.arange(40) % 5
    X = rng.normal(size=(5, 6))[y] + 0.5 * rng.normal(size=(40, 6))
    points = rng.normal(size=(203, 6))
    if kind is pd.DataFrame:
        X, points = (pd.DataFrame(rows, columns=list("abcdef")) for rows in (X, points))
        points.index = rng.permutation(203)
    else:
        points = points.astype(kind)
    model = method().fit(X, y)
    expected, asked = model.classes_[model.predict_proba(points).argmax(axis=1)], []
    usual = model.predict_proba
    monkeypatch.setattr(model, "predict_proba", lambda X: asked.append(len(X)) or usual(X))
    np.testing.assert_array_equal(model.predict(points), expected)
    assert asked == [100, 100, 3]


@pytest.mark.parametrize("method", METHODS)
def test_memory_beside_very_many_rows_is_bounded(method):
    rng = np.random.default_rng(0)
    y = np.arange(39) % 13
    model = method().fit(rng.normal(size=(39, 32)), y)
    points = rng.standard_normal((300_000, 32), dtype=np.float32)  # 38 MB
    tracemalloc.start()
    model.predict(points)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60e6  # in double precision at once the distances alone would take more


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
    many = np.eye(200, 3)
    np.testing.assert_array_equal(model.predict(coo_matrix(many)), model.predict(many))
