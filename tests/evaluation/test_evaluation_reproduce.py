"""The code that comes with a model fits it again, bit by bit; lessons say what was computed."""

import os
import subprocess
import sys

import numpy as np
import pytest

import slp_core as slp
from slp_core.evaluation.lessons import (
    constant_factor_lesson,
    loss_scaling_lesson,
    start_lesson,
)
from slp_core.evaluation.reproduce import reproduce, versions


def run_script(script, folder, *arguments):
    """Run it in a process of its own, from a folder that is not the repository."""
    file = folder / "fit again.py"
    file.write_text(script, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(file), *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"},
    )
    return done.stdout, done.stderr


def test_a_script_for_other_data_and_another_draw_says_so(tmp_path):
    dataset = slp.load_dataset("toy_abc")
    X, episode = slp.load_encoder("raw").encode(dataset), dataset.draw(4, 0)
    model = slp.NearestCentroidClassifier().fit(X[episode.support], episode.y_support)
    script = reproduce(
        model,
        dataset="toy_abc",
        shots=4,
        draw=1,
        encoder="raw",
        normalisation=None,
        data_digest="another",
    )
    out, _ = run_script(script, tmp_path)
    assert "the same data: False" in out
    assert "the same to the last bit: False" in out


def test_a_script_asks_for_a_file_that_is_not_there(tmp_path):
    (tmp_path / "numbers.csv").write_text("a,b,class\n" + "1,2,x\n3,4,y\n" * 4)
    dataset = slp.read_dataset(tmp_path / "numbers.csv")
    episode = dataset.draw(1, 0)
    X = slp.load_encoder("numeric").encode(dataset, support=episode.support)
    labels = np.array(dataset.classes)[episode.y_support]
    script = reproduce(
        slp.NearestCentroidClassifier().fit(X[episode.support], labels),
        dataset=dataset.title,
        shots=1,
        draw=0,
        encoder="numeric",
        normalisation=None,
        data_digest=dataset.digest,
        read_as=dataset.read_as,
    )
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    out, error = run_script(script, elsewhere)
    assert not out
    assert error.startswith("Put numbers.csv beside this script")
    out, error = run_script(script, elsewhere, str(tmp_path / "numbers.csv"))
    assert "the same to the last bit: True" in out, error


def test_versions_are_those_in_use():
    assert versions()["numpy"] == np.__version__
    assert versions()["slp_core"] == slp.__version__


def data():
    rng = np.random.default_rng(0)
    y = np.arange(120) % 3
    X = rng.normal(size=(120, 20)) + 1.5 * np.eye(20)[y]
    return X[:24], y[:24], X[24:], y[24:]


def test_lessons_are_computed():
    X, y, X_query, y_query = data()
    lesson = loss_scaling_lesson(X, y, X_query, y_query)
    for (_, accuracy, loss), scaling in zip(lesson.rows, ("per_example", "batch"), strict=True):
        model = slp.DeepSLPClassifier(loss_scaling=scaling).fit(X, y)
        assert accuracy == model.score(X_query, y_query)
        assert loss == pytest.approx(model.history_["loss"][-1].mean())
    lesson = start_lesson(X, y, X_query, y_query, epochs=30)
    random = slp.DeepSLPClassifier(init="xavier", epochs=30).fit(X, y)
    assert lesson.rows[1][1] == random.score(X_query, y_query)
    assert lesson.answer[0]["random"] == random.score(X_query, y_query)


def test_adam_cancels_a_constant_factor():
    X, y, X_query, y_query = data()
    lesson = constant_factor_lesson(X, y, X_query, y_query)
    apart = lesson.rows[0][2]
    still = slp.DeepSLPClassifier(learning_rate=0.0, epochs=1).fit(X, y).coef_
    moved = np.abs(slp.DeepSLPClassifier(loss_scaling="none").fit(X, y).coef_ - still).max()
    assert apart < 1e-3 * moved
