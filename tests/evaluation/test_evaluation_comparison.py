from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.naive_bayes import GaussianNB

from slp_core.errors import Cancelled
from slp_core.evaluation.comparison import (
    agreement,
    class_f1,
    coincident,
    costs_table,
    mean_interval,
    on_same_draws,
    on_shared_draws,
    paired_difference,
    rank,
    runs_table,
    shared_draws,
)
from slp_core.evaluation.method_runs import DrawRun, MethodRuns, vector_runs
from slp_core.evaluation.paper import summarise
from slp_core.evaluation.report import latex_table
from slp_core.evaluation.results import COLUMNS, Scores
from slp_core.evaluation.text import unfinished_text
from slp_core.explain.predictions import confusion
from slp_core.methods.baselines import NearestCentroidClassifier
from slp_core.methods.protocols import Parameters


def runs(accuracies, draws=None, shots=4, parameters=None, missing=0):
    draws = tuple(range(len(accuracies))) if draws is None else draws
    nothing = np.empty(0, dtype=int)
    scores = [Scores(a, a / 2, 1.0, 40, 0.1) for a in accuracies]
    each = [DrawRun(found, nothing, nothing, parameters) for found in scores]
    return MethodRuns(shots, dict(zip(draws, each, strict=True)), missing)


def predictions(n, classes=3):
    return st.lists(st.integers(0, classes - 1), min_size=n, max_size=n).map(np.array)


@given(st.integers(1, 9).flatmap(lambda n: st.lists(predictions(n), min_size=1, max_size=4)))
@settings(deadline=None, max_examples=40)
def test_agreement_is_the_share_of_the_same_predictions(methods):
    same = agreement(methods)
    for i, first in enumerate(methods):
        for j, second in enumerate(methods):
            alike = [x == y for x, y in zip(first, second, strict=True)]
            assert same[i, j] == pytest.approx(sum(alike) / len(alike))


def test_the_interval_is_that_of_every_possible_resample():
    values = np.array([-2.0, -1.0, 0.0, 1.0, 2.0]) + 3  # no skew, so BCa is the percentile's
    means = [np.mean(resample) for resample in product(values, repeat=5)]
    low, high = np.percentile(means, [2.5, 97.5])
    assert mean_interval(values) == pytest.approx((low, high), abs=0.11)
    shifted = mean_interval(values + 10)
    assert shifted == pytest.approx((low + 10, high + 10), abs=0.11)
    assert mean_interval(values) == mean_interval(values)


def test_the_interval_of_skewed_differences_is_corrected_as_over_every_possible_resample():
    values = np.array([9, 4, 16, 4, 49])  # whole numbers: which sums are equal is known exactly
    n, total = len(values), values.sum()
    sums = np.array([sum(resample) for resample in product(values.tolist(), repeat=n)])
    below = ((sums < total).mean() + (sums <= total).mean()) / 2
    gaps = values - values.mean()  # of the means that leave one out, but for a factor
    skew = (gaps**3).sum() / (6 * (gaps**2).sum() ** 1.5)
    bias = norm.ppf(below) + norm.ppf([0.025, 0.975])
    shares = norm.cdf(norm.ppf(below) + bias / (1 - skew * bias))  # Efron's BCa

    expected = np.percentile(sums / n, 100 * shares)
    assert not np.allclose(expected, np.percentile(sums / n, [2.5, 97.5]), atol=2)
    # In units in which sums that are equal differ by rounding.
    assert mean_interval(values / 70) == pytest.approx(expected / 70, abs=0.5 / 70)


def test_where_no_spread_can_be_had_there_is_no_interval():
    assert mean_interval(np.array([0.3])) is None
    assert mean_interval(np.full(7, 0.25)) == (0.25, 0.25)
    assert mean_interval(np.array([0.1, -0.2, 0.3, 0.0])) == (-0.2, 0.3)  # the range of a few


def test_a_method_that_has_not_run_on_all_of_its_draws_is_not_ranked():
    done, begun = runs([0.5] * 10), runs([0.9], draws=(0,), missing=2)
    found = rank({"A": done, "LoRA": begun, "SetFit": runs([], missing=2)}, "Wine", 2)
    assert (found.names, found.draws) == (("A",), tuple(range(10)))
    assert unfinished_text(found) == "LoRA (1 of 3 support sets) and SetFit (0 of 2 support sets)"
    assert rank({"LoRA": begun}, "Wine", 2).names == ()
    assert rank({"A": done, "LoRA": runs([0.9], draws=(0,))}, "Wine", 2).names == ("LoRA", "A")


def test_draws_are_shared_within_each_number_of_shots():
    every = {
        ("A", 4): runs([0.5] * 3),
        ("B", 4): runs([0.5] * 3),
        ("A", 16): runs([0.5] * 3, shots=16),
        ("B", 16): runs([0.5] * 2, draws=(0, 2), shots=16),
        ("C", 16): runs([0.9], draws=(2,), shots=16, missing=1),
        ("D", 16): runs([0.9], draws=(7,), shots=16, missing=1),
    }
    found = on_shared_draws(every)
    draws = {name: run.draws for name, run in found.items()}
    assert draws == {
        **dict.fromkeys([("A", 4), ("B", 4)], (0, 1, 2)),
        **dict.fromkeys([("A", 16), ("B", 16)], (0, 2)),
        ("C", 16): (2,),
        ("D", 16): (7,),
    }
    apart = {name: every[name] for name in [("A", 4), ("A", 16), ("D", 16)]}
    own = [run.draws for run in on_shared_draws(apart).values()]
    assert own == [(0, 1, 2), (0, 1, 2), (7,)]
    names = list(draws)
    assert on_same_draws([found[name] for name in names[:4]])
    assert not on_same_draws([found[name] for name in names])


def test_differences_pair_the_draws_that_both_have():
    first = runs([0.9, 0.1, 0.5], draws=(0, 3, 5))
    second = runs([0.2, 0.4], draws=(5, 0))
    found = paired_difference("A", "B", first, second)
    assert found.draws == (0, 5)
    np.testing.assert_allclose(found.difference, [0.5, 0.3])
    assert found.ends[0] <= found.mean <= found.ends[1]


def test_the_best_comes_first_and_equal_ones_stay_in_order():
    found = rank({"Nearest centroid": runs([0.5, 0.6]), "DeepSLP": runs([0.7, 0.9])}, "Wine", 1)
    assert found.names == ("DeepSLP", "Nearest centroid")
    assert (found.lead.a, found.lead.mean) == ("DeepSLP", pytest.approx(0.25))
    # equal but for rounding
    found = rank({"A": runs([0.1, 0.2, 0.3]), "B": runs([0.3, 0.2, 0.1])}, "Wine", 1)
    assert found.names == ("A", "B")


def test_where_draws_differ_only_those_that_all_have_count():
    several = {"A": runs([0.5, 0.9, 0.9]), "B": runs([0.6, 0.7], draws=(0, 7))}
    found = rank(several, "Wine", 2)
    assert (found.names, found.mean, found.draws) == (("B", "A"), (0.6, 0.5), (0,))
    assert found.lead.draws == (0,)
    apart = rank({"A": runs([0.5]), "B": runs([0.6], draws=(3,))}, "Wine", 2)
    assert (apart.lead, apart.draws) == (None, ())
    kept = several["A"].only({0, 2, 7})
    assert (kept.draws, kept.accuracy.tolist()) == ((0, 2), [0.5, 0.9])


def test_a_classifier_that_does_not_count_its_parameters_has_runs_all_the_same(toy_task):
    dataset = toy_task.load()
    found = MethodRuns(
        4, dict(vector_runs(GaussianNB, dataset, dataset.examples.features, 4, (0, 1)))
    )
    assert (found.parameters, len(found.by_draw)) == (None, 2)


def test_runs_hold_the_predictions_on_each_draw(toy_task):
    dataset = toy_task.load()
    X, classes = dataset.examples.features, dataset.classes
    found = MethodRuns(4, dict(vector_runs(NearestCentroidClassifier, dataset, X, 4, (0, 2))))
    assert found.draws == (0, 2)
    episode = dataset.draw(4, 2)
    model = NearestCentroidClassifier().fit(X[episode.support], episode.y_support)
    _, true, predicted, _ = found.by_draw[2]
    np.testing.assert_array_equal(true, episode.y_query)
    np.testing.assert_array_equal(predicted, model.predict(X[episode.query]))
    assert found.accuracy[1] == pytest.approx((predicted == true).mean())
    f1 = class_f1(found, len(classes))
    for k in range(len(classes)):
        hits = ((predicted == k) & (true == k)).sum()
        named = (predicted == k).sum() + (true == k).sum()
        assert f1[1, k] == pytest.approx(2 * hits / named)
    assert f1.mean(axis=1) == pytest.approx([run.scores.macro_f1 for run in found.by_draw.values()])


def test_a_run_that_is_cancelled_stops(toy_task):
    dataset = toy_task.load()
    with pytest.raises(Cancelled):
        list(
            vector_runs(
                NearestCentroidClassifier,
                dataset,
                dataset.examples.features,
                4,
                (0, 1),
                cancelled=lambda: True,
            )
        )


def test_costs_are_means_over_the_draws_and_missing_where_nobody_knows_them():
    known, unknown = (
        runs(accuracies, parameters=parameters)
        for accuracies, parameters in (([0.5, 0.7], Parameters(12, 40, "3 lines")), ([0.4], None))
    )
    table = costs_table({"A": known, "B": unknown})
    a, b = table.to_dict("records")
    assert (a["method"], a["support sets"], a["trainable"], a["stored"]) == ("A", 2, 12, 40)
    assert [a["accuracy"], a["± accuracy"], a["macro-F1"]] == pytest.approx([0.6, 0.1, 0.3])
    assert [a["NLL"], a["fit, s"], a["± fit, s"]] == pytest.approx([1.0, 0.1, 0.0])
    assert b["accuracy"] == 0.4
    assert np.isnan([b["± accuracy"], b["± fit, s"]]).all()  # one draw has no deviation
    assert table[["trainable", "stored", "counted as"]].isna().to_numpy().tolist() == [
        [False] * 3,
        [True] * 3,
    ]
    assert table["trainable"].dtype == "Int64"  # a whole number beside one that is missing


def test_rows_and_latex_have_every_run_and_escaped_names():
    table = runs_table([("minilm_l4", "one_nn", 0, runs([0.5, 0.7]))], "rock & roll_50%")
    assert list(table.columns) == list(COLUMNS)
    assert table["accuracy"].tolist() == [0.5, 0.7]
    latex = latex_table(summarise(table), ["draws 0\nand 1"])
    assert latex.startswith("% draws 0 and 1\n")
    assert r"rock \& roll\_50\%" in latex
    assert r"minilm\_l4 & one\_nn & 4 & 2 & $60.0 \pm 10.0$ & $30.0 \pm 5.0$" in latex
    assert r"\toprule" in latex
    one = latex_table(summarise(table[:1]))
    assert r"4 & 1 & $50.0$ & $25.0$" in one
    assert r"\pm" not in one


def random_runs(rng):
    """Runs of one to five methods, on the same draws or not, with many ties; and K."""
    k, m = int(rng.integers(1, 5)), int(rng.choice([1, 2, 5, 40]))
    n = int(rng.choice([1, 2, 3, 4, 5, 6, 10]))
    every = np.sort(rng.choice(20, n, replace=False)).tolist()
    true = {draw: rng.integers(0, k, m) for draw in range(30)}
    skill, found = rng.random() * rng.choice([0, 1]), {}
    for name in rng.choice(list("ABCDEFG"), int(rng.integers(1, 6)), replace=False).tolist():
        draws, own = list(every), rng.random() if rng.random() < 0.4 else skill
        if rng.random() < 0.3:  # some of them, or one that no other has
            kept = rng.choice(every, int(rng.integers(1, n + 1)), replace=False)
            draws = np.sort(kept).tolist() if rng.random() < 0.8 else [20 + len(found)]
        predicted = [np.where(rng.random(m) < own, true[d], rng.integers(0, k, m)) for d in draws]
        if found and rng.random() < 0.2:  # the same predictions as another method
            other = next(iter(found.values()))
            draws, predicted = other.draws, [run.predicted for run in other.by_draw.values()]
        each = {
            d: DrawRun(Scores(float(np.mean(true[d] == p)), 0.5, 1.0, m, 0.1), true[d], p, None)
            for d, p in zip(draws, predicted, strict=True)
        }
        found[name] = MethodRuns(4, each)
    return found, k


def accuracy(run, draw):
    """Counted, example by example."""
    _, true, predicted, _ = run.by_draw[draw]
    pairs = list(zip(true, predicted, strict=True))
    return sum(bool(t == p) for t, p in pairs) / len(pairs)


@pytest.mark.parametrize("part", range(4))
def test_comparisons_of_random_runs_are_those_counted_by_brute_force(part):
    ties = 0
    for seed in range(part, 200, 4):
        rng = np.random.default_rng(seed)
        found, k = random_runs(rng)
        draws = sorted(set.intersection(*(set(run.draws) for run in found.values())))
        assert shared_draws(found.values()) == tuple(draws)
        means = {
            name: np.mean([accuracy(run, d) for d in draws or run.draws])
            for name, run in found.items()
        }
        ranking = rank(found, "D", 4)
        assert ranking.draws == tuple(draws)
        assert sorted(ranking.names) == sorted(found)
        assert ranking.mean == pytest.approx([means[name] for name in ranking.names])
        assert all(a >= b - 1e-9 for a, b in pairwise(ranking.mean))
        assert (ranking.lead is None) == (not draws or len(found) == 1)
        if ranking.lead is not None:
            best, *others = ranking.names
            level = [each for each in others if abs(means[each] - means[others[0]]) < 1e-9]
            assert (ranking.lead.a, ranking.runners_up) == (best, tuple(level))
            own = {name: run.only(draws) for name, run in found.items()}
            leads = [paired_difference(best, each, own[best], own[each]) for each in level]
            assert ranking.lead.b in level
            assert ranking.lead.distinguishable == all(lead.distinguishable for lead in leads)
            ties += len(level) > 1
            check_difference(ranking.lead, found, draws)
        same = len({run.draws for run in found.values()}) == 1
        assert on_same_draws(list(found.values())) == same
        first = next(iter(found))
        for name, run in found.items():
            _, true, predicted, _ = run.by_draw[run.draws[0]]
            f1 = class_f1(run, k)[0]
            pairs = list(zip(true.tolist(), predicted.tolist(), strict=True))
            for c in range(k):
                hits, misses = pairs.count((c, c)), sum((t == c) != (p == c) for t, p in pairs)
                by_hand = 2 * hits / (2 * hits + misses) if hits else 0.0
                assert f1[c] == pytest.approx(by_hand if c in true else np.nan, nan_ok=True)
            counts = [[pairs.count((t, p)) for p in range(k)] for t in range(k)]
            assert confusion(true, predicted, k).tolist() == counts
            both = [d for d in found[first].draws if d in run.draws]
            if name != first and both:
                check_difference(paired_difference(first, name, found[first], run), found, both)
    assert ties


def check_difference(found, runs, draws):
    values = [accuracy(runs[found.a], d) - accuracy(runs[found.b], d) for d in draws]
    wins, losses = sum(v > 1e-9 for v in values), sum(v < -1e-9 for v in values)
    assert found.draws == tuple(draws)
    assert found.mean == pytest.approx(np.mean(values))
    assert found.outcomes == (wins, losses, len(values) - wins - losses)
    assert (found.interval is None) == (len(values) < 5)
    if found.interval is None:
        assert not found.distinguishable
        return
    low, high = found.interval
    assert found.distinguishable == (low > 1e-9 or high < -1e-9)
    assert low - 1e-9 <= np.mean(values) <= high + 1e-9
    if np.ptp(values) < 1e-9:
        assert (low, high) == pytest.approx((values[0],) * 2)
        return
    for end, (least, most) in zip((low, high), bca(values), strict=True):
        assert least - 1e-9 <= end <= most + 1e-9


def bca(values):
    """The least and the most that each end of Efron's interval may be with some resamples."""
    n, values = len(values), np.array(values)
    if n <= 5:
        means = np.array([np.mean(resample) for resample in product(values, repeat=n)])
    else:
        means = values[np.random.default_rng(n).integers(0, n, (20_000, n))].mean(axis=1)
    mean = values.mean()
    below = ((means < mean - 1e-12).mean() + (means <= mean + 1e-12).mean()) / 2
    left_out = np.array([(values.sum() - value) / (n - 1) for value in values])
    away = left_out.mean() - left_out
    skew = (away**3).sum() / (6 * (away**2).sum() ** 1.5)
    for share in (0.025, 0.975):
        z = norm.ppf(below) + norm.ppf(share)
        found = norm.cdf(norm.ppf(below) + z / (1 - skew * z))
        yield np.quantile(means, np.clip([found - 0.012, found + 0.012], 0, 1))


def test_curves_that_coincide_are_found():
    a, b, other = runs([0.5, 0.7]), runs([0.7, 0.5]), runs([0.5, 0.5])
    more = runs([0.9], shots=8)
    series = {"A": [a, more], "B": [b, more], "C": [a], "D": [other, more], "E": [b, more]}
    assert coincident(series) == {"B": "A", "E": "A"}
