"""Small experiments with the training of DeepSLP hold what was computed."""

import numpy as np
import pytest

import slp_core as slp
from slp_core.lessons.experiments import constant_factor, initial_heads, loss_weighting
from slp_core.sentences import significant


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    y = np.arange(120) % 3
    X = rng.normal(size=(120, 20)) + 1.5 * np.eye(20)[y]
    return X[:24], y[:24], X[24:], y[24:]


def test_experiments_are_computed(data):
    X, y, X_query, y_query = data
    text, table = loss_weighting(*data)
    fits = [slp.DeepSLPClassifier(loss_scaling=name).fit(X, y) for name in ("per_example", "batch")]
    assert table["accuracy"].tolist() == [model.score(X_query, y_query) for model in fits]
    losses = [model.history_["loss"][-1].mean() for model in fits]
    assert table["last loss"].tolist() == pytest.approx(losses)
    one, other = (model.predict(X_query).tolist() for model in fits)
    different = sum(a != b for a, b in zip(one, other, strict=True))
    assert text == (
        "**Does it matter whether the loss is weighted per example?** Predictions that differ: "
        f"{different} of 96."
    )
    text, table = initial_heads(*data, epochs=30)
    for place, init in enumerate(("prototype", "xavier")):
        last = slp.DeepSLPClassifier(init=init, epochs=30).fit(X, y)
        first = slp.DeepSLPClassifier(
            init=init, epochs=30, callback=lambda epoch, state: epoch == 1
        ).fit(X, y)
        assert table["accuracy, all epochs"][place] == last.score(X_query, y_query)
        assert table["accuracy, 1 epoch"][place] == first.score(X_query, y_query)
    assert table["heads start"].tolist() == ["as nearest centroid", "at random"]
    assert text == (
        "**Does it matter where the heads start?** Accuracy after one epoch and at the end, on 96 "
        "query examples. Learning rate and batches: our own, not the paper's."
    )


def test_adam_cancels_a_constant_factor(data):
    X, y, *_ = data
    text, _ = constant_factor(*data)
    whole = {"batch_size": 0}
    still = slp.DeepSLPClassifier(learning_rate=0.0, epochs=1, **whole).fit(X, y).coef_
    none = slp.DeepSLPClassifier(loss_scaling="none", **whole).fit(X, y).coef_
    batch = slp.DeepSLPClassifier(loss_scaling="batch", **whole).fit(X, y).coef_
    moved, apart = np.abs(none - still).max(), np.abs(none - batch).max()
    assert apart < 1e-3 * moved
    assert text == (
        "**Does a constant factor on the loss matter?** Hardly: Adam divides it out. Weights "
        f"change by up to {significant(moved, 2)} in training, and by up to "
        f"{significant(apart, 2)} through the factor."
    )
