"""Figures of soft labels draw what their tables say."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from slp_core import ConstraintSLPClassifier, DeepSLPClassifier
from slp_core.explain.profile import LineProfile
from slp_core.explain.soft_label_draws import soft_labels_over_draws
from slp_core.explain.soft_label_pairs import SoftLabelPairs
from slp_core.explain.soft_labels import read_soft_labels, soft_labels_at
from slp_core.figures.line import points
from slp_core.figures.line.bands import BandsDisplay
from slp_core.figures.soft_labels import SoftLabelDrawsDisplay, SoftLabelPairsDisplay
from slp_core.figures.style.text import letters
from slp_core.figures.style.theme import DARK, LIGHT
from slp_core.lines import Line


def read(model, name, seed=0):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(6), 6)
    X = 2 * rng.normal(size=(6, 5))[y] + rng.normal(size=(36, 5))
    Q = 2 * rng.normal(size=(50, 5))
    model.fit(X, np.array(list("abcdef"))[y])
    return read_soft_labels(model, name, Q), model, Q


def compared(seed=0):
    first, solved, Q = read(ConstraintSLPClassifier(), "one")
    second, deep, _ = read(DeepSLPClassifier(), "two", seed)
    pairs = SoftLabelPairs(first, second)
    return pairs, tuple(soft_labels_at(*of, Q[0]) for of in ((first, solved), (second, deep)))


@pytest.mark.parametrize("seed", [0, 5])
def test_bars_and_table_of_two_methods_agree(seed):
    pairs, at_x = compared(seed)
    display = SoftLabelPairsDisplay(pairs, at_x)
    figure, table = display.figure(), display.table()
    drawn = np.stack([bar.x for bar in figure.data], axis=1)  # (soft labels, classes)
    np.testing.assert_allclose(drawn.sum(axis=1), 1, atol=1e-6)
    names = [name.rsplit(" · ", 1) for name in figure.layout.yaxis.ticktext]
    soft_labels = table.groupby(["line", "prototype", "soft label"], sort=False)
    assert len(names) == len(soft_labels)
    for (place, what), weights, (key, rows) in zip(names, drawn, soft_labels, strict=True):
        assert place.startswith(f"{key[0]}{key[1]} ")
        assert place.endswith(rows["at"].iloc[0])
        assert what.strip() == key[2]
        of_class = dict(zip(rows["class"], rows["weight"], strict=True))
        np.testing.assert_allclose(weights, [of_class.get(c, 0) for c in "abcdef"], atol=1e-6)
        assert rows["SD"].isna().all() == (key[2] != "two")
    for prototype in pairs.first.prototypes:
        place = (prototype.line + 1, "AB"[prototype.side])
        there = {key[2] for key in soft_labels.groups if key[:2] == place}
        assert ("two" in there) == (prototype.at in pairs.second.at_class)
    expected = len(at_x[1].keys() & pairs.first.at_class.keys())
    assert sum(what.strip() == "two at x" for _, what in names) == expected
    assert len(display.distances()) == len(pairs.divergence)


def test_every_draw_has_its_mark():
    draws = soft_labels_over_draws(
        {s: read(ConstraintSLPClassifier(), "one", s)[0] for s in range(5)}
    )
    at, _ = draws.most_moved
    display = SoftLabelDrawsDisplay(draws, at, current=2)
    figure = display.figure()
    assert all(len(trace.x) == draws.known[at] for trace in figure.data)
    table = display.table()
    assert (table["prototype at"] == draws.classes[at]).sum() == draws.known[at]
    np.testing.assert_allclose(table[list("abcdef")].sum(axis=1), 1)


def points_of(true, w):
    rows = {"row": np.arange(len(true)) + 40, "true": true, "predicted": true, "w": w, "along": w}
    return pd.DataFrame(rows).assign(shown=True)


def bands_of(labels, classes, points):
    line = Line((0, 1, 2), np.arange(3.0), np.zeros(3), 2.0)
    return BandsDisplay(LineProfile(tuple(classes), 0, line, points, labels, None), labels)


def test_bands_cover_w_and_every_point_has_its_row():
    labels = np.array([[0.6, 0.4, 0.0, 0.0], [0.0, 0.45, 0.55, 0.0]])
    w, true = np.linspace(0.4, 0.6, 9), np.array([0, 1, 2, 3, 3, 0, 1, 2, 1])
    display = bands_of(labels, "abcd", points_of(true, w))
    figure = display.figure()
    lines = [t for t in figure.data if t.type == "scatter" and t.mode == "lines"]
    marks = [t for t in figure.data if t.customdata is not None]
    assert [list(t.y) for t in lines[:3]] == [pytest.approx(labels[::-1, k]) for k in range(3)]
    assert sum(len(t.x) for t in marks) == 9
    assert figure.layout.yaxis3.ticktext[-1] == "other classes"  # d has no score here
    np.testing.assert_allclose(figure.layout.xaxis.range, [1, 0], atol=0.01)  # A is on the left
    for i in range(9):
        ringed = replace(display, row=40 + i)
        (spot,) = ringed.ring
        (mark,) = [
            t for t in ringed.figure().data if t.customdata is not None and 40 + i in t.customdata
        ]
        at = mark.customdata.tolist().index(40 + i)
        np.testing.assert_allclose([spot.x, spot.y], [mark.x[at], mark.y[at]], rtol=1e-5)
        assert spot.x == w[i]
    table = display.table()
    assert table["class"].tolist() == ["c", "b", "a"]
    assert table["from"].tolist()[1:] == table["to"].tolist()[:-1]
    np.testing.assert_array_equal(table[["A", "B"]], labels[:, [2, 1, 0]].T)
    assert display.sentence().endswith("9 query examples: w from 0.40 to 0.60.")
    edited = replace(display, before=labels[:, [1, 0, 2, 3]])
    assert sum(t.line.dash == "dot" for t in edited.figure().data if t.type == "scatter") == 2
    assert edited.sentence().endswith("to 0.60. Dotted: as fitted.")
    assert "Dotted" not in replace(display, before=labels).sentence()  # another line was edited


def test_names_of_bands_stay_within_them_between_two_columns():
    """The editor's three classes in a third of a window: at full length they lay on each other."""
    labels = np.array([[0.60, 0.40, 0.0], [0.0, 0.45, 0.55]])
    classes = ("account_access", "report_outage", "slow_connection")
    display = bands_of(labels, classes, points_of([], []))
    ends = display.table()[["from", "to"]].to_numpy().tolist()
    notes = [note for note in display.figure().layout.annotations if "<b>" in note.text]
    assert len(notes) == len(ends) == 3
    for note in notes:
        (room,) = (high - low for low, high in ends if low <= np.clip(note.x, 0, 1) <= high)
        assert note.yshift or letters(note.text) <= 30 * room + 0.5
    assert sum(note.yshift < 0 for note in notes) == 1  # in a second row, where it meets no other


def test_fewer_marks_than_points_are_said(monkeypatch):
    labels = np.array([[0.6, 0.4, 0.0], [0.0, 0.45, 0.55]])
    examples = points_of([0, 1, 1, 1, 1, 2, 2, 0, 2], np.linspace(0, 1, 9))
    display = bands_of(labels, "abc", examples)
    assert not display.thinned_text()
    monkeypatch.setattr(points, "_MOST_POINTS", 8)
    monkeypatch.setattr(points, "_OF_MORE", 6)
    marks = [t for t in display.figure().data if t.customdata is not None]
    assert sum(len(t.x) for t in marks) == 6
    assert display.thinned_text().startswith("6 of 9 ")


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_equal_input_gives_an_identical_figure(theme):
    pairs, at_x = compared()
    first, second = (SoftLabelPairsDisplay(pairs, at_x).figure(theme).to_json() for _ in range(2))
    assert first == second
    assert theme.background in first
