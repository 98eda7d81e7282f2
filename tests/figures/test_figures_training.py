"""A run in pictures: every frame carries its own epoch, and nothing else moves."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from slp_core import DeepSLPClassifier, fit_projection
from slp_core.figures.live import live_svg
from slp_core.figures.scrubber import RunDisplay, Stage, percent_range
from slp_core.figures.style.text import LETTER, letters
from slp_core.figures.style.theme import DARK, LIGHT, class_style
from slp_core.figures.training import RunsDisplay, curves_table
from slp_core.methods.training import TrainingRun
from slp_core.views.epochs import epoch_picture
from slp_core.views.regions import outline

NAMES = ("ant", "bee", "cat", "dog")


@pytest.fixture(scope="module")
def shown():
    rng = np.random.default_rng(0)
    y = np.arange(80) % 4
    X = rng.normal(size=(80, 9)) + 2 * np.eye(9)[y]
    labels = np.array(NAMES)[y]
    run = TrainingRun(DeepSLPClassifier(epochs=12), X[:24], labels[:24], X[24:], labels[24:])
    run.work()
    model = run.model
    projection = fit_projection(X)
    stage = Stage(
        NAMES,
        model.lines_,
        projection.points[24:],
        y[24:],
        projection.transform(model.centroids_),
        {"nearest centroid": 0.7, "logistic regression": 0.72},
    )
    pictures = [epoch_picture(run, frame, projection, X[:24]) for frame in run.frames]
    return stage, run, pictures


def assert_shows(traces, picture):
    """The first traces fill the cells of their class, and no others."""
    for k, trace in enumerate(traces[: len(NAMES)]):
        for i, y in enumerate(picture.y):
            for j, x in enumerate(picture.x[::9]):
                inside = winding(np.column_stack([trace.x, trace.y]), x, y) != 0
                assert inside == (picture.labels[i, 9 * j] == k)


def winding(corners, x, y):
    """How often closed loops, with NaN between them, turn around a point: crossings of a ray."""
    a, b = corners[:-1], corners[1:]
    right = (a[:, 0] == b[:, 0]) & (a[:, 0] > x)
    return int(
        (right & (a[:, 1] < y) & (b[:, 1] > y)).sum()
        - (right & (a[:, 1] > y) & (b[:, 1] < y)).sum()
    )


def test_regions_with_holes_and_touching_corners():
    rng = np.random.default_rng(0)
    for _ in range(20):
        mask = rng.random((rng.integers(1, 9), rng.integers(1, 9))) < rng.random()
        corners = outline(mask)
        for row, column in np.ndindex(mask.shape):
            assert winding(corners, column + 0.5, row + 0.5) == mask[row, column]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_frames_move_the_landscape_the_cursors_and_the_bars(shown, theme):
    stage, run, pictures = shown
    figure = RunDisplay(stage, run.curves, pictures, 3).figure(theme)
    assert [frame.name for frame in figure.frames] == [str(p.epoch) for p in pictures]
    slider = figure.layout.sliders[0]
    assert slider.active == 3
    assert [step.args[0][0] for step in slider.steps] == [frame.name for frame in figure.frames]
    assert_shows(figure.data, pictures[3])
    for frame, picture in zip(figure.frames, pictures, strict=True):
        assert list(frame.traces) == list(range(len(frame.data)))
        assert_shows(frame.data, picture)
        cursors = [t for t in frame.data if t.type == "scatter"][len(NAMES) :]
        assert {float(t.x[0]) for t in cursors} == {float(picture.epoch)}
        bars = np.array([t.x for t in frame.data if t.type == "bar"])
        np.testing.assert_allclose(bars.T, picture.soft_labels, rtol=1e-6)
    # Nothing is drawn anew, which would leave the plot empty in between.
    steps = [step.args[1] for step in slider.steps]
    play = figure.layout.updatemenus[0].buttons[0].args[1]
    assert not any(each["frame"]["redraw"] for each in (*steps, play))
    assert {trace.type for frame in figure.frames for trace in frame.data} == {"scatter", "bar"}
    # A frame takes the place of traces of its own kind.
    for moved, trace in zip(figure.frames[0].data, figure.data, strict=False):
        assert moved.type == trace.type
    assert len(figure.to_json()) < 1_000_000


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_picture_of_a_run_that_goes_on(shown, theme):
    stage, run, pictures = shown
    for picture in (pictures[0], pictures[-1]):
        svg = ElementTree.fromstring(live_svg(stage, run.curves, picture, theme))
        tag = "{http://www.w3.org/2000/svg}"
        texts = [each.text for each in svg.iter(f"{tag}text")]
        for k, name in enumerate(NAMES):
            assert name in texts
            n = (stage.true == k).sum() + 2  # points, the centroid and the key
            assert texts.count(class_style(k, theme).character) == n
        filled = [p for p in svg.iter(f"{tag}path") if p.get("fill") != "none"]
        assert [bool(p.get("d")) for p in filled] == [
            (picture.labels == k).any() for k in range(len(NAMES))
        ]
        wide = [float(each.get("width")) for each in svg.iter(f"{tag}rect") if each.get("x")]
        bars = np.array(wide).reshape(picture.soft_labels.shape)
        np.testing.assert_allclose(
            bars / bars.sum(axis=1, keepdims=True), picture.soft_labels, atol=2e-3
        )


@pytest.mark.parametrize("support", [1.0, 0.8])
def test_the_live_picture_names_percentages_where_they_are(shown, support):
    """And none that cannot be: above the highest curve there is room for a name."""
    stage, run, pictures = shown
    curves = replace(run.curves, support=np.full_like(run.curves.support, support))
    svg = ElementTree.fromstring(live_svg(stage, curves, pictures[-1], LIGHT))
    texts = [each for each in svg.iter() if each.tag.endswith("text")]
    marks = {int(t.text[:-1]): float(t.get("y")) for t in texts if re.fullmatch(r"\d+%", t.text)}
    high, low = sorted(marks, reverse=True)
    assert high <= 100
    ends = percent_range(stage, curves)
    assert (marks[low] - marks[high]) / 150 == pytest.approx(
        (high - low) / (ends[1] - ends[0]), abs=2e-3
    )


def test_names_of_classes_are_read_as_they_are_in_the_live_picture(shown):
    stage, run, pictures = shown
    names = ("<b>&amp;", *stage.classes[1:])
    svg = ElementTree.fromstring(
        live_svg(replace(stage, classes=names), run.curves, pictures[-1], LIGHT)
    )
    assert names[0] in {element.text for element in svg.iter() if element.tag.endswith("text")}


def test_a_run_under_way_has_no_slider(shown):
    stage, run, pictures = shown
    figure = RunDisplay(stage, run.curves, pictures[:1]).figure()
    assert not figure.frames
    assert not figure.layout.sliders
    texts = {note.text for note in figure.layout.annotations}
    assert {"nearest centroid", "logistic regression", "query", "support"} <= texts


def test_the_key_says_what_the_marks_are_that_are_drawn(shown):
    stage, run, pictures = shown
    without = replace(stage, points=stage.points[:0], true=stage.true[:0])
    for each, words in ((stage, ["query", "centroid"]), (without, ["centroid"])):
        figure = RunDisplay(each, run.curves, pictures[:1]).figure()
        assert [trace.name for trace in figure.data if trace.legend == "legend2"] == words
        svg = ElementTree.fromstring(live_svg(each, run.curves, pictures[0], LIGHT))
        texts = [element.text for element in svg.iter() if element.tag.endswith("text")]
        n = len(NAMES)
        assert texts[: 2 * n][1::2] == list(NAMES)
        assert texts[2 * n : 2 * n + len(words)] == words
        marks = [element for element in svg.iter() if element.tag.endswith("circle")]
        assert len(marks) == len(words)


def test_names_of_curves_that_end_alike_stand_beside_each_other(shown):
    stage, run, pictures = shown
    for query, apart in ((1.0, True), (0.99, True), (0.2, False)):
        curves = replace(
            run.curves,
            support=np.ones_like(run.curves.support),
            query=np.full_like(run.curves.query, query),
        )
        figure = RunDisplay(stage, curves, pictures[:1]).figure()
        shift = {note.text: note.xshift for note in figure.layout.annotations}
        assert shift["query"] == 0
        assert (shift["support"] <= -LETTER * 11 * len("query")) == apart


def test_rows_of_soft_labels_are_named_beside_the_map(shown):
    stage, run, pictures = shown
    names = tuple(f"the long name of an animal that is called {name}" for name in NAMES)
    figure = RunDisplay(replace(stage, classes=names), run.curves, pictures[:1]).figure()
    bars = [trace for trace in figure.data if trace.type == "bar"]
    rows = bars[0].y.tolist()
    assert all(trace.y.tolist() == rows for trace in bars)
    assert len(set(rows)) == len(rows) == 2 * len(stage.lines)
    room = figure.layout.xaxis4.domain[0] - figure.layout.xaxis.domain[1]
    size = figure.layout.yaxis4.tickfont.size
    for row, end in zip(
        rows, [end for line in stage.lines for end in (line.left, line.right)], strict=True
    ):
        place, _, name = row.partition(" <span>")
        assert place.endswith(class_style(end, LIGHT).character)
        assert NAMES[end] in name
        assert "<br>" not in row  # a row of its own for each
        assert LETTER * size * letters(place) < room * 260  # px across, on the narrowest phone
        assert (
            0.5 * size * letters(row) < 1.1 * room * 528
        )  # where parts.css lets the names be seen


def test_curves_of_two_runs(shown):
    _, run, *_ = shown
    display = RunsDisplay({"one": run.curves, "two": run.curves})
    figure = display.figure()
    assert len({(t.line.color, t.line.dash) for t in figure.data}) == 2
    np.testing.assert_allclose(figure.data[0].y, 100 * run.curves.query, rtol=1e-6)
    assert len(display.table()) == 2 * len(curves_table(run.curves)) == 24
