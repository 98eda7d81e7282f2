"""Figures of the Encoders page carry the numbers that they are given."""

import numpy as np
import pytest

from slp_core.diagnostics.encoders import AccuracyByShots, EncoderChange, class_distances
from slp_core.figures import encoder_accuracy as classes
from slp_core.figures import encoder_change as figures
from slp_core.figures.encoder_curves import (
    MetaCurve,
    curves_figure,
    curves_sentence,
    curves_table,
)
from slp_core.figures.style.theme import DARK, LIGHT
from slp_core.views.joint_plane import joint_plane


@pytest.fixture(scope="module")
def spaces():
    rng = np.random.default_rng(0)
    y = np.arange(600) % 3
    first = rng.normal(size=(600, 5)) + np.eye(5)[y]
    return first, first + np.eye(5)[y], y


@pytest.fixture(scope="module")
def moves(spaces):
    first, second, y = spaces
    right = np.array([[True] * 591, [False] * 591])
    texts = [f"text {i}" for i in range(600)]
    rows = np.arange(600)
    return figures.Moves(
        joint_plane(first, second), ("p", "q", "r"), y, rows[:9], rows[9:], right, texts
    )


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_arrows_run_from_before_to_after(moves, theme):
    figure = figures.moves_figure(moves, theme)
    marks = [t for t in figure.data if t.customdata is not None]
    clicked = np.concatenate([t.customdata for t in marks])
    drawn = {*moves.query[moves.drawn].tolist(), *range(9)}
    assert sorted(clicked.tolist()) == sorted([*drawn, *drawn])
    assert len(moves.drawn) == figures.MOST_ARROWS
    assert "240 of 591 query points, evenly spaced" in moves.caption()
    for trace in marks:
        points = moves.plane.before if trace.marker.symbol.endswith("-open") else moves.plane.after
        np.testing.assert_allclose(np.c_[trace.x, trace.y], points[trace.customdata], rtol=1e-5)
        assert {"p": "circle", "q": "square", "r": "diamond"}[
            moves.classes[moves.true[trace.customdata[0]]]
        ] == trace.marker.symbol.removesuffix("-open")
    shafts = [t for t in figure.data if t.mode == "lines+markers"]
    assert all(t.marker.angleref == "previous" and max(t.marker.size) > 0 for t in shafts)
    table = figures.moves_table(moves)
    assert len(table) == 600
    assert table["right before"][9]
    assert not table["right after"][9]


def test_classes_distances_and_accuracies_are_those_of_the_tables(spaces):
    first, second, y = spaces
    found = tuple(class_distances(X, y, 3) for X in (first, second))
    change = EncoderChange(("a", "b"), ("p", "q", "r"), found, np.ones((2, 1), bool))
    by_mark = {
        t.marker.symbol: t for t in classes.class_distances_figure(change).data if len(t.x) == 4
    }
    table = change.table()
    for symbol, when in (("circle-open", "before"), ("circle", "after")):
        values = table[f"ratio, {when}"].to_numpy()
        np.testing.assert_allclose(by_mark[symbol].x, [*values[2::-1], values[3]], rtol=1e-5)
    assert classes.class_distances_table(change)["within"][0] == (
        f"{found[0].within[0]:.3f} → {found[1].within[0]:.3f}"
    )
    values = {("m", s): np.array([[0.5, 0.6], [0.7, 0.9]]) for s in (1, 4)}
    figure = classes.accuracy_figure(AccuracyByShots(("a", "b"), values))
    before, after = figure.data
    assert before.x.tolist() == ["1", "4"]
    np.testing.assert_allclose(before.y, 55, rtol=1e-6)
    np.testing.assert_allclose(after.error_y.array, 10, rtol=1e-6)


def test_datasets_are_rows_and_shots_columns():
    values = {
        ("d", 4): np.array([[0.5, 0.6], [0.7, 0.9]]),
        ("d", 1): np.array([[0.25, 0.25], [0.2, 0.2]]),
        ("e", 4): np.array([[0.1], [0.2]]),
    }
    found = AccuracyByShots(("a", "b"), values, "dataset")
    pivot = classes.accuracy_pivot(found)
    assert pivot.columns.tolist() == ["dataset", "1 shot", "4 shots"]
    assert pivot.to_numpy().tolist() == [
        ["d", "25.0 → 20.0", "55.0 → 80.0"],
        ["e", "", "10.0 → 20.0"],
    ]
    assert "b is ahead of a in 2 of 3 settings of dataset and shots" in found.sentence()


def test_curves_are_those_of_the_card():
    card = {
        "title": "one",
        "best_step": 20,
        "curve": [
            {"step": 0, "loss": None, "validation": 0.6},
            {"step": 10, "loss": 0.5, "validation": 0.7},
            {"step": 20, "loss": 0.4, "validation": 0.8},
            {"step": 30, "loss": 0.3, "validation": 0.75},
        ],
    }
    one = MetaCurve.of(card)
    other = MetaCurve.of(card | {"title": "two", "best_step": 10})
    figure = curves_figure([one, other])
    validation, loss, ring = figure.data[:3]
    np.testing.assert_allclose(validation.y, [60, 70, 80, 75], rtol=1e-6)
    np.testing.assert_allclose(loss.y[1:], [0.5, 0.4, 0.3], rtol=1e-6)
    assert (ring.x[0], ring.y[0]) == pytest.approx((20, 80))
    assert curves_table([one, other])["kept"].sum() == 2
    assert curves_sentence([other, one]) == (
        "Of 2 meta-trained encoders, one validates best: 60.0% before, 80.0% after 20 outer steps."
    )
    assert curves_sentence([other]).startswith("Meta-training took two: 60.0% before, 70.0%")
