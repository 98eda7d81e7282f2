"""A run as the browser plays it: every frame carries its own epoch."""

import base64
import json

import numpy as np
import pytest

from slp_core import DeepSLPClassifier, fit_projection
from slp_core.figures.player import Stage, drawn_facts, player_data
from slp_core.figures.style.theme import DARK, LIGHT, class_style
from slp_core.figures.training import RunsDisplay, curves_table
from slp_core.methods.training import train
from slp_core.views.epochs import epoch_picture

NAMES = ("ant", "bee", "<b>", "dog")


@pytest.fixture(scope="module")
def shown():
    rng = np.random.default_rng(0)
    y = np.arange(80) % 4
    X = rng.normal(size=(80, 9)) + 2 * np.eye(9)[y]
    labels = np.array(["ant", "bee", "cat", "dog"])[y]
    projection = fit_projection(X)
    run = train(
        DeepSLPClassifier(epochs=12),
        *(X[:24], labels[:24], X[24:], labels[24:]),
        look=lambda epoch, model: epoch_picture(epoch, model, projection, X[:24]),
    )
    stage = Stage(
        NAMES,
        run.model.lines_,
        projection.points[24:],
        y[24:],
        projection.transform(run.model.centroids_),
        {"nearest centroid": 0.7, "unknown": float("nan")},
    )
    return stage, run, run.frames


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_every_frame_has_its_own_landscape_and_soft_labels(shown, theme):
    stage, run, pictures = shown
    data = json.loads(json.dumps(player_data(stage, run.curves, pictures, theme), allow_nan=False))
    assert [frame["epoch"] for frame in data["frames"]] == list(range(1, 13))
    wide, high = data["grid"]
    for frame, picture in zip(data["frames"], pictures, strict=True):
        labels = np.frombuffer(base64.b64decode(frame["labels"]), np.uint8).reshape(high, wide)
        np.testing.assert_array_equal(labels, picture.labels)  # row by row, from the lowest y
        np.testing.assert_allclose(frame["soft"], picture.soft_labels, atol=1e-4)
    assert data["x"] == [pictures[0].x[0], pictures[0].x[-1]]
    assert [each["name"] for each in data["classes"]] == list(NAMES)  # set as text by the browser
    assert [each["color"] for each in data["classes"]] == [
        class_style(k, theme).color for k in range(4)
    ]
    places = np.array(data["points"])
    np.testing.assert_allclose(places[:, :2], stage.points, atol=1e-5)
    np.testing.assert_array_equal(places[:, 2], stage.true)
    assert len(data["prototypes"]) == 2 * len(stage.lines)
    assert data["curves"]["query"][-1] == pytest.approx(run.curves.query[-1], abs=1e-6)
    assert data["references"] == [{"name": "nearest centroid", "accuracy": 0.7}]


def test_only_so_many_points_are_drawn_and_it_is_said(shown):
    stage, run, pictures = shown
    assert not drawn_facts(stage)
    many = Stage(
        NAMES, stage.lines, np.zeros((2_000, 2)), np.zeros(2_000, int), stage.centroids, {}
    )
    assert len(player_data(many, run.curves, pictures)["points"]) == 600
    assert "600" in str(drawn_facts(many)[0])


def test_curves_of_two_runs(shown):
    _, run, *_ = shown
    display = RunsDisplay({"one": run.curves, "two": run.curves})
    figure = display.figure()
    assert len({(t.line.color, t.line.dash) for t in figure.data}) == 2
    np.testing.assert_allclose(figure.data[0].y, 100 * run.curves.query, rtol=1e-6)
    assert len(display.table()) == 2 * len(curves_table(run.curves)) == 24
