"""Small experiments with the training of DeepSLP hold what was computed."""

import numpy as np
import pytest

import slp_core as slp
from slp_core.lessons.experiments import constant_factor, initial_heads, loss_weighting


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    y = np.arange(120) % 3
    X = rng.normal(size=(120, 20)) + 1.5 * np.eye(20)[y]
    return X[:24], y[:24], X[24:], y[24:]


def test_experiments_are_computed(data):
    X, y, X_query, y_query = data
    done = loss_weighting(*data)
    fits = [slp.DeepSLPClassifier(loss_scaling=name).fit(X, y) for name in ("per_example", "batch")]
    assert done.accuracy == tuple(model.score(X_query, y_query) for model in fits)
    assert done.loss == pytest.approx([model.history_["loss"][-1].mean() for model in fits])
    one, other = (model.predict(X_query).tolist() for model in fits)
    assert (done.different, done.m) == (sum(a != b for a, b in zip(one, other, strict=True)), 96)
    done = initial_heads(*data, epochs=30)
    for place, init in enumerate(("prototype", "xavier")):
        last = slp.DeepSLPClassifier(init=init, epochs=30).fit(X, y)
        first = slp.DeepSLPClassifier(
            init=init, epochs=30, callback=lambda epoch, state: epoch == 1
        ).fit(X, y)
        assert done.final[place] == last.score(X_query, y_query)
        assert done.early[place] == first.score(X_query, y_query)


def test_adam_cancels_a_constant_factor(data):
    X, y, *_ = data
    done = constant_factor(*data)
    whole = {"batch_size": 0}
    still = slp.DeepSLPClassifier(learning_rate=0.0, epochs=1, **whole).fit(X, y).coef_
    none = slp.DeepSLPClassifier(loss_scaling="none", **whole).fit(X, y).coef_
    batch = slp.DeepSLPClassifier(loss_scaling="batch", **whole).fit(X, y).coef_
    assert done.moved == pytest.approx(np.abs(none - still).max())
    assert done.apart == pytest.approx(np.abs(none - batch).max())
    assert done.apart < 1e-3 * done.moved


def test_an_empty_query_set_has_no_accuracy(data):
    X, y, *_ = data
    for experiment in (loss_weighting, constant_factor):
        done = experiment(X, y, np.empty((0, 20)), y[:0], epochs=2)
        assert np.isnan(done.accuracy).all()
