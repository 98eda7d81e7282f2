"""Figures of the Explain page draw what the library says, exactly where it says it."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from slp_core import ConstraintSLPClassifier, DeepSLPClassifier
from slp_core.explain.bands import Bands
from slp_core.explain.causes import read_causes
from slp_core.explain.point import read_point
from slp_core.explain.profile import LineProfile, line_profile
from slp_core.figures.causes import CausesDisplay, errors_table
from slp_core.figures.confusion import ConfusionDisplay
from slp_core.figures.line.half_plane import HalfPlaneDisplay
from slp_core.figures.line.strip import WStripDisplay
from slp_core.figures.line.strip_bands import ACROSS, band_names, range_marks
from slp_core.figures.point import PointDisplay
from slp_core.figures.style.text import letters
from slp_core.figures.style.theme import DARK, LIGHT, blend, class_style
from slp_core.lines import Line, weight_at
from slp_core.sentences import count, percent

CLASSES = ("a", "b", "c", "d")


def data(model, spread=3.0, dimension=12, seed=0):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(4), 8)
    centres = spread * np.eye(4, dimension)
    X = centres[y] + rng.normal(size=(32, dimension))
    true = rng.integers(4, size=70)
    Q = centres[true] + rng.normal(size=(70, dimension))
    return model.fit(X, np.array(CLASSES)[y]), Q, true


def line_of(model, Q, true):
    examples = read_causes(model, Q, true).examples
    return line_profile(model, 0, examples.assign(row=100 + np.arange(len(Q)), shown=True))


def points_of(true, w, **columns):
    """Examples on a line that stand at w; all are correct."""
    same = {"true": true, "predicted": true, "predicted_along": true}
    places = dict.fromkeys(("w", "t", "r", "along"), w)
    return pd.DataFrame({"row": range(len(true)), **same, **places, "shown": True} | columns)


def strip_of(profile, **options):
    return WStripDisplay(profile, profile.soft_labels, **options)


@pytest.fixture(scope="module")
def three():
    """A line of three classes with the points that ask it."""
    model, Q, true = data(ConstraintSLPClassifier(n_lines=1))
    return line_of(model, Q, true)


def markers(figure, axis=None):
    marks = [t for t in figure.data if t.type == "scatter" and t.customdata is not None]
    return [t for t in marks if axis is None or t.yaxis == axis]


def test_the_strip_holds_every_point_at_its_w_and_tells_errors_apart(three):
    profile, points = three, three.examples
    display = strip_of(profile)
    figure = display.figure()
    classes = {"y3": points["predicted"], "y4": points["predicted_along"]}
    assert (classes["y3"] != classes["y4"]).any()
    for axis, at in (("y3", points["w"]), ("y4", points["along"])):
        drawn = {}
        for trace in markers(figure, axis):
            hollow = trace.marker.symbol.endswith("-open")
            drawn |= {int(i): (x, hollow) for i, x in zip(trace.customdata, trace.x, strict=True)}
        assert sorted(drawn) == sorted(points["row"])
        for i, w, wrong in zip(points["row"], at, classes[axis] != points["true"], strict=True):
            assert drawn[i] == (pytest.approx(w, abs=1e-6), wrong)
    assert display.table()["w"].tolist() == sorted(points["w"])


def test_the_density_of_very_many_points_is_that_of_all(three):
    profile = three
    rng, n, order = np.random.default_rng(0), 9_000, profile.line.classes[:3]
    true, w = np.array(order)[np.arange(n) % 3], rng.beta(5, 7, n)
    w[true == order[0]] **= 3
    many = replace(profile, examples=points_of(true, w))
    violins = [t for t in strip_of(many).figure().data if t.type == "violin"]
    for k, violin in zip(order, violins, strict=True):
        np.testing.assert_allclose(violin.x, w[true == k], atol=1e-6)


def test_breakpoints_and_gaps_of_the_strip_are_the_exact_ones(three):
    profile, points = three, three.examples
    figure = strip_of(profile).figure()
    texts = [note.text for note in figure.layout.annotations]
    assert len(profile.bands.edges) > 2
    for edge in profile.bands.edges[1:-1]:
        assert f"{edge:.3f}" in texts
    low, high = points["w"].min(), points["w"].max()
    assert any(f"{len(points)} examples: {low:.2f} – {high:.2f}" in text for text in texts)
    # A bar over the occupied range, then an arrow to each breakpoint that no point has reached.
    ends = {(round(a.ax, 9), round(a.x, 9)) for a in figure.layout.annotations if a.axref == "x"}
    reached = [edge for edge in profile.bands.edges[1:-1] if low < edge < high]
    beyond = [edge for edge in profile.bands.edges[1:-1] if edge not in reached]
    nearest = {max([e for e in beyond if e <= low], default=None)} | {
        min([e for e in beyond if e >= high], default=None)
    }
    arrows = {(round(low if e <= low else high, 9), round(e, 9)) for e in nearest if e is not None}
    assert ends == arrows | {(round(low, 9), round(high, 9))}


@pytest.mark.parametrize("w", [0.001, 0.05, 0.95, 0.999])
def test_how_far_a_band_is_stands_within_the_figure(three, w):
    edge = w + (0.0004 if w > 0.5 else -0.0004)
    bands = Bands((0, 1), (0.0, edge, 1.0))
    profile = replace(three, examples=points_of([0], w), bands=bands)
    marks = range_marks(profile, (-0.003, 1.003), False, LIGHT)
    (words,) = [mark for mark in marks if "needs" in mark["text"]]
    assert words["text"].endswith(f"needs<br>w just {'higher' if w > 0.5 else 'lower'}")
    wide = 7 * letters(words["text"]) / 420
    # The axis runs from w = 1 to w = 0.
    right = words["x"] + (0 if words["xanchor"] == "right" else -wide)
    assert -0.004 <= right <= right + wide <= 1.003


def test_zoom_shows_the_occupied_range_alone(three):
    profile, points = three, three.examples
    figure = strip_of(profile, zoom=True).figure()
    high, low = figure.layout.xaxis.range
    assert low < points["w"].min() < points["w"].max() < high
    assert high - low < 1.5 * np.ptp(points["w"])
    assert not markers(figure, "y4")


def test_points_that_a_filter_leaves_out_are_faint(three):
    profile, points = three, three.examples
    shown = points["true"] == points["true"].iloc[0]
    some = replace(profile, examples=points.assign(shown=shown))
    figure = HalfPlaneDisplay(some).figure()
    faint = {int(i) for t in markers(figure) if t.marker.opacity < 0.2 for i in t.customdata}
    assert faint == set(points["row"][~shown])


@pytest.mark.parametrize("n", [600, 601])
def test_of_too_many_points_a_half_plane_draws_some_and_says_how_many(three, n):
    profile, points = three, three.examples
    many = points.sample(n, replace=True, random_state=0, ignore_index=True).assign(
        row=np.arange(n)
    )
    display = HalfPlaneDisplay(replace(profile, examples=many))
    drawn = np.concatenate([trace.customdata for trace in markers(display.figure())])
    assert len(set(drawn.tolist())) == len(drawn)
    text = display.thinned_text()
    assert text == "" if len(drawn) == n else text.startswith(f"{len(drawn)} of {n} ")
    assert (len(drawn) == n) == (n == 600)


def painted(shapes, t, r):
    """The colour under a place: that of the last shape which covers it."""
    color = None
    for shape in shapes:
        x = (shape["x0"] + shape["x1"]) / 2, (shape["x1"] - shape["x0"]) / 2
        y = (shape["y0"] + shape["y1"]) / 2, (shape["y1"] - shape["y0"]) / 2
        away = (t - x[0]) / x[1], (r - y[0]) / y[1]
        inside = np.hypot(*away) <= 1 if shape["type"] == "circle" else max(map(abs, away)) <= 1
        color = shape["fillcolor"] if inside else color
    return color


@pytest.mark.parametrize("along", [False, True])
@pytest.mark.parametrize(
    "edges",
    [
        (0.0, 0.2, 0.6, 1.0),
        (0.0, 0.5, 0.8, 1.0),
        (0.0, 0.6, 0.8, 1.0),
        (0.0, 0.1, 0.5, 1.0),
        # What is 1/2 but for rounding: a circle of a radius that floating point cannot place
        (0.0, np.nextafter(0.5, 0), 0.8, 1.0),
        (0.0, 0.1, np.nextafter(0.5, 1), 1.0),
    ],
)
def test_regions_of_the_half_plane_are_those_of_the_method(three, edges, along):
    bands, length = Bands((2, 1, 0), edges), 3.0
    line = Line((0, 1, 2), np.array([0.0, 1.2, length]), np.zeros(3), length)
    rng = np.random.default_rng(1)
    t, r = rng.uniform(-3, 6, 400), rng.uniform(0.01, 5, 400)
    profile = replace(three, line=line, examples=points_of([0], 0.0)[:0], bands=bands)
    figure = HalfPlaneDisplay(profile, along).figure()
    fills = {blend(class_style(k, LIGHT).color, LIGHT.background, 0.30): k for k in range(3)}
    w = 1 - np.clip(t, 0, length) / length if along else weight_at(t, r, length)
    winners = np.array(bands.classes)[np.digitize(w, edges[1:-1])]
    shapes = [
        shape for shape in figure.to_plotly_json()["layout"]["shapes"] if "fillcolor" in shape
    ]
    assert [fills[painted(shapes, *at)] for at in zip(t, r, strict=True)] == list(winners)


def test_weights_at_places_are_those_of_the_method(three):
    profile, points = three, three.examples
    t, r, w = points[["t", "r", "w"]].to_numpy().T
    np.testing.assert_allclose(weight_at(t, r, profile.line.length), w)
    display = HalfPlaneDisplay(profile)
    assert display.table()["t"].tolist() == t.tolist()


def test_bars_of_causes_are_their_table_and_name_what_was_clicked():
    model, Q, true = data(ConstraintSLPClassifier())
    found = read_causes(model, Q, true)
    for by, counts in (("class", found.by_class), ("line", found.by_line)):
        display = CausesDisplay(found, by)
        figure = display.figure()
        assert len(figure.layout.images) == len(found.kinds)
        total = np.zeros_like(counts)
        for bar in figure.data:
            for (row, group), n in zip(bar.customdata, bar.x, strict=True):
                total[row, group] += n
        np.testing.assert_array_equal(total, counts)
        ends = [a.text for a in figure.layout.annotations if " · " in a.text]
        each = found.counts.values()  # a few of very many are not 0%
        assert ends == [f"<b>{n}</b> · {percent(n / found.wrong.sum())}" for n in each]
        assert display.table()["errors"].sum() == found.wrong.sum() > 0


def test_errors_are_sorted_as_asked_and_left_out_as_asked():
    model, Q, true = data(ConstraintSLPClassifier())
    found = read_causes(model, Q, true)
    rows, keep = np.arange(70) + 500, (found.examples["true"] != 2).to_numpy()
    most_confident_error = errors_table(found, rows, "confident", keep)
    assert most_confident_error["margin"].is_monotonic_increasing
    assert errors_table(found, rows, "closest", keep)["margin"].is_monotonic_decreasing
    assert errors_table(found, rows, "row", keep)["row"].is_monotonic_increasing
    assert set(most_confident_error["row"]) == set(rows[found.wrong & keep])
    assert "c" not in set(most_confident_error["true"])


@pytest.mark.parametrize("method", [ConstraintSLPClassifier, DeepSLPClassifier])
def test_the_parts_of_a_prediction_add_up_to_the_influence(method):
    model, Q, _ = data(method())
    for x in Q[:8]:
        display = PointDisplay(read_point(model, x, model.centroids_))
        influence = model.influence(x[None])[0]
        table = display.table().set_index("class")
        np.testing.assert_allclose(
            table["A part"] + table["B part"], table["class score"], rtol=1e-12
        )
        np.testing.assert_allclose(table["class score"][list(CLASSES)], influence, rtol=1e-9)
        figure = display.figure()
        bars = np.sum([bar.x for bar in figure.data if bar.type == "bar"], axis=0)
        np.testing.assert_allclose(bars, np.sort(influence[influence != 0])[::-1], rtol=1e-9)


@pytest.mark.parametrize("edges", [(0, 0.3, 0.34, 0.6, 0.98, 1), (0, 0.2, 0.4, 0.6, 0.8, 1)])
def test_names_of_bands_meet_no_other_on_a_phone(edges):
    classes = ("enthusiasm", "b", "a class with a rather long name", "happiness", "fun")
    notes = band_names(Bands((0, 1, 2, 3, 4), edges), classes, (0.0, 1.0), LIGHT)
    assert len(notes) >= 3
    ends = {}
    for note in notes:
        (room,) = (high - low for low, high in pairwise(edges) if low <= note["x"] <= high)
        width, row, half = letters(note["text"]) / ACROSS, note["yshift"], 0.5 / ACROSS
        assert row or width <= room + half
        start = note["x"] - width * {"right": 0, "center": 0.5, "left": 1}[note["xanchor"]]
        assert start >= ends.get(row, 0) - half
        ends[row] = start + width
    assert max(ends.values()) <= 1 + 0.5 / ACROSS


def test_a_name_that_is_wider_than_its_band_is_written_whole_below_the_others():
    bands, classes = Bands((2, 1, 0), (0, 0.08, 0.6, 1)), ("negative", "neutral", "positive")
    notes = band_names(bands, classes, (0.0, 1.0), LIGHT)
    assert [(note["text"], note["yshift"] < 0) for note in notes] == [
        ("◆ <b>positive</b>", True), ("■ <b>neutral</b>", False), ("● <b>negative</b>", False)
    ]  # fmt: skip
    assert (notes[0]["x"], notes[0]["xanchor"]) == (0, "right")  # at the strip's end, not beside it


def test_a_mark_that_two_classes_have_heads_no_band():
    classes, edges = [f"c{k}" for k in range(25)], (0, 0.08, 0.16, 0.19, 1)
    found = Bands((7, 15, 0, 1), edges)  # with the mark of 7 once more at 15
    assert class_style(7, LIGHT).character == class_style(15, LIGHT).character
    heads = [note["text"] for note in band_names(found, classes, (0.0, 1.0), LIGHT)]
    assert heads == ["✚ <b>c7</b>", "<b>c15</b>", "■ <b>c1</b>"]
    found = Bands((7, 2, 0, 1), edges)
    few = [note["text"] for note in band_names(found, classes[:13], (0.0, 1.0), LIGHT)]
    assert few[:2] == ["✚ <b>c7</b>", "◆"]


def test_an_influence_without_bounds_is_written_with_few_digits():
    model, _, _ = data(ConstraintSLPClassifier())
    on_prototype = read_point(model, model.prototypes_[0, 0], model.centroids_)
    notes = [note.text for note in PointDisplay(on_prototype).figure().layout.annotations]
    assert on_prototype.influence.max() > 1e9
    assert max(map(len, notes)) <= len("<b>1.23e+12</b>")


def test_the_strip_has_prototype_a_on_the_left_and_names_its_line(three):
    profile = three
    figure = strip_of(profile).figure()
    first, last = (CLASSES[profile.line.classes[place]] for place in (0, -1))
    title = figure.layout.xaxis.title.text
    assert figure.layout.xaxis.range[0] > figure.layout.xaxis.range[1]
    assert title.startswith("<b>A</b>")
    assert title.index(f" {first} ") < title.index("<b>B</b>")
    assert title.endswith(last)
    assert any(note.text.startswith("<b>Line 1</b>: ") for note in figure.layout.annotations)


@pytest.mark.parametrize("zoom", [False, True])
def test_a_strip_of_logits_says_whose_they_are_and_shows_all_and_no_background_of_examples(zoom):
    logits = np.array([[3.0, -1, 0.5, -9, np.nan], [1.0, 2, 0.5, -8, np.nan]])
    line = Line((0, 1), np.array([0.0, 1.0]), np.zeros(2), 1.0)
    profile = LineProfile(tuple("abcde"), 0, line, points_of([0, 1], [0.4, 0.6]), None, None)
    display = WStripDisplay(profile, logits, row=7, zoom=zoom)
    layout = display.figure().layout
    scores = {k for t in display.figure().select_traces({"mode": "lines"}) for k in t.y}
    low, high = layout.yaxis.range
    assert low < min(scores) < max(scores) < high
    assert len(scores) >= 7  # of four classes, and one is level
    assert layout.yaxis.title.text == "logits of example 7"
    assert display.sentence().endswith("the lines are the logits of example 7.")
    painted = [shape for shape in layout.shapes if shape.fillcolor]
    assert painted
    assert all(shape.y0 >= layout.yaxis.domain[0] for shape in painted)


@pytest.mark.parametrize("k", [3, 13])
def test_most_of_a_strip_is_in_view_beside_few_and_many_classes(k):
    """Of a screen 720 px high, on which it begins 160 px down."""
    w, line = np.linspace(0.4, 0.6, 30), Line(tuple(range(k)), np.arange(float(k)), np.zeros(k), 1)
    points = points_of(np.arange(30) % k, w, along=2 * w - 0.5)
    profile = LineProfile(tuple("abcdefghijklm"[:k]), 0, line, points, None, None)
    figure = WStripDisplay(profile, np.ones((2, k)), row=7).figure()
    assert len(figure.layout.yaxis3.tickvals) == len(figure.layout.yaxis4.tickvals) == k
    assert (720 - 160) / figure.layout.height > 0.6
    assert np.ptp(figure.layout.yaxis3.domain) * figure.layout.height / k > 18  # px a row


def test_a_confusion_matrix_counts_and_names_the_most_common_confusions():
    for seed in range(100):
        rng = np.random.default_rng(seed)
        k = int(rng.integers(1, 6))
        counts = rng.integers(0, rng.choice([1, 2, 4, 50]), (k, k))
        text = ConfusionDisplay(counts, [f"class {c}" for c in range(k)], "M").sentence()
        assert text.startswith(
            f"M: {sum(counts[i, i] for i in range(k))} of {counts.sum()} correct"
        )
        off = {(i, j): int(counts[i, j]) for i in range(k) for j in range(k) if i != j}
        most = max(off.values(), default=0)
        assert (f" ({count(most, 'example')}" in text) == (most > 0)
        often = [pair for pair, n in off.items() if n == most > 0]
        assert text.count(" as ") == min(3, len(often))


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_equal_input_gives_identical_figures(three, theme):
    profile = three

    def figures():
        yield strip_of(profile, marked=(0.5, 0.2)).figure(theme)
        yield HalfPlaneDisplay(profile).figure(theme)

    first, second = ([figure.to_json() for figure in figures()] for _ in range(2))
    assert first == second
    assert all(theme.background in figure for figure in first)
