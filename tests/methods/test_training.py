"""Training that is watched is the same training."""

import json

import numpy as np
import pytest

from slp_core import DeepSLPClassifier
from slp_core.errors import Cancelled, SLPError
from slp_core.methods.training import MOST_FRAMES, record, train, uses_seed


def data(k=4, d=10, shots=6):
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(k), shots)
    centre = 2 * rng.normal(size=(k, d))
    query = np.arange(60) % k
    return (
        centre[y] + rng.normal(size=(len(y), d)),
        y,
        centre[query] + rng.normal(size=(60, d)),
        query,
    )


@pytest.mark.parametrize("options", [{}, {"preset": "paper"}, {"epochs": 130}])
def test_a_watched_run_gives_the_model_that_fit_gives(options):
    X, y, X_query, y_query = data()
    plain = DeepSLPClassifier(**options).fit(X, y)
    run = train(DeepSLPClassifier(**options), X, y, X_query, y_query)
    model = run.model
    np.testing.assert_array_equal(model.coef_, plain.coef_)
    np.testing.assert_array_equal(model.intercept_, plain.intercept_)
    assert model.callback is None
    curves = run.curves
    assert len(curves["epoch"]) == run.epochs == len(plain.history_["loss"])
    assert curves["query"].iloc[-1] == plain.score(X_query, y_query)
    assert curves["support"].iloc[-1] == plain.score(X, y)
    np.testing.assert_allclose(curves["loss"], np.nanmean(plain.history_["loss"], axis=1))


@pytest.mark.parametrize("epochs", [1, 2, 39, 40, 41, 100, 333])
def test_frames_are_few_evenly_spaced_and_end_with_the_model(epochs):
    X, y, X_query, y_query = data()
    run = train(DeepSLPClassifier(epochs=epochs), X, y, X_query, y_query, look=lambda *seen: seen)
    at = [epoch for epoch, _ in run.frames]
    assert len(at) == min(epochs, len(at)) <= MOST_FRAMES
    assert (at[0], at[-1]) == (1, epochs)
    gaps = np.diff(at)[:-1]
    assert len(gaps) == 0 or gaps.min() == gaps.max()
    if epochs <= MOST_FRAMES:
        assert at == list(range(1, epochs + 1))
    accuracies = run.curves["query"][np.array(at) - 1]
    for (_, model), accuracy in zip(run.frames, accuracies, strict=True):
        assert model.score(X_query, y_query) == accuracy
    np.testing.assert_array_equal(run.frames[-1][1].predict_proba(X), run.model.predict_proba(X))


def test_a_run_tells_how_far_it_is_and_ends_when_nobody_wants_it():
    seen = []
    train(DeepSLPClassifier(epochs=3), *data(), seen.append)
    assert [(each.done, each.total) for each in seen] == [(1, 3), (2, 3), (3, 3)]
    assert seen[-1].seconds_left == 0
    with pytest.raises(Cancelled):
        train(DeepSLPClassifier(epochs=5_000), *data(), seen.append, lambda: len(seen) > 5)
    assert len(seen) == 6


def test_a_run_whose_heads_grow_beyond_all_numbers_fails_in_a_sentence():
    X, y, X_query, y_query = data()
    with pytest.raises(SLPError, match=r"a learning rate of 1000 .* choose smaller"):
        train(DeepSLPClassifier(learning_rate=1e3), X, y, X_query, y_query)


def test_a_record_is_what_was_measured():
    run = train(DeepSLPClassifier(epochs=6), *data())
    found = record(run, dataset="planted")
    assert found["dataset"] == "planted"
    assert found["settings"]["epochs"] == 6
    assert None not in found["settings"].values()  # the preset's own values
    assert "callback" not in found["settings"]
    assert found["final"]["query accuracy"] == run.curves["query"].iloc[-1]
    assert len(found["curves"]["loss"]) == 6


@pytest.mark.parametrize(
    "options",
    [{}, {"preset": "paper", "n_lines": 1}, {"init": "xavier", "batch_size": 5}],
)
def test_the_record_holds_the_settings_that_were_used(options):
    X, y, X_query, y_query = data()
    run = train(DeepSLPClassifier(**options), X, y, X_query, y_query)
    settings = json.loads(json.dumps(record(run), allow_nan=False))["settings"]
    assert {"init", "epochs", "learning_rate", "batch_size"} <= settings.keys()
    assert None not in settings.values()
    # the other preset, with these values, is the same model but for its units
    again = DeepSLPClassifier(**settings).fit(X, y)
    np.testing.assert_array_equal(again.coef_, run.model.coef_)
    assert settings["epochs"] == run.epochs


def test_a_record_of_lines_with_different_epochs_lists_them():
    X = np.array([[0, 0], [5, 0], [10, 0], [0, 100], [10, 100]], dtype=float)
    y = np.arange(5)
    run = train(DeepSLPClassifier(preset="paper", n_lines=2), X, y, X, y)
    sizes = [len(line.classes) for line in run.model.lines_]
    assert len(set(sizes)) > 1
    assert record(run)["settings"]["epochs"] == [15 + 10 * (size - 2) for size in sizes]


def test_whether_a_seed_is_used():
    X, y, *_ = data()
    for options in (
        {},
        {"preset": "paper"},
        {"init": "xavier"},
        {"batch_size": 5},
        {"batch_size": len(X)},
        {"batch_size": len(X) - 1},
        {"batch_size": len(X) - 1, "train_on": "line"},
        {"batch_size": 5, "train_on": "line"},
    ):
        watched, untouched = np.random.RandomState(0), np.random.RandomState(0)
        DeepSLPClassifier(random_state=watched, epochs=1, **options).fit(X, y)
        used = watched.randint(2**31) != untouched.randint(2**31)
        assert uses_seed(DeepSLPClassifier(**options), X, y) == used


def test_no_query_points():
    X, y, X_query, y_query = data()
    run = train(DeepSLPClassifier(epochs=2), X, y, X_query[:0], y_query[:0])
    assert np.isnan(run.curves["query"]).all()
    assert record(run)["final"]["query accuracy"] is None


def test_with_many_classes_few_epochs_are_measured_and_looked_at():
    X, y, X_query, y_query = data(k=51, shots=1)
    run = train(DeepSLPClassifier(epochs=30, train_on="line"), X, y, X_query, y_query)
    assert run.frames == tuple(run.curves["epoch"]) == (1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 30)
    assert run.epochs == 30
    model = DeepSLPClassifier(epochs=30, train_on="line").fit(X, y)
    np.testing.assert_array_equal(run.model.coef_, model.coef_)
    assert run.curves["query"].iloc[-1] == (model.predict(X_query) == y_query).mean()
