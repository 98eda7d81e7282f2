"""Figures of the Explain page draw what the library says, exactly where it says it."""

import numpy as np
import pytest

from slp_core import ConstraintSLPClassifier, DeepSLPClassifier
from slp_core.explain.bands import Bands, winning_bands
from slp_core.explain.causes import read_causes
from slp_core.explain.profile import line_profile
from slp_core.explain.votes import read_votes
from slp_core.figures.causes import causes_figure, causes_table, errors_table
from slp_core.figures.line.dimensions import (
    AtDimension,
    dimensions_figure,
    dimensions_table,
    scrub_figure,
)
from slp_core.figures.line.half_plane import circle_of, half_plane_figure, half_plane_table
from slp_core.figures.line.points import LinePoints, vote_at, winner_at
from slp_core.figures.line.strip import w_strip_figure, w_strip_table
from slp_core.figures.line.theorem2 import crossed_beyond, theorem2_figure
from slp_core.figures.style.theme import DARK, LIGHT, blend, class_style
from slp_core.figures.votes import votes_figure, votes_table
from slp_core.lines import Line

CLASSES = ("a", "b", "c", "d")


def data(model, spread=3.0, dimension=12, seed=0):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(4), 8)
    centres = spread * np.eye(4, dimension)
    X = centres[y] + rng.normal(size=(32, dimension))
    true = rng.integers(4, size=70)
    Q = centres[true] + rng.normal(size=(70, dimension))
    return model.fit(X, np.array(CLASSES)[y]), Q, true


def line_of(model, Q, true, number=0):
    profile = line_profile(model, number, Q)
    here = profile.rows
    predicted = model.predict_proba(Q).argmax(axis=1)
    points = LinePoints(
        100 + here,
        true[here],
        predicted[here],
        profile.w,
        profile.t,
        profile.r,
        profile.along,
        np.ones(len(here), dtype=bool),
        [f"text {i}" for i in here],
    )
    return profile, points


@pytest.fixture(scope="module")
def three():
    """A line of three classes with the points that ask it."""
    model, Q, true = data(ConstraintSLPClassifier(n_lines=1))
    return model, *line_of(model, Q, true)


def markers(figure, axis=None):
    marks = [t for t in figure.data if t.mode == "markers" and t.customdata is not None]
    return [t for t in marks if axis is None or t.yaxis == axis]


def test_the_strip_holds_every_point_at_its_w_and_tells_errors_apart(three):
    _, profile, points = three
    figure = w_strip_figure(
        profile.soft_labels, profile.bands, CLASSES, profile.line.classes, points
    )
    for axis, at in (("y3", points.w), ("y4", points.along)):
        drawn = {}
        for trace in markers(figure, axis):
            hollow = trace.marker.symbol.endswith("-open")
            drawn |= {int(i): (x, hollow) for i, x in zip(trace.customdata, trace.x, strict=True)}
        assert sorted(drawn) == sorted(points.ids)
        for i, w, wrong in zip(points.ids, at, points.predicted != points.true, strict=True):
            assert drawn[i] == (pytest.approx(w, abs=1e-6), wrong)
    assert w_strip_table(points, CLASSES)["w"].tolist() == sorted(points.w)


def test_breakpoints_and_gaps_of_the_strip_are_the_exact_ones(three):
    _, profile, points = three
    figure = w_strip_figure(
        profile.soft_labels, profile.bands, CLASSES, profile.line.classes, points
    )
    texts = [note.text for note in figure.layout.annotations]
    assert len(profile.bands.edges) > 2
    for edge in profile.bands.edges[1:-1]:
        assert f"{edge:.3f}" in texts
    low, high = points.w.min(), points.w.max()
    assert any(f"all {len(points)} points: {low:.2f} – {high:.2f}" in text for text in texts)
    # A bar over the occupied range, then an arrow to each breakpoint that no point has reached.
    ends = {(round(a.ax, 9), round(a.x, 9)) for a in figure.layout.annotations if a.axref == "x"}
    reached = [edge for edge in profile.bands.edges[1:-1] if low < edge < high]
    beyond = [edge for edge in profile.bands.edges[1:-1] if edge not in reached]
    nearest = {max([e for e in beyond if e <= low], default=None)} | {
        min([e for e in beyond if e >= high], default=None)
    }
    arrows = {(round(low if e <= low else high, 9), round(e, 9)) for e in nearest if e is not None}
    assert ends == arrows | {(round(low, 9), round(high, 9))}


def test_zoom_shows_the_occupied_range_alone(three):
    _, profile, points = three
    figure = w_strip_figure(
        profile.soft_labels, profile.bands, CLASSES, profile.line.classes, points, zoom=True
    )
    low, high = figure.layout.xaxis.range
    assert low < points.w.min() < points.w.max() < high
    assert high - low < 1.5 * np.ptp(points.w)
    assert not markers(figure, "y4")


def test_points_that_a_filter_leaves_out_are_faint(three):
    _, profile, points = three
    shown = points.true == points.true[0]
    points = LinePoints(**(vars(points) | {"shown": shown}))
    figure = half_plane_figure(profile.bands, CLASSES, profile.line, points)
    faint = {int(i) for t in markers(figure) if t.marker.opacity < 0.2 for i in t.customdata}
    assert faint == set(points.ids[~shown].tolist())


def painted(figure, t, r):
    """The colour under a place: that of the last shape which covers it."""
    color = None
    for shape in figure.layout.shapes:
        if shape.fillcolor is None:
            continue
        x = (shape.x0 + shape.x1) / 2, (shape.x1 - shape.x0) / 2
        y = (shape.y0 + shape.y1) / 2, (shape.y1 - shape.y0) / 2
        away = (t - x[0]) / x[1], (r - y[0]) / y[1]
        inside = np.hypot(*away) <= 1 if shape.type == "circle" else max(map(abs, away)) <= 1
        color = shape.fillcolor if inside else color
    return color


@pytest.mark.parametrize("along", [False, True])
@pytest.mark.parametrize(
    "edges",
    [(0.0, 0.2, 0.6, 1.0), (0.0, 0.5, 0.8, 1.0), (0.0, 0.6, 0.8, 1.0), (0.0, 0.1, 0.5, 1.0)],
)
def test_regions_of_the_half_plane_are_those_of_the_vote(edges, along):
    bands, length = Bands((2, 1, 0), edges), 3.0
    line = Line((0, 1, 2), np.array([0.0, 1.2, length]), np.zeros(3), length)
    rng = np.random.default_rng(1)
    t, r = rng.uniform(-3, 6, 400), rng.uniform(0.01, 5, 400)
    none = np.empty(0)
    empty = LinePoints(*(none.astype(int),) * 3, *(none,) * 4, none.astype(bool))
    figure = half_plane_figure(bands, CLASSES, line, empty, along_line=along)
    fills = {blend(class_style(k, LIGHT).color, LIGHT.background, 0.30): k for k in range(3)}
    w = vote_at(t, r, length, along)
    assert [fills[painted(figure, *at)] for at in zip(t, r, strict=True)] == list(
        winner_at(bands, w)
    )


def test_a_vote_is_constant_on_its_circle():
    for w in (0.05, 0.3, 0.62, 0.9):
        centre, radius = circle_of(w, 2.5)
        angle = np.linspace(0, np.pi, 9)
        at = vote_at(centre + radius * np.cos(angle), radius * np.sin(angle), 2.5, False)
        np.testing.assert_allclose(at, w, atol=1e-12)
    assert np.isinf(circle_of(0.5, 2.5)).all()


def test_votes_at_places_are_those_of_the_method(three):
    _, profile, points = three
    np.testing.assert_allclose(vote_at(points.t, points.r, profile.line.length, False), points.w)
    np.testing.assert_allclose(vote_at(points.t, points.r, profile.line.length, True), points.along)
    assert half_plane_table(points, CLASSES)["t"].tolist() == points.t.tolist()


@pytest.mark.parametrize("along_line", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_the_region_of_theorem_2_equals_a_dense_scan(seed, along_line):
    rng = np.random.default_rng(seed)
    bands = winning_bands(*rng.dirichlet(np.ones(3), size=2))
    line = Line((0, 1, 2), np.array([0.0, 1.0, 2.5]), np.zeros(3), 2.5)
    t, r = np.linspace(-3, 5, 41), np.linspace(0.003, 20, 500)
    for k in range(3):
        below, above = crossed_beyond(bands, line, k, t, along_line)
        w = vote_at(t[:, None], r[None, :], 2.5, along_line)
        wins = winner_at(bands, w) == k
        assert ((r > below[:, None]) & (r < above[:, None]) == wins).mean() > 0.9999


def test_theorem_2_has_strong_marks_for_counted_points_alone(three):
    _, profile, points = three
    counted = np.arange(len(points)) % 3 == 0
    figure = theorem2_figure(profile.bands, CLASSES, profile.line, points, counted)
    strong = {int(i) for t in markers(figure) if t.marker.opacity > 0.2 for i in t.customdata}
    assert strong == set(points.ids[counted].tolist())


def test_bars_of_causes_are_their_table_and_name_what_was_clicked():
    model, Q, true = data(ConstraintSLPClassifier())
    found = read_causes(model, Q, true)
    titles = [(kind, "meaning") for kind in found.kinds]
    lines = [f"line {n + 1}" for n in range(found.n_lines)]
    for by, counts, groups in (("class", found.by_class, CLASSES), ("line", found.by_line, lines)):
        figure = causes_figure(counts, titles, groups, by)
        total = np.zeros_like(counts)
        for bar in figure.data:
            for (row, group), n in zip(bar.customdata, bar.x, strict=True):
                total[row, group] += n
        np.testing.assert_array_equal(total, counts)
        table = causes_table(counts, titles, groups)
        assert table["errors"].sum() == found.wrong.sum() > 0


def test_errors_are_sorted_as_asked_and_left_out_as_asked():
    model, Q, true = data(ConstraintSLPClassifier())
    found = read_causes(model, Q, true)
    rows, texts = np.arange(70) + 500, [f"text {i}" for i in range(70)]
    keep = found.true != 2
    surest = errors_table(found, rows, texts, "surest", keep)
    assert surest["margin"].is_monotonic_increasing
    assert errors_table(found, rows, texts, "closest", keep)["margin"].is_monotonic_decreasing
    assert set(surest["row"]) == set(rows[found.wrong & keep])
    assert "c" not in set(surest["true"])
    assert surest["text"].tolist() == [f"text {row - 500}" for row in surest["row"]]


@pytest.mark.parametrize("method", [ConstraintSLPClassifier, DeepSLPClassifier])
def test_the_parts_of_a_vote_add_up_to_the_influence(method):
    model, Q, _ = data(method())
    for x in Q[:8]:
        votes = read_votes(model, x)
        influence = model.influence(x[None])[0]
        table = votes_table(votes.soft_labels, votes.distances, CLASSES).set_index("class")
        np.testing.assert_allclose(
            table["left part"] + table["right part"], table["influence"], rtol=1e-12
        )
        np.testing.assert_allclose(table["influence"][list(CLASSES)], influence, rtol=1e-9)
        figure = votes_figure(votes.soft_labels, votes.distances, CLASSES)
        bars = np.sum([bar.x for bar in figure.data if bar.type == "bar"], axis=0)
        np.testing.assert_allclose(bars, np.sort(influence[influence != 0])[::-1], rtol=1e-9)


def test_a_slider_has_a_frame_a_dimension():
    rng = np.random.default_rng(0)
    true = np.repeat(np.arange(3), 20)
    series = [
        AtDimension(d, Bands((2, 1, 0), (0, 0.2, 0.7, 1)), rng.beta(d, d, 60), true, {"x": 0.5})
        for d in (2, 8, 32)
    ]
    figure = scrub_figure(series, "abc", current=8)
    assert [frame.name for frame in figure.frames] == ["2", "8", "32"]
    assert figure.layout.sliders[0].active == 1
    for frame, at in zip(figure.frames, series, strict=True):
        np.testing.assert_allclose(np.concatenate([t.x for t in frame.data]), at.w, atol=1e-6)
    table = dimensions_table(series, "abc")
    spread = (table["w 95 %"] - table["w 5 %"]).to_numpy().reshape(3, 3)
    assert (np.diff(spread, axis=0) < 0).all()
    assert len(dimensions_figure(series, "abc", current=8).data) == 3 * 3 + 1


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_equal_input_gives_identical_figures(three, theme):
    _, profile, points = three

    def figures():
        yield w_strip_figure(
            profile.soft_labels,
            profile.bands,
            CLASSES,
            profile.line.classes,
            points,
            marked=(0.5, 0.2),
            theme=theme,
        )
        yield half_plane_figure(profile.bands, CLASSES, profile.line, points, theme=theme)

    first, second = ([figure.to_json() for figure in figures()] for _ in range(2))
    assert first == second
    assert all(theme.background in figure for figure in first)
