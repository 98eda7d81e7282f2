"""Figures of the Encoders page carry the numbers that they are given."""

from dataclasses import replace

import numpy as np
import pytest

from slp_core.diagnostics.encoders import encoder_change
from slp_core.evaluation.draws import two_encoders
from slp_core.figures.encoder_change import (
    MOST_ARROWS,
    AccuracyByShotsDisplay,
    ClassDistancesDisplay,
    MovesDisplay,
    accuracy_pivot,
)
from slp_core.figures.meta_training import MetaCurvesDisplay
from slp_core.figures.style.theme import DARK, LIGHT
from slp_core.views.align import joint_plane


@pytest.fixture(scope="module")
def spaces():
    rng = np.random.default_rng(0)
    y = np.arange(600) % 3
    first = rng.normal(size=(600, 5)) + np.eye(5)[y]
    return first, first + np.eye(5)[y], y


@pytest.fixture(scope="module")
def moves(spaces):
    first, second, y = spaces
    right = (np.full(591, True), np.full(591, False))
    change = encoder_change(("a", "b"), ("p", "q", "r"), (first, second), y, right, right)
    texts = [f"text {i}" for i in range(600)]
    rows = np.arange(600)
    return MovesDisplay(joint_plane(first, second), change, y, rows[:9], rows[9:], texts)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_arrows_run_from_before_to_after(moves, theme):
    figure = moves.figure(theme)
    marks = [t for t in figure.data if t.customdata is not None]
    clicked = np.concatenate([t.customdata for t in marks])
    drawn = {*moves.query[moves.drawn].tolist(), *range(9)}
    assert sorted(clicked.tolist()) == sorted([*drawn, *drawn])
    assert len(moves.drawn) == MOST_ARROWS
    shown = f"{MOST_ARROWS} of 591 query examples and all support examples"
    assert shown in moves.caption()
    assert shown not in replace(moves, parts="centroids").caption()
    assert figure.layout.xaxis.title.text == "component 1 of both spaces"
    assert f"shows {moves.plane.explained_variance:.0%} of their variance" in moves.caption()
    for trace in marks:
        points = moves.plane.before if trace.marker.symbol.endswith("-open") else moves.plane.after
        np.testing.assert_allclose(np.c_[trace.x, trace.y], points[trace.customdata], rtol=1e-5)
        assert {"p": "circle", "q": "square", "r": "diamond"}[
            moves.change.classes[moves.true[trace.customdata[0]]]
        ] == trace.marker.symbol.removesuffix("-open")
    every = [np.concatenate([t[axis] for t in figure.data]) for axis in "xy"]
    for (low, high), drawn in zip(
        (figure.layout.xaxis.range, figure.layout.yaxis.range), every, strict=True
    ):
        assert low < np.nanmin(drawn) < np.nanmax(drawn) < high
    shafts = [t for t in figure.data if t.mode == "lines+markers"]
    assert all(t.marker.angleref == "previous" and max(t.marker.size) > 0 for t in shafts)
    ring = replace(moves, chosen=5).ring
    ends = (moves.plane.before[5], moves.plane.after[5])
    np.testing.assert_allclose([(spot.x, spot.y) for spot in ring], ends)
    table = moves.table()
    assert len(table) == 600
    assert table["correct before"][9]
    assert not table["correct after"][9]


def test_classes_distances_and_accuracies_are_those_of_the_tables(spaces):
    first, second, y = spaces
    right = np.ones((2, 1), bool)
    change = encoder_change(("a", "b"), ("p", "q", "r"), (first, second), y, right, right)
    display = ClassDistancesDisplay(change)
    by_mark = {t.marker.symbol: t for t in display.figure().data if len(t.x) == 4}
    table = display.table()
    for symbol, when in (("circle-open", "before"), ("circle", "after")):
        np.testing.assert_allclose(by_mark[symbol].x, table[f"ratio, {when}"], rtol=1e-5)
    values = {("m", s): np.array([[0.5, 0.6], [0.7, 0.9]]) for s in (1, 4)}
    display = AccuracyByShotsDisplay(two_encoders(values, "method"), ("a", "b"))
    before, after = display.figure().data
    assert before.x.tolist() == ["1", "4"]
    np.testing.assert_allclose(before.y, 55, rtol=1e-6)
    np.testing.assert_allclose(after.error_y.array, 10, rtol=1e-6)


def test_a_methods_title_stands_over_the_middle_of_its_panel():
    values = {(name, 1): np.array([[0.5], [0.7]]) for name in ("one", "two words", "three")}
    display = AccuracyByShotsDisplay(two_encoders(values, "method"), ("a", "b"))
    layout = display.figure().layout
    titles = layout.annotations
    assert [t.text for t in titles] == ["<b>one</b>", "<b>two<br>words</b>", "<b>three</b>"]
    assert [(t.xref, t.x) for t in titles] == [(f"x{n} domain", 0.5) for n in ("", 2, 3)]


def test_datasets_are_rows_and_shots_columns():
    values = {
        ("d", 4): np.array([[0.5, 0.6], [0.7, 0.9]]),
        ("d", 1): np.array([[0.25, 0.25], [0.2, 0.2]]),
        ("e", 4): np.array([[0.1], [0.2]]),
    }
    pivot = accuracy_pivot(two_encoders(values, "dataset"))
    assert pivot.columns.tolist() == ["dataset", "1 shot", "4 shots"]
    assert pivot.to_numpy().tolist() == [
        ["d", "25.0 → 20.0", "55.0 → 80.0"],
        ["e", "", "10.0 → 20.0"],
    ]


def test_curves_are_those_of_the_card():
    card = {
        "title": "one",
        "best_step": 20,
        "validation": {"accuracy": 0.78},
        "interpolation": {"share": 0.5},
        "curve": [
            {"step": 0, "loss": None, "validation": 0.6},
            {"step": 10, "loss": 0.5, "validation": 0.7},
            {"step": 20, "loss": 0.4, "validation": 0.8},
            {"step": 30, "loss": 0.3, "validation": 0.75},
        ],
    }
    other = card | {"title": "two", "best_step": 10}
    both = MetaCurvesDisplay([card, other])
    validation, loss, ring = both.figure().data[:3]
    np.testing.assert_allclose(validation.y, [60, 70, 80, 75], rtol=1e-6)
    np.testing.assert_allclose(loss.y[1:], [0.5, 0.4, 0.3], rtol=1e-6)
    assert (ring.x[0], ring.y[0]) == pytest.approx((20, 80))
    assert both.table()["kept"].sum() == 2
    best = (
        "Highest validation accuracy: “one”, from 60.0% to 80.0% after outer step 20. Its weights "
        "were then interpolated, 50% of the way from the base's: accuracy 78.0%."
    )
    assert MetaCurvesDisplay([other, card]).sentence() == best
    level = MetaCurvesDisplay([card, card | {"title": "three"}])
    assert level.sentence() == f"{best} {best.replace('one', 'three')}"


@pytest.mark.parametrize("seed", range(30))
def test_the_best_runs_have_the_highest_validation_accuracy(seed):
    rng = np.random.default_rng(seed)
    cards = []
    for run in range(int(rng.integers(1, 5))):
        steps = range(0, 10 * int(rng.integers(1, 6)), 10)
        curve = [
            {"step": step, "loss": None, "validation": float(rng.integers(5) / 4)}  # ties
            for step in steps
        ]
        best = int(rng.choice(steps))
        cards.append(
            {"title": f"{run}", "curve": curve, "best_step": best, "validation": {"accuracy": 0.5}}
        )
    at_best = {
        card["title"]: point["validation"]
        for card in cards
        for point in card["curve"]
        if point["step"] == card["best_step"]
    }
    found = MetaCurvesDisplay(cards).best
    expected = [title for title, share in at_best.items() if share == max(at_best.values())]
    assert found["encoder"].tolist() == expected
