"""Accuracy under two encoders, draw by draw."""

import numpy as np
import pytest

from slp_core.data import load_dataset
from slp_core.encoders import load_encoder
from slp_core.errors import Cancelled
from slp_core.evaluation.draws import accuracy_by_shots, accuracy_over_draws, two_encoders
from slp_core.evaluation.text import encoder_gain_text, outcomes_text, signed_points
from slp_core.methods.table import METHODS

METHOD = METHODS["nearest_centroid"]


def test_accuracies_are_summed_up_over_the_draws():
    values = {
        ("m", 1): np.array([[0.5, 0.7], [0.6, 0.9]]),
        ("m", 2): np.array([[0.8, np.nan], [0.6, np.nan]]),
        ("n", 1): np.full((2, 3), np.nan),
    }
    found = two_encoders(values, "method")
    first, second = found.to_dict("records")
    assert (first["before"], first["after"]) == pytest.approx((0.6, 0.75))
    assert (first["± before"], first["± after"]) == pytest.approx((0.1, 0.15))
    assert (first["better on"], first["support sets"]) == (2, 2)
    assert (second["shots"], second["support sets"], second["better on"]) == (2, 1, 0)
    level = two_encoders({("m", 1): np.array([[0.5, 0.7], [0.5, 0.9]])}, "method")
    assert level[["better on", "support sets"]].to_numpy().tolist() == [[1, 2]]
    assert encoder_gain_text(found, ("a", "b")) == (
        "“b” against “a”: 1 win, 1 loss, 0 ties, mean difference −2.5 percentage points."
    )
    none = encoder_gain_text(two_encoders({}, "method"), ("a", "b"))
    assert none == "No support set leaves a query set to evaluate on."


@pytest.mark.parametrize("seed", range(60))
def test_gains_are_those_of_the_draws_that_both_have(seed):
    rng = np.random.default_rng(seed)
    values, expected = {}, {}
    for place in range(int(rng.integers(0, 4))):
        both = np.round(rng.random((2, int(rng.integers(1, 4)))), 1)
        if rng.random() < 0.3:
            both[1] = both[0]
        both[rng.random(both.shape) < 0.2] = np.nan
        values["m", place] = both
        pairs = [(a, b) for a, b in zip(*both, strict=True) if a == a and b == b]
        if pairs:
            expected[place] = sum(b - a for a, b in pairs) / len(pairs)
    said = encoder_gain_text(two_encoders(values, "method"), ("a", "b"))
    each = list(expected.values())
    wins, losses = sum(d > 1e-9 for d in each), sum(d < -1e-9 for d in each)
    assert (outcomes_text(wins, losses, len(each) - wins - losses) in said) == bool(each)
    assert not each or signed_points(np.mean(each)) in said


def test_methods_are_judged_on_every_draw_of_every_number_of_shots_under_both():
    dataset, told = load_dataset("wine"), []
    both = [load_encoder(name).encode(dataset) for name in ("numeric", "raw")]
    methods = [METHOD, METHODS["one_nn"]]
    cells = [(method.title, method, dataset, both) for method in methods]
    found = accuracy_by_shots(cells, "method", told.append)
    shots = dataset.shots_available
    settings = [(method.title, s) for method in methods for s in shots]
    assert list(zip(found["method"], found["shots"], strict=True)) == settings
    assert [(each.done, each.total) for each in told] == [
        (i, 2 * len(shots)) for i in range(2 * len(shots))
    ]
    for X, when in zip(both, ("before", "after"), strict=True):
        data = shots[0], dataset.available_draws(shots[0])
        expected = accuracy_over_draws(METHOD.make, dataset, X, *data)
        assert found[when][0] == pytest.approx(expected.mean())
    with pytest.raises(Cancelled):
        accuracy_by_shots(cells, "method", cancelled=lambda: True)
