"""Training that is watched is the same training."""

import json
import threading
import time

import numpy as np
import pytest

from slp_core import DeepSLPClassifier
from slp_core.errors import Cancelled, SLPError
from slp_core.methods.training import MOST_FRAMES, TrainingRun, record, uses_seed


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


def start(run):
    thread = threading.Thread(target=run.work, daemon=True)
    thread.start()
    return thread


def until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.mark.parametrize("options", [{}, {"preset": "paper"}, {"epochs": 130}])
def test_a_watched_run_gives_the_model_that_fit_gives(options):
    X, y, X_query, y_query = data()
    plain = DeepSLPClassifier(**options).fit(X, y)
    run = TrainingRun(DeepSLPClassifier(**options), X, y, X_query, y_query)
    run.work()
    model = run.model
    np.testing.assert_array_equal(model.coef_, plain.coef_)
    np.testing.assert_array_equal(model.intercept_, plain.intercept_)
    assert (run.state, run.ended, model.callback) == ("done", True, None)
    curves = run.curves
    assert len(curves.epoch) == run.epochs == len(plain.history_["loss"])
    assert curves.query[-1] == plain.score(X_query, y_query)
    assert curves.support[-1] == plain.score(X, y)
    np.testing.assert_allclose(curves.loss, np.nanmean(plain.history_["loss"], axis=1))


@pytest.mark.parametrize("epochs", [1, 2, 39, 40, 41, 100, 333])
def test_frames_are_few_evenly_spaced_and_end_with_the_model(epochs):
    X, y, X_query, y_query = data()
    run = TrainingRun(DeepSLPClassifier(epochs=epochs), X, y, X_query, y_query)
    run.work()
    model = run.model
    at = [frame.epoch for frame in run.frames]
    assert len(at) == min(epochs, len(at)) <= MOST_FRAMES
    assert (at[0], at[-1]) == (1, epochs)
    gaps = np.diff(at)[:-1]
    assert len(gaps) == 0 or gaps.min() == gaps.max()
    if epochs <= MOST_FRAMES:
        assert at == list(range(1, epochs + 1))
    last = run.at(run.frames[-1])
    np.testing.assert_allclose(last.predict_proba(X), model.predict_proba(X), atol=1e-5)


def test_pause_step_resume_and_stop():
    X, y, X_query, y_query = data()
    run = TrainingRun(DeepSLPClassifier(epochs=5_000), X, y, X_query, y_query)
    thread = start(run)
    until(lambda: run.epoch > 3)
    run.pause()
    thread.join(60)  # a pause holds no thread
    assert not thread.is_alive()
    there = run.epoch
    assert run.state == "paused"
    for done in (1, 2):
        run.step()
        assert run.state == "waiting"
        run.work()
        assert (run.epoch, run.state) == (there + done, "paused")
    run.resume()
    thread = start(run)
    until(lambda: run.epoch > there + 10)
    run.stop()
    thread.join(60)
    assert run.state == "stopped"
    assert run.model is not None
    assert run.epoch < 5_000
    stopped = DeepSLPClassifier(epochs=5_000, callback=lambda e, _: e == run.epoch).fit(X, y)
    np.testing.assert_array_equal(run.model.coef_, stopped.coef_)


def test_a_paused_run_can_be_stopped_and_one_that_nobody_wants_is_cancelled():
    X, y, X_query, y_query = data()
    run = TrainingRun(DeepSLPClassifier(), X, y, X_query, y_query)
    run.pause()
    run.work()
    assert (run.state, run.epoch, run.model) == ("paused", 1, None)
    run.stop()
    run.work()
    assert (run.state, run.epoch) == ("stopped", 1)
    np.testing.assert_allclose(run.model.coef_, run.frames[-1].coef, atol=1e-6)
    with pytest.raises(Cancelled):
        TrainingRun(DeepSLPClassifier(), X, y, X_query, y_query).work(lambda: True)


def test_a_run_whose_heads_grow_beyond_all_numbers_fails_in_a_sentence():
    X, y, X_query, y_query = data()
    run = TrainingRun(DeepSLPClassifier(learning_rate=1e3), X, y, X_query, y_query)
    with pytest.raises(SLPError, match=r"a learning rate of 1000 .* choose smaller"):
        run.work()
    assert (run.state, run.model) == ("failed", None)
    assert all(np.isfinite(frame.coef).all() for frame in run.frames)


def test_pace_and_record():
    X, y, X_query, y_query = data()
    run = TrainingRun(DeepSLPClassifier(epochs=6), X, y, X_query, y_query, pace=40)
    run.work()
    assert run.seconds >= 5 / 40  # five waits between six epochs
    assert run.seconds_left == 0
    found = record(run, dataset="planted")
    assert found["dataset"] == "planted"
    assert found["settings"]["epochs"] == 6
    assert None not in found["settings"].values()  # the preset's own values
    assert "callback" not in found["settings"]
    assert found["final"]["query accuracy"] == run.curves.query[-1]
    assert len(found["curves"]["loss"]) == 6


def test_a_wait_that_is_broken_off_is_no_part_of_the_time():
    run = TrainingRun(DeepSLPClassifier(epochs=6), *data(), pace=0.1)
    thread = start(run)
    until(lambda: run.epoch == 1)
    time.sleep(0.1)
    run.stop()
    thread.join(60)
    assert (run.epoch, run.waited) == (1, 0.0)


@pytest.mark.parametrize(
    "options",
    [{}, {"preset": "paper", "n_lines": 1}, {"init": "xavier", "batch_size": 5}],
)
def test_the_record_holds_the_settings_that_were_used(options):
    X, y, X_query, y_query = data()
    run = TrainingRun(DeepSLPClassifier(**options), X, y, X_query, y_query)
    run.work()
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
    run = TrainingRun(DeepSLPClassifier(preset="paper", n_lines=2), X, y, X, y)
    run.work()
    sizes = [len(line.classes) for line in run.model.lines_]
    assert len(set(sizes)) > 1
    assert record(run)["settings"]["epochs"] == [15 + 10 * (size - 2) for size in sizes]


def test_a_run_that_fails_is_no_longer_under_way():
    X, y, X_query, y_query = data()
    run = TrainingRun(DeepSLPClassifier(n_lines="odd"), X, y, X_query, y_query)
    assert run.under_way
    with pytest.raises(Exception, match="odd"):
        run.work()
    assert (run.state, run.under_way, run.ended) == ("failed", False, False)


def test_whether_a_seed_is_used():
    X, y, *_ = data()
    for options, used in (
        ({}, False),
        ({"preset": "paper"}, True),
        ({"init": "xavier"}, True),
        ({"batch_size": 5}, True),
        ({"batch_size": len(X)}, False),
    ):
        assert uses_seed(DeepSLPClassifier(**options), X, y) == used


def test_no_query_points():
    X, y, X_query, y_query = data()
    run = TrainingRun(DeepSLPClassifier(epochs=2), X, y, X_query[:0], y_query[:0])
    run.work()
    assert np.isnan(run.curves.query).all()
    assert record(run)["final"]["query accuracy"] is None
