"""Small experiments with the training of DeepSLP say what was computed."""

import numpy as np
import pytest

import slp_core as slp
from slp_core.lessons.experiments import constant_factor, loss_scaling, two_starts


def data():
    rng = np.random.default_rng(0)
    y = np.arange(120) % 3
    X = rng.normal(size=(120, 20)) + 1.5 * np.eye(20)[y]
    return X[:24], y[:24], X[24:], y[24:]


def test_experiments_are_computed():
    X, y, X_query, y_query = data()
    done = loss_scaling(X, y, X_query, y_query)
    for (_, accuracy, loss), scaling in zip(done.rows, ("per_example", "batch"), strict=True):
        model = slp.DeepSLPClassifier(loss_scaling=scaling).fit(X, y)
        assert accuracy == model.score(X_query, y_query)
        assert loss == pytest.approx(model.history_["loss"][-1].mean())
    done = two_starts(X, y, X_query, y_query, epochs=30)
    random = slp.DeepSLPClassifier(init="xavier", epochs=30).fit(X, y)
    assert done.rows[1][1] == random.score(X_query, y_query)
    assert done.answer[0]["random"] == random.score(X_query, y_query)


def test_adam_cancels_a_constant_factor():
    X, y, X_query, y_query = data()
    done = constant_factor(X, y, X_query, y_query)
    apart = done.rows[0][2]
    still = slp.DeepSLPClassifier(learning_rate=0.0, epochs=1).fit(X, y).coef_
    moved = np.abs(slp.DeepSLPClassifier(loss_scaling="none").fit(X, y).coef_ - still).max()
    assert apart < 1e-3 * moved
