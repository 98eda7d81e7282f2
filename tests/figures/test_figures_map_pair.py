"""Two maps in one figure, and the map of their difference."""

import numpy as np
import pytest

from slp_core import ConstraintSLPClassifier, DeepSLPClassifier, decision_landscape, fit_projection
from slp_core.explain import predict_query_set
from slp_core.explain.difference import compare_predictions
from slp_core.figures.difference import DifferenceDisplay, MapPairDisplay
from slp_core.figures.map import marks
from slp_core.figures.map.assemble import map_of, map_points
from slp_core.figures.map.data import MapLayers
from slp_core.figures.map.figure import MapDisplay
from slp_core.figures.style.theme import DARK

NAMES = ("ant", "bee", "cat")


@pytest.fixture(scope="module")
def pair():
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    X = rng.normal(size=(90, 12)) + 2 * np.eye(12)[y]
    projection = fit_projection(X)
    rows = np.arange(90)
    maps, predictions = [], []
    for method in (ConstraintSLPClassifier(), DeepSLPClassifier()):
        model = method.fit(X[:24], np.array(NAMES)[y[:24]])
        predictions.append(predict_query_set(model, "M", X, y, model.centroids_))
        maps.append(
            map_of(
                model,
                projection,
                decision_landscape(model, projection, grid=30),
                NAMES,
                model.centroids_,
                map_points(projection, rows[:24], y[:24], y[:24]),
                map_points(projection, rows, y, predictions[-1].predicted),
                [f"text {i}" for i in rows],
            )
        )
    return *maps, compare_predictions(*predictions, ("A", "B"))


@pytest.mark.parametrize("linked", [True, False])
def test_each_side_is_its_own_map(pair, linked):
    titles = ("left one", "right one")
    figure = MapPairDisplay(*pair, titles, MapLayers(), linked).figure(DARK)
    alone = MapDisplay(pair[1]).figure(DARK)
    right = [trace for trace in figure.data if trace.xaxis == "x2"]
    marks = [trace for trace in alone.data if trace.showlegend is False]
    assert len(right) == len(marks)
    for mine, theirs in zip(right, marks, strict=True):
        np.testing.assert_array_equal(mine.x, theirs.x)
    assert len([t for t in figure.data if t.name in NAMES]) == 3  # one key for both
    images = figure.layout.images
    assert [image.xref for image in images] == ["x", "x2"]
    assert images[0].source != images[1].source
    assert {shape.xref or "x" for shape in figure.layout.shapes} == {"x", "x2"}
    assert {"<b>left one</b>", "<b>right one</b>"} <= {a.text for a in figure.layout.annotations}
    for axis in (figure.layout.xaxis, figure.layout.xaxis2):  # half a narrow window is broad enough
        assert len(axis.title.text) < 28
    assert figure.layout.xaxis2.matches == ("x" if linked else None)
    assert figure.layout.yaxis2.matches == ("y" if linked else None)


def test_fewer_marks_than_points_are_said(pair, monkeypatch):
    displays = DifferenceDisplay(*pair), MapPairDisplay(*pair, ("left", "right"))
    assert not any(display.thinned_text() for display in displays)
    monkeypatch.setattr(marks, "MOST_POINTS", 40)
    for display, maps in zip(displays, (1, 2), strict=True):
        figure = display.figure()
        drawn = [t.customdata for t in figure.data if t.customdata is not None and len(t.x)]
        support = 24 * (maps - 1) * maps  # which the map of the difference has not
        assert sum(map(len, drawn)) - support == maps * 40
        assert display.thinned_text().startswith("40 of 90 ")


def test_difference_shows_every_point_once_by_who_is_right(pair):
    display, difference = DifferenceDisplay(*pair), pair[2]
    figure = display.figure()
    points = {t.name: t for t in figure.data if t.name and t.customdata is not None}
    assert len(points) == 4
    assert len({(t.marker.symbol, t.marker.color) for t in points.values()}) == 4
    shown = np.concatenate([t.customdata for t in points.values()])
    np.testing.assert_array_equal(np.sort(shown), np.arange(90))
    only = points[f"only A correct ({difference.counts[1]})"]
    np.testing.assert_array_equal(only.customdata, np.flatnonzero(difference.outcome == 1))
    assert figure.layout.images[0].source.startswith("data:image/png")
    table = display.table()
    counts = table["correct"].value_counts().reindex(difference.labels, fill_value=0)
    assert list(counts) == list(difference.counts)
    assert table["text"][7] == "text 7"
