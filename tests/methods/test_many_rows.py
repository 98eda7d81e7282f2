"""Many rows are answered part by part, and as they are all at once."""

import numpy as np
import pytest

from slp_core import ConstraintSLPClassifier, DeepSLPClassifier, NearestCentroidClassifier
from slp_core.methods import base


@pytest.mark.parametrize(
    "method", [NearestCentroidClassifier, ConstraintSLPClassifier, DeepSLPClassifier]
)
def test_many_rows_are_answered_in_parts_as_they_are_at_once(method, monkeypatch):
    rng = np.random.default_rng(0)
    y = np.arange(40) % 5
    X = rng.normal(size=(5, 6))[y] + 0.5 * rng.normal(size=(40, 6))
    model, points = method().fit(X, y), rng.normal(size=(103, 6)).astype(np.float32)
    expected, asked = model.predict(points), []
    monkeypatch.setattr(base, "_MANY_ROWS", 102)
    monkeypatch.setattr(base, "_ROWS_AT_ONCE", 10)
    answer = model.predict_proba
    monkeypatch.setattr(model, "predict_proba", lambda X: asked.append(len(X)) or answer(X))
    np.testing.assert_array_equal(model.predict(points), expected)
    assert asked == [10] * 10 + [3]
    asked.clear()
    model.predict(points[:102])
    assert asked == [102]
