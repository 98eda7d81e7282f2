from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.naive_bayes import GaussianNB

from slp_core import load_dataset
from slp_core.errors import Cancelled
from slp_core.evaluation.comparison import (
    costs_table,
    on_shared_draws,
    other_draws_facts,
    rank,
    runs_table,
)
from slp_core.evaluation.method_runs import MethodRuns, run_method
from slp_core.evaluation.paired import mean_interval, paired_difference
from slp_core.evaluation.pointwise import McNemar, agreement, class_f1, mcnemar, won_points
from slp_core.evaluation.report import latex_table, summarise
from slp_core.evaluation.results import COLUMNS, Scores
from slp_core.methods import NearestCentroidClassifier
from slp_core.methods.parameters import Parameters


def runs(accuracies, draws=None, shots=4):
    draws = tuple(range(len(accuracies))) if draws is None else draws
    scores = tuple(Scores(a, a / 2, 1.0, 40, 0.1) for a in accuracies)
    nothing = tuple(np.empty(0, dtype=int) for _ in draws)
    return MethodRuns(shots, draws, scores, nothing, nothing, Parameters(0, 0, "none"))


def answers(n, classes=3):
    return st.lists(st.integers(0, classes - 1), min_size=n, max_size=n).map(np.array)


@given(st.integers(1, 12).flatmap(lambda n: st.tuples(*[answers(n)] * 3)))
@settings(deadline=None, max_examples=60)
def test_mcnemar_counts_points_and_its_p_is_that_of_all_equally_likely_splits(points):
    true, a, b = points
    found = mcnemar("A", "B", true, a, b)

    kinds = [(x == t, y == t) for t, x, y in zip(true, a, b, strict=True)]
    expected = [kinds.count(k) for k in [(True, True), (True, False), (False, True)]]
    assert [found.both, found.only_a, found.only_b] == expected
    assert found.both + found.only_a + found.only_b + found.neither == len(true)
    apart = found.only_a + found.only_b
    uneven = abs(found.only_a - found.only_b)
    splits = [abs(2 * sum(s) - apart) >= uneven for s in product((0, 1), repeat=apart)]
    assert found.p == pytest.approx(sum(splits) / len(splits))
    assert found.accuracy == pytest.approx([(a == true).mean(), (b == true).mean()])


def test_points_that_only_the_first_gets_right_are_told_with_their_text_and_classes():
    dataset = load_dataset("airline")
    rows = np.array([7, 2, 90, 41])
    true, first, second = np.array([[0, 1, 2, 2], [0, 1, 2, 0], [0, 2, 1, 1]])
    table = won_points(dataset, rows, true, first, second)
    assert table["row"].tolist() == [2, 90]
    assert table["text"].tolist() == [dataset.describe(2), dataset.describe(90)]
    names = np.array(dataset.classes)
    for column, expected in {"true": [1, 2], "A": [1, 2], "B": [2, 1]}.items():
        assert table[column].tolist() == names[expected].tolist()
    assert won_points(dataset, rows, true, true, true).empty


@given(st.integers(1, 9).flatmap(lambda n: st.lists(answers(n), min_size=1, max_size=4)))
@settings(deadline=None, max_examples=40)
def test_agreement_is_the_share_of_points_answered_alike(methods):
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
    assert mean_interval(np.array([0.3])) == (None, None)
    assert mean_interval(np.full(7, 0.25)) == (0.25, 0.25)
    assert mean_interval(np.array([0.1, -0.2, 0.3, 0.0])) == (-0.2, 0.3)  # the range of a few


def test_names_and_figures_are_written_as_they_are_read():
    one = paired_difference("DeepSLP", "Nearest centroid", runs([0.5]), runs([0.4]))
    assert one.sentence() == (
        "On draw 0 DeepSLP is 10.0 points above nearest centroid (one draw, so no interval)."
    )
    same = paired_difference("A *b*", "B", runs([0.5, 0.7]), runs([0.5, 0.7]))
    assert same.sentence() == (
        r"Over 2 draws A \*b\* is level with B (the same on each of 2 draws): ahead on 0, behind "
        "on 0, level on 2."
    )
    found = paired_difference("A", "B", runs([0.5, 0.49, 0.7]), runs([0.5, 0.5, 0.5]))
    assert "(−1.0 to 20.0 on single draws, too few for an interval)" in found.sentence()
    barely = rank({"A": runs([0.5001] + [0.5] * 4), "B": runs([0.5] * 5)}, "Wine", 1).sentence()
    assert barely == (
        "A has the highest mean accuracy on “Wine” at 1 shot: 50.0% ± 0.0 over 5 draws; less than "
        "0.1 points above B (95% interval 0.0 to 0.0, which holds zero), so that these draws do "
        "not tell the two apart."
    )
    alone = rank({"A": runs([0.5])}, "Wine", 2).sentence()
    assert alone == "A on “Wine” at 2 shots: 50.0% on draw 0."


def test_all_who_come_second_are_named_and_what_is_not_told_apart_is_not_called_the_best():
    best, even = [0.7, 0.8, 0.9, 0.8, 0.8], [0.7, 0.7, 0.7, 0.7, 0.6]
    uneven = [0.2, 0.9, 0.9, 0.7, 0.7]  # the same mean
    second = {"B": even, "Nearest centroid": uneven, "D": even, "E": even}

    def said(names, n=5):
        chosen = {"A": best, "F": [0.1] * 5} | {name: second[name] for name in names}
        return rank({name: runs(a[:n]) for name, a in chosen.items()}, "Wine", 1).sentence()

    first = "A is best on “Wine” at 1 shot: 80.0% ± 6.3 over 5 draws; 12.0 points above "
    assert said("BD") == first + "B and D (95% intervals that leave zero out)."
    assert said("B").startswith(first + "B (95% interval ")
    mixed = said(["B", "Nearest centroid"])
    assert mixed.startswith("A has the highest mean accuracy on “Wine” at 1 shot: ")
    assert mixed.endswith(
        "12.0 points above B and nearest centroid (95% intervals, some of which hold zero), so "
        "that these draws do not tell it apart from nearest centroid."
    )
    assert "above B, nearest centroid and 2 more (95% intervals, some" in said(second)
    assert said("BDE", n=3).endswith(
        "10.0 points above B, D and E (3 draws, too few for an interval)."
    )
    level = rank({"A": runs([0.5]), "B": runs([0.5]), "C": runs([0.4])}, "Wine", 1).sentence()
    assert level == "A and B share the highest accuracy on “Wine” at 1 shot: 50.0% on draw 0."


def test_who_has_not_run_on_all_of_its_draws_ranks_nowhere():
    done, begun = runs([0.5] * 10), runs([0.9], draws=(0,))
    found = rank({"A": done, "LoRA": begun}, "Wine", 2, {"LoRA": 3, "SetFit": 2})
    assert (found.names, found.draws, found.partial) == (("A",), tuple(range(10)), False)
    (told,) = map(str, found.unfinished_facts())
    assert told.endswith(": LoRA (1 of 3 draws) and SetFit (0 of 2 draws).")
    alone = rank({"LoRA": begun}, "Wine", 2, {"LoRA": 3})
    assert alone.sentence() == (
        "No method has run on all of its draws on “Wine” at 2 shots so far: LoRA (1 of 3 draws)."
    )
    assert alone.unfinished_facts() == ()
    assert rank({"A": done, "LoRA": begun}, "Wine", 2, {"LoRA": 1}).names == ("LoRA", "A")


def test_draws_are_shared_within_each_number_of_shots():
    every = {
        ("A", 4): runs([0.5] * 3),
        ("B", 4): runs([0.5] * 3),
        ("A", 16): runs([0.5] * 3, shots=16),
        ("B", 16): runs([0.5] * 2, draws=(0, 2), shots=16),
        ("C", 16): runs([0.9], draws=(2,), shots=16),
        ("D", 16): runs([0.9], draws=(7,), shots=16),
    }
    found = on_shared_draws(every, unfinished={("C", 16), ("D", 16)})
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
    kinds = [
        other_draws_facts([found[n] for n in names])[0].kind
        for names in (list(draws)[:4], list(draws))
    ]
    assert kinds == ["compare.other_draws_by_shots", "compare.other_draws"]


def test_differences_pair_the_draws_that_both_have():
    first = runs([0.9, 0.1, 0.5], draws=(0, 3, 5))
    second = runs([0.2, 0.4], draws=(5, 0))
    found = paired_difference("A", "B", first, second)
    assert found.draws == (0, 5)
    np.testing.assert_allclose(found.difference, [0.5, 0.3])
    assert found.low <= found.mean <= found.high


def test_the_best_comes_first_and_equal_ones_stay_in_order():
    found = rank({"Nearest centroid": runs([0.5, 0.6]), "DeepSLP": runs([0.7, 0.9])}, "Wine", 1)
    assert found.names == ("DeepSLP", "Nearest centroid")
    (lead,) = found.leads
    assert (lead.a, lead.mean) == ("DeepSLP", pytest.approx(0.25))
    # equal but for rounding
    found = rank({"A": runs([0.1, 0.2, 0.3]), "B": runs([0.3, 0.2, 0.1])}, "Wine", 1)
    assert found.names == ("A", "B")


def test_where_draws_differ_only_those_that_all_have_count():
    several = {"A": runs([0.5, 0.9, 0.9]), "B": runs([0.6, 0.7], draws=(0, 7))}
    found = rank(several, "Wine", 2)
    assert (found.names, found.mean, found.draws) == (("B", "A"), (0.6, 0.5), (0,))
    assert (found.leads[0].draws, found.partial) == ((0,), True)
    apart = rank({"A": runs([0.5]), "B": runs([0.6], draws=(3,))}, "Wine", 2)
    assert (apart.leads, apart.draws) == ((), ())
    kept = several["A"].only({0, 2, 7})
    assert (kept.draws, kept.accuracy.tolist()) == ((0, 2), [0.5, 0.9])
    assert len(kept.true) == len(kept.answers) == 2


def test_a_classifier_that_does_not_count_its_parameters_has_runs_all_the_same(toy_task):
    dataset = toy_task.load()
    found = run_method(GaussianNB, dataset, dataset.examples.features, 4, (0, 1))
    assert (found.parameters, len(found.scores)) == (None, 2)


def test_runs_hold_what_the_classifier_answers_on_each_draw(toy_task):
    dataset = toy_task.load()
    X, classes = dataset.examples.features, dataset.classes
    count = []
    found = run_method(NearestCentroidClassifier, dataset, X, 4, (0, 2), lambda: count.append(1))
    assert (found.draws, len(count)) == ((0, 2), 2)
    episode = dataset.draw(4, 2)
    model = NearestCentroidClassifier().fit(X[episode.support], episode.y_support)
    true, given_answers = found.on(2)
    np.testing.assert_array_equal(true, episode.y_query)
    np.testing.assert_array_equal(given_answers, model.predict(X[episode.query]))
    assert found.accuracy[1] == pytest.approx((given_answers == true).mean())
    f1 = class_f1(found, len(classes))
    for k in range(len(classes)):
        hits = ((given_answers == k) & (true == k)).sum()
        named = (given_answers == k).sum() + (true == k).sum()
        assert f1[1, k] == pytest.approx(2 * hits / named)
    assert f1.mean(axis=1) == pytest.approx([s.macro_f1 for s in found.scores])


def test_a_run_that_is_cancelled_stops(toy_task):
    dataset = toy_task.load()
    with pytest.raises(Cancelled):
        run_method(
            NearestCentroidClassifier,
            dataset,
            dataset.examples.features,
            4,
            (0, 1),
            cancelled=lambda: True,
        )


def test_costs_are_means_over_the_draws_and_missing_where_nobody_knows_them():
    known = replace(runs([0.5, 0.7]), parameters=Parameters(12, 40, "3 lines"))
    table = costs_table({"A": known, "B": replace(runs([0.4]), parameters=None)})
    a, b = table.to_dict("records")
    assert (a["method"], a["draws"], a["trainable"], a["stored"]) == ("A", 2, 12, 40)
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


def test_a_split_as_a_table():
    split = McNemar("DeepSLP", "Nearest centroid", 1_200, 2, 3, 4, 1.0)
    assert split.table().values.tolist() == [["1,200", "2"], ["3", "4"]]
    assert list(split.table().index) == ["DeepSLP right", "DeepSLP wrong"]
    assert list(split.table().columns) == ["Nearest centroid right", "Nearest centroid wrong"]
