"""Figures of the Ensemble page carry the numbers that they are given."""

from dataclasses import replace

import numpy as np
import pytest

from slp_core import ConstraintSLPClassifier, DeepSLPClassifier, LogisticRegressionClassifier
from slp_core.diagnostics.calibration import calibration, out_of_distribution
from slp_core.diagnostics.draws import ensemble_over_draws
from slp_core.diagnostics.ensemble import ensemble_diagnostics
from slp_core.figures import ensemble
from slp_core.figures.calibration import EntropyDisplay, ReliabilityDisplay, SelectiveDisplay
from slp_core.figures.ensemble import (
    AccuracyAlongDisplay,
    ConfidenceDisplay,
    DiversityDisplay,
    MembersDisplay,
    NLLDisplay,
    UncertaintyDisplay,
)
from slp_core.figures.style.theme import DARK, LIGHT


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    y = np.arange(120) % 4
    return rng.normal(size=(120, 15)) + 1.5 * np.eye(15)[y], y


@pytest.fixture(scope="module", params=[ConstraintSLPClassifier, DeepSLPClassifier])
def found(request, data):
    X, y = data
    return ensemble_diagnostics(request.param().fit(X[:24], y[:24]), X[24:], y[24:])


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_draws_are_drawn_with_their_figures(data, theme):
    X, y = data
    draws = {d: (X[24 * d :][:24], y[24 * d :][:24], X[96:], y[96:]) for d in range(3)}
    over = ensemble_over_draws(
        DeepSLPClassifier, LogisticRegressionClassifier, draws.items(), "one model"
    )
    nll = {t.name: t for t in NLLDisplay(over).figure(theme).data if t.name}
    np.testing.assert_allclose(nll["together"].y, over.table["NLL(F)"], rtol=1e-6)
    np.testing.assert_allclose(nll["one model"].y, over.table["single NLL"], rtol=1e-6)
    assert len({t.marker.symbol for t in nll.values()}) == 3
    figure = UncertaintyDisplay(over).figure(theme)
    assert figure.layout.barmode == "stack"
    stacked = sum(np.asarray(t.y) for t in figure.data if t.type == "bar")
    parts = over.table["JSD as in the paper"] + over.table["mean H(f)"]
    np.testing.assert_allclose(stacked, parts, rtol=1e-5)


def test_a_draw_without_a_point_to_compare_nlls_at_has_no_mark_beside_those_that_have():
    X, names = np.array([[-10.0, 0], [5, 0], [15, 0]]), np.array(list("ABC"))
    model = ConstraintSLPClassifier().fit(X, names)
    draws = {d: (X, names, X[[c]], names[[c]]) for d, c in enumerate([1, 0, 1, 2])}

    def marks(draws):
        over = ensemble_over_draws(lambda: model, lambda: model, draws.items(), "one")
        figure = NLLDisplay(over).figure()
        assert figure.layout.xaxis.range == (-0.5, len(draws) - 0.5)
        return {t.name: t.x[np.isfinite(t.y)].tolist() for t in figure.data if t.name}

    assert marks(draws) == {"members, mean": [0, 2], "together": [0, 2], "one": [0, 2]}
    none = dict.fromkeys(range(2), draws[3])
    assert marks(none) == {"members, mean": [], "together": [0, 1], "one": [0, 1]}


def test_every_point_can_be_clicked_once(found):
    ids = np.arange(96) + 1000
    texts = [f"text {i}" for i in range(1096)]
    display = DiversityDisplay(found, ids, texts)
    figure = display.figure()
    clicked = np.concatenate([trace.customdata for trace in figure.data])
    np.testing.assert_array_equal(np.sort(clicked), ids)
    wrong = next(trace for trace in figure.data if "misclassified" in trace.name)
    np.testing.assert_array_equal(wrong.customdata, ids[~found.correct])
    np.testing.assert_allclose(wrong.x, found.jsd[~found.correct], rtol=1e-5)
    assert figure.layout.showlegend  # where all are right, too
    for trace in figure.data:
        (spot,) = replace(display, chosen=trace.customdata[-1]).ring
        np.testing.assert_allclose([spot.x, spot.y], [trace.x[-1], trace.y[-1]], rtol=1e-5)
    table = display.table()
    assert list(table["text"]) == texts[1000:]
    left, right = found.members.alone.argmax(axis=2).T
    assert list(table["A alone"]) == [found.classes[k] for k in left]
    assert list(table["B alone"]) == [found.classes[k] for k in right]
    assert ((table["true"] == table["together"]) == found.correct).all()


def test_confidences_are_marked_by_which_member_is_correct(found):
    ids = np.arange(96) + 1000
    display = ConfidenceDisplay(found, ids, [""] * 1096)
    both, a, b, neither = display.figure().data
    groups = {(True, True): both, (True, False): a, (False, True): b, (False, False): neither}
    alone = found.members.alone
    for i, true in enumerate(found.true):
        correct = tuple(bool(alone[i, side].argmax() == true) for side in (0, 1))
        trace = groups[correct]
        (at,) = np.flatnonzero(trace.customdata == ids[i])
        np.testing.assert_allclose((trace.x[at], trace.y[at]), alone[i].max(axis=1), rtol=1e-5)
    assert sum(len(trace.x) for trace in groups.values()) == 96
    (spot,) = replace(display, chosen=1007).ring
    np.testing.assert_allclose((spot.x, spot.y), alone[7].max(axis=1))


def test_fewer_marks_than_points_are_said(found, monkeypatch):
    display = DiversityDisplay(found, np.arange(96), [""] * 1096)
    assert not display.thinned_text()
    monkeypatch.setattr(ensemble, "_MOST_POINTS", 31)
    assert sum(len(t.x) for t in display.figure().data) == 31
    assert display.thinned_text().startswith("31 of 96 ")


def test_members_of_one_point_are_shown_with_the_true_class(found):
    display = MembersDisplay(found, 5, row=77)
    figure = display.figure()
    left, joint, right = figure.data
    assert [t.name for t in figure.data] == ["A alone", "together", "B alone"]
    assert sum(joint.y) == pytest.approx(1, abs=1e-5)
    assert any("<b>" in name for name in joint.x)
    table = display.table()
    np.testing.assert_allclose(sorted(table["A alone"]), sorted(left.y), atol=1e-6)
    np.testing.assert_allclose(sorted(table["B alone"]), sorted(right.y), atol=1e-6)
    by_class = table.set_index("class").loc[list(found.classes)]
    a, b = found.members.alone[5]
    np.testing.assert_allclose(by_class["A alone"], a)
    np.testing.assert_allclose(by_class["B alone"], b)
    np.testing.assert_allclose(by_class["together"], found.members.joint[5])
    assert set(table["row"]) == {77}
    assert set(table["true"]) == {found.classes[found.true[5]]}
    assert set(table["predicted"]) == {table["class"][0]}
    assert set(table["w"]) == {found.members.weight[5, 0]}


@pytest.mark.parametrize("what", ["w", "distance"])
def test_accuracy_along(found, what):
    bins = found.along(what)
    display = AccuracyAlongDisplay(bins, what)
    assert display.sentence() == f"Accuracy over {what}: 96 query examples in 8 bins of 12 or more."
    figure = display.figure()
    assert (figure.layout.xaxis.autorange == "reversed") == (what == "w")  # A is on the left
    together = next(t for t in figure.data if t.name == "together")
    np.testing.assert_allclose(together.y, 100 * bins["together"], rtol=1e-5)


def test_calibration_figures(found):
    joint = found.members.joint
    judged = calibration(joint, found.true)
    reliability, selective = ReliabilityDisplay(judged), SelectiveDisplay(judged)
    bars = reliability.figure().data[0]
    np.testing.assert_allclose(bars.y, judged.accuracy, rtol=1e-6)
    assert reliability.table()["examples"].sum() == 96
    for right in (found.true, joint.argmax(axis=1)):
        figure = SelectiveDisplay(calibration(joint, right)).figure()
        assert figure.layout.yaxis.range[1] - 1 < np.ptp(figure.layout.yaxis.range) / 10  # no tick
    curve = selective.figure().data[0]
    assert curve.y[-1] == pytest.approx(found.correct.mean(), abs=1e-6)
    assert len(selective.table()) == len(judged.least)
    entropies = EntropyDisplay(out_of_distribution(joint[:60], joint[60:]), ("here", "there"))
    figure = entropies.figure()
    assert [t.name for t in figure.data] == ["here", "there"]
    assert list(entropies.table()["from"].value_counts()) == [60, 36]
