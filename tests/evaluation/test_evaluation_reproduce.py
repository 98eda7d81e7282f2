"""The code that comes with a model fits it again, bit by bit; lessons say what was computed."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import slp_core as slp
from slp_core.evaluation.lessons import (
    constant_factor_lesson,
    loss_scaling_lesson,
    start_lesson,
)
from slp_core.evaluation.reproduce import reproduce, versions

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("name", "encoder", "normalisation", "options", "model"),
    [
        ("airline", "minilm-l4", "l2", {}, slp.DeepSLPClassifier(preset="paper", random_state=3)),
        ("airline", "minilm-l4", "centred_l2", {}, slp.ConstraintSLPClassifier()),
        ("toy_dimensions", "raw", None, {"dimension": 8}, slp.NearestCentroidClassifier()),
    ],
)
def test_the_script_fits_the_same_model(name, encoder, normalisation, options, model):
    dataset = slp.load_dataset(name, **options)
    episode = dataset.draw(8, 2)
    read = slp.load_encoder(encoder, normalisation=normalisation)
    X = read.encode(dataset, support=episode.support)
    model.fit(X[episode.support], np.array(dataset.classes)[episode.y_support])
    script = reproduce(
        model,
        dataset=name,
        shots=8,
        draw=2,
        encoder=encoder,
        normalisation=normalisation,
        dataset_options=options,
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "the same to the last bit: True" in done.stdout, done.stdout + done.stderr


def test_a_script_for_another_model_says_so():
    dataset = slp.load_dataset("toy_abc")
    X, episode = slp.load_encoder("raw").encode(dataset), dataset.draw(4, 0)
    model = slp.NearestCentroidClassifier().fit(X[episode.support], episode.y_support)
    script = reproduce(model, dataset="toy_abc", shots=4, draw=1, encoder="raw", normalisation=None)
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert "the same to the last bit: False" in done.stdout


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
    assert f"{random.score(X_query, y_query):.0%}" in lesson.answer


def test_adam_cancels_a_constant_factor():
    X, y, X_query, y_query = data()
    lesson = constant_factor_lesson(X, y, X_query, y_query)
    apart = lesson.rows[0][2]
    still = slp.DeepSLPClassifier(learning_rate=0.0, epochs=1).fit(X, y).coef_
    moved = np.abs(slp.DeepSLPClassifier(loss_scaling="none").fit(X, y).coef_ - still).max()
    assert apart < 1e-3 * moved
