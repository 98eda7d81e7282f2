"""The small figures say what their tables say."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slp_core import (
    ConstraintSLPClassifier,
    DeepSLPClassifier,
    LogisticRegressionClassifier,
    NearestCentroidClassifier,
    fit_projection,
)
from slp_core.explain import read_point
from slp_core.figures.compare_draws import DrawsDisplay
from slp_core.figures.line.points import lines_table
from slp_core.figures.map.assemble import map_of, map_points
from slp_core.figures.point import PointDisplay
from slp_core.figures.style.parts import percent_range
from slp_core.figures.style.theme import DARK, LIGHT
from slp_core.markdown import without_terms


def fitted(model, k=5, d=6):
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(k), 6)
    X = rng.normal(size=(k, d))[y] * 2 + rng.normal(size=(len(y), d))
    centroids = np.stack([X[y == c].mean(axis=0) for c in range(k)])
    return model.fit(X, np.array(list("abcdefghijklmnop"))[y]), X, y, centroids


def names_of(figure):
    """The classes of the rows, without their marks."""
    return [re.sub("<.*?>", "", tick).split()[1] for tick in figure.layout.yaxis.ticktext]


def test_stacked_bars_add_up_to_the_influence():
    model, X, y, centroids = fitted(ConstraintSLPClassifier())
    reading = read_point(model, X[3], centroids, int(y[3]))
    display = PointDisplay(reading, row=3)
    figure = display.figure()
    total = {}
    for bar in figure.data:
        for name, value in zip(names_of(figure), bar.x, strict=True):
            total[name] = total.get(name, 0) + value
    expected = dict(zip(model.classes_, model.influence(X[[3]])[0], strict=True))
    present = {name: value for name, value in expected.items() if value > 0}
    assert {n: v for n, v in total.items() if v > 0} == pytest.approx(present, rel=1e-5)
    assert model.classes_[y[3]] in total
    table = display.table()
    assert dict(zip(table["class"], table["class score"], strict=True)) == pytest.approx(expected)
    which = {
        "row": 3,
        "true": model.classes_[y[3]],
        "predicted": model.predict(X[[3]])[0],
        "line": reading.line + 1,
        "w": reading.w,
    }
    assert all((table[name] == value).all() for name, value in which.items())


def test_the_parts_of_logits_have_their_sum_and_the_true_class_is_always_drawn():
    model, X, _, centroids = fitted(DeepSLPClassifier(), k=13)
    reading = read_point(model, X[0], centroids, 12)
    figure = PointDisplay(reading).figure(DARK)
    left, right, sums = figure.data
    np.testing.assert_allclose(left.x + right.x, sums.x)
    assert "m" in names_of(figure)  # the thirteenth class
    assert len(left.y) == 8
    for c, note in zip(names_of(figure), figure.layout.annotations, strict=True):
        assert f"{reading.probability[ord(c) - ord('a')]:.0%}" in note.text


@pytest.mark.parametrize(
    "model", [NearestCentroidClassifier(), LogisticRegressionClassifier()], ids=lambda m: str(m)
)
def test_without_lines_bars_are_probabilities(model):
    model, X, _, centroids = fitted(model)
    display = PointDisplay(read_point(model, X[0], centroids))
    figure, table = display.figure(), display.table().set_index("class")
    (bar,) = figure.data
    drawn = dict(zip(names_of(figure), bar.x, strict=True))
    assert drawn == pytest.approx(dict(zip("abcde", model.predict_proba(X[:1])[0], strict=True)))
    assert drawn == pytest.approx(table["probability"].to_dict())
    away = np.linalg.norm(centroids - X[0], axis=1)
    assert table["centroid distance"][list("abcde")].tolist() == pytest.approx(away)
    assert set(table["row"]) == {"typed"}
    assert not {"class score", "true", "line", "w"} & set(table)


def test_every_draw_has_its_mark_and_the_mean_its_line():
    display = DrawsDisplay(pd.Series([0.5, 0.6, 0.7]), chance=0.2)
    figure = display.figure()
    assert figure.data[0].y == pytest.approx([50, 60, 70])
    assert sorted(s.y0 for s in figure.layout.shapes if s.type == "line") == pytest.approx([20, 60])
    assert display.table()["accuracy"].tolist() == [0.5, 0.6, 0.7]


@pytest.mark.parametrize(
    ("draws", "accuracy", "expected"),
    [
        (
            (0, 1),
            [0.5, 0.6],
            "mean accuracy 55.0% over 2 support sets, SD 5.0%, from 50.0% to 60.0%.",
        ),
        ((3,), [0.5], "mean accuracy 50.0% over 1 support set, SD 0.0%, from 50.0% to 50.0%."),
        (
            (0, 0),
            [0.25, 1.0],
            "mean accuracy 62.5% over 2 runs on 1 support set, SD 37.5%, from 25.0% to 100.0%.",
        ),
        ((0,), [np.nan], "There are no query examples to evaluate on."),
    ],
)
def test_accuracy_over_support_sets_in_a_sentence(draws, accuracy, expected):
    display = DrawsDisplay(pd.Series(accuracy, draws), "*")
    assert without_terms(display.sentence()).removeprefix("\\*: ") == expected


@given(st.lists(st.floats(0, 100), min_size=1), st.floats(1, 20), st.integers(3, 10))
def test_an_axis_of_percentages_holds_all_of_them_and_no_tick_beyond(percent, pad, ticks):
    low, high = percent_range(percent, 0, pad)
    assert low < min(percent)
    assert high > max(percent)
    least = (high - low) / ticks  # between two ticks, which are at 0 and at 100 where those are in
    assert -least < low
    assert high < 100 + least


def test_the_lines_table_has_every_class_once():
    model, *_ = fitted(ConstraintSLPClassifier())
    table = lines_table(model, tuple("abcde"))
    assert sorted(table["class"]) == list("abcde")
    assert table["line"].max() == len(model.lines_)
    for (_, rows), line in zip(table.groupby("line"), model.lines_, strict=True):
        assert rows["position"].iloc[[0, -1]].tolist() == [0.0, 1.0]
        assert rows["distance"].tolist() == pytest.approx(line.offsets.round(3).tolist())


@pytest.mark.parametrize("model", [ConstraintSLPClassifier(), DeepSLPClassifier()])
def test_a_map_puts_everything_where_the_projection_draws_it(model):
    model, X, y, centroids = fitted(model)
    projection = fit_projection(X)
    rows = np.arange(len(X))
    points = map_points(projection, rows, y, y)
    data = map_of(model, projection, None, tuple("abcde"), centroids, points, points)
    np.testing.assert_allclose(data.centroids, projection.transform(centroids))
    np.testing.assert_allclose(data.prototypes[:, 0], projection.transform(model.prototypes_[:, 0]))
    np.testing.assert_allclose([p[0] for p in data.lines], data.prototypes[:, 0])
    np.testing.assert_allclose([p[-1] for p in data.lines], data.prototypes[:, 1])
    np.testing.assert_allclose(data.soft_labels.sum(axis=2), 1)
    if hasattr(model, "soft_labels_"):
        np.testing.assert_allclose(data.soft_labels, model.soft_labels_)
    else:
        at_left = model.soft_labels(model.prototypes_[:, 0])
        asked = model.place(model.prototypes_[:, 0]).line == np.arange(len(model.lines_))
        np.testing.assert_allclose(data.soft_labels[asked, 0], at_left[asked, 0])
    for line in model.lines_:
        ends = [line.left, line.right]
        np.testing.assert_allclose(data.feet[ends], data.centroids[ends])


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_equal_input_gives_an_identical_figure(theme):
    model, X, y, centroids = fitted(ConstraintSLPClassifier())
    reading = read_point(model, X[3], centroids, int(y[3]))
    first, second = (PointDisplay(reading).figure(theme) for _ in range(2))
    assert first.to_json() == second.to_json()
    assert first.layout.paper_bgcolor == theme.background
