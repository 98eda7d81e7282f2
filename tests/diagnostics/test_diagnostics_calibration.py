"""Calibration against a loop over the points."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import entr

from slp_core.diagnostics.calibration import calibration, out_of_distribution
from slp_core.diagnostics.text import calibration_text


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 120), st.integers(2, 6))
def test_ece_and_selection_by_brute_force(seed, m, k):
    rng = np.random.default_rng(seed)
    probability = rng.dirichlet(np.ones(k) * 0.5, size=m)
    true = rng.integers(k, size=m)
    found = calibration(probability, true)
    total = 0.0
    for low, high in zip(found.edges[:-1], found.edges[1:], strict=True):
        inside = [i for i in range(m) if low < probability[i].max() <= high]
        if inside:
            sure = np.mean([probability[i].max() for i in inside])
            right = np.mean([probability[i].argmax() == true[i] for i in inside])
            total += len(inside) * abs(sure - right)
    assert found.ece == pytest.approx(total / m)
    assert found.count.sum() == m
    accuracy = np.mean(probability.argmax(axis=1) == true)
    assert found.selective[-1] == pytest.approx(accuracy)
    most_confident_error = probability[probability.max(axis=1).argmax()].argmax()
    assert found.selective[0] == (most_confident_error == true[probability.max(axis=1).argmax()])
    np.testing.assert_allclose(found.coverage, np.arange(1, m + 1) / m)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("bins", [7, 10, 20])
def test_a_confidence_on_an_edge_is_in_the_bin_below(kind, bins):
    sure = [Fraction(i, 5 * bins) for i in range(1, 5 * bins + 1)]
    probability = np.array([[float(p)] for p in sure], dtype=kind)
    found = calibration(probability, np.zeros(len(sure), int), bins)
    expected = [
        sum(Fraction(b, bins) < p <= Fraction(b + 1, bins) for p in sure) for b in range(bins)
    ]
    assert found.count.tolist() == expected


def test_perfect_calibration_has_no_error():
    rng = np.random.default_rng(0)
    p = rng.uniform(0.5, 1.0, size=40_000)
    true = (rng.uniform(size=40_000) > p).astype(int)
    assert calibration(np.column_stack([p, 1 - p]), true).ece < 0.01


def test_entropy_ranks_what_does_not_belong():
    sure, unsure = np.tile([0.98, 0.02], (30, 1)), np.tile([0.6, 0.4], (20, 1))
    found = out_of_distribution(sure, unsure)
    assert found.auroc == 1.0
    assert out_of_distribution(unsure, unsure).auroc == 0.5
    assert np.isnan(out_of_distribution(sure[:0], unsure).auroc)
    same = np.array([[0.1, 0.2, 0.7]])  # in another order the sum of three terms is rounded anew
    assert len({float(entr(same[0, list(order)]).sum()) for order in permutations(range(3))}) > 1
    for order in permutations(range(3)):
        assert out_of_distribution(same, same[:, list(order)]).auroc == 0.5


def test_no_points():
    found = calibration(np.empty((0, 3)), np.empty(0, int))
    assert found.ece == 0
    assert calibration_text(found) == "There are no query examples."


def test_equally_confident_predictions_are_kept_together():
    """Their order would be chance; rounding makes no difference."""
    for sure in (0.6, 0.6 + 1e-12):
        probability = np.array([[0.9, 0.1], [0.6, 0.4], [1 - sure, sure]])
        found = calibration(probability, np.array([0, 0, 0]))
        assert found.coverage.tolist() == pytest.approx([1 / 3, 1])
        assert found.selective.tolist() == pytest.approx([1, 2 / 3])
