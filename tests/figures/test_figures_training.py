"""A run as the browser plays it: every frame carries its own epoch."""

import base64
import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from slp_core import DeepSLPClassifier, fit_projection
from slp_core.figures.player import Stage, epoch_picture, player_data
from slp_core.figures.style.theme import DARK, LIGHT, class_style
from slp_core.figures.training import (
    RunsDisplay,
    drawn_text,
    ends_text,
    run_text,
    spread_offer_text,
    took_text,
)
from slp_core.methods.training import train

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
        projection.points[:24],
        y[:24],
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
    places = np.array(data["support"])
    np.testing.assert_allclose(places[:, :2], stage.support, atol=1e-5)
    np.testing.assert_array_equal(places[:, 2], stage.support_true)
    assert len(data["prototypes"]) == 2 * len(stage.lines)
    assert data["curves"]["query"][-1] == pytest.approx(run.curves["query"].iloc[-1], abs=1e-6)
    assert data["curves"]["at"] == list(range(1, 13))
    (loss,) = data["curves"]["below"]
    assert loss["name"] == "loss"
    np.testing.assert_allclose(loss["values"], run.curves["loss"], atol=1e-6)
    assert data["references"] == [{"name": "nearest centroid", "accuracy": 0.7}]


def test_only_so_many_points_are_drawn_and_it_is_said(shown):
    stage, run, pictures = shown
    assert drawn_text(stage) == ""
    many = replace(stage, points=np.zeros((2_000, 2)), true=np.zeros(2_000, int))
    assert len(player_data(many, run.curves, pictures)["points"]) == 600
    assert drawn_text(many) == "Shown: 600 of 2,000 query examples, evenly spaced."


def test_only_so_many_lines_have_bars_and_it_is_said(shown):
    stage, run, pictures = shown
    sizes = [2] * 20
    sizes[7], sizes[15] = 4, 3
    lines = tuple(replace(stage.lines[0], classes=tuple(range(size))) for size in sizes)
    many = replace(stage, lines=lines)
    labels = np.random.default_rng(0).random((2 * len(lines), 4))
    data = player_data(many, run.curves, [replace(pictures[0], soft_labels=labels)])
    drawn = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16]  # 8 and 16 have more classes than the others
    assert [name.split()[0] for name in data["prototypes"]] == [
        f"{line}{side}" for line in drawn for side in "AB"
    ]
    (frame,) = data["frames"]
    rows = [2 * (line - 1) + end for line in drawn for end in (0, 1)]
    np.testing.assert_allclose(frame["soft"], labels[rows], atol=1e-4)
    assert drawn_text(many) == "Bars: the 12 lines with the most classes, of 20."


def test_curves_of_two_runs(shown):
    _, run, *_ = shown
    display = RunsDisplay({"one": run.curves, "two": run.curves})
    figure = display.figure()
    assert len({(t.line.color, t.line.dash) for t in figure.data}) == 2
    np.testing.assert_allclose(figure.data[0].y, 100 * run.curves["query"], rtol=1e-6)
    assert len(display.table()) == 2 * len(run.curves) == 24


def test_what_is_said_of_a_run(shown):
    _, run, _ = shown
    curves = {"epoch": [1, 2], "loss": [1.5, 0.25], "support": [0.5, 1], "query": [0.4, 0.875]}
    known = replace(run, seconds=0.126, curves=pd.DataFrame(curves))
    others = {"Nearest centroid": 0.9, "1-NN": 0.123}
    assert run_text("DeepSLP, random start", known, others) == (
        "DeepSLP, random start: accuracy 40.0% after the first epoch, 87.5% after 2 epochs "
        "(nearest centroid 90.0%, 1-NN 12.3%)."
    )
    assert took_text(known) == "2 epochs in 0.13 s."
    unknown = replace(known, curves=known.curves.assign(query=np.nan))
    assert (
        run_text("It", unknown, {}) == "It: loss 0.250 after 2 epochs; there is no query example."
    )


def test_what_is_said_of_several_runs():
    runs = {"this run": 0.5, ":smile:": 0.25}
    assert ends_text(runs) == "Final accuracy: “this run” 50.0% and “:\N{WORD JOINER}smile:” 25.0%."
    assert ends_text({"a": 0.5}, same_examples=False) == (
        "Final accuracy: “a” 50.0%; each on its own query set."
    )
    assert ends_text({"a": float("nan")}) == "There is no query example."
    assert spread_offer_text(10, 3) == "10 support sets × 3 seeds"
