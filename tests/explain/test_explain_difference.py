"""Which of two methods is correct where their predictions differ."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slp_core.explain import Predictions
from slp_core.explain.difference import (
    ONLY_FIRST,
    Difference,
    accuracy_title,
    beside_file,
    beside_file_text,
    compare_predictions,
    difference_text,
    mcnemar_text,
    won_text,
)
from slp_core.explain.predictions import confusion


def predictions(true, predicted):
    k, true, predicted = 3, np.array(true, int), np.array(predicted, int)
    tied, probability = np.zeros(len(true), bool), np.eye(k)[predicted]
    return Predictions("M", tuple("abc"), true, predicted, true, tied, probability)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(*3 * [st.integers(0, 2)]), max_size=40))
def test_every_example_has_one_outcome(rows):
    true, first, second = np.array(rows, int).reshape(-1, 3).T
    found = compare_predictions(predictions(true, first), predictions(true, second), ("A", "B"))
    assert found.counts == (
        sum((first == true) & (second == true)),
        sum((first == true) & (second != true)),
        sum((first != true) & (second == true)),
        sum((first != true) & (second != true)),
    )
    np.testing.assert_array_equal(found.disagree, first != second)
    changed = [i for i, (_, a, b) in enumerate(rows) if a != b]
    assert found.named(found.disagree)["row"].tolist() == changed


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=20))
def test_two_query_sets_are_compared_where_they_overlap(members):
    rng = np.random.default_rng(len(members))
    true, first, second = rng.integers(0, 3, (3, len(members)))
    ours, theirs = (np.flatnonzero([m[side] for m in members]) for side in (0, 1))
    found = compare_predictions(
        predictions(true[ours], first[ours]),
        predictions(true[theirs], second[theirs]),
        ("A", "B"),
        rows=(100 + ours, 100 + theirs),
    )
    both = [i for i, m in enumerate(members) if all(m)]
    assert found.examples["row"].tolist() == [100 + i for i in both]
    differ = [100 + i for i in both if first[i] != second[i]]
    assert found.named(found.disagree)["row"].tolist() == differ


def test_sentences():
    three = predictions([0, 1, 2], [0, 1, 1]), predictions([0, 1, 2], [0, 2, 2])
    found = compare_predictions(*three, ("Nearest centroid", "Logistic regression"))
    assert difference_text(found) == (
        "Accuracy: nearest centroid 66.7%, logistic regression 66.7%. Different predictions: 2 of "
        "3 query examples; correct only with nearest centroid: 1, only with logistic regression: 1."
    )
    assert found.labels[1:3] == (
        "only Nearest centroid correct",
        "only Logistic regression correct",
    )
    found = compare_predictions(*three, ("MiniLM", "[a](b)"), "Nearest centroid")
    assert difference_text(found) == (
        "Accuracy: “MiniLM” 66.7%, “\\[a\\](b)” 66.7%. Different predictions: 2 of 3 query "
        "examples; correct only with “MiniLM”: 1, only with “\\[a\\](b)”: 1."
    )
    nothing = predictions([], [])
    found = compare_predictions(nothing, nothing, ("A", "B"))
    assert difference_text(found) == "There are no query examples to compare on."
    assert accuracy_title("DeepSLP", nothing) == "DeepSLP"
    assert accuracy_title("DeepSLP", three[0]) == "DeepSLP · accuracy 67%"


def with_counts(*counts, names=("DeepSLP", "Nearest centroid")):
    """A difference with so many examples of each outcome."""
    outcome = np.repeat(range(4), counts)
    return Difference.of(names, ("a", "b"), range(len(outcome)), 0 * outcome, *divmod(outcome, 2))


@given(st.lists(st.tuples(*3 * [st.integers(0, 2)]), max_size=12))
@settings(max_examples=60, deadline=None)
def test_mcnemars_p_is_that_of_all_equally_likely_splits(rows):
    true, first, second = np.array(rows, int).reshape(-1, 3).T
    found = Difference.of(("A", "B"), tuple("abc"), range(len(rows)), true, first, second)
    _, only_a, only_b, _ = found.counts
    apart, uneven = only_a + only_b, abs(only_a - only_b)
    splits = [abs(2 * sum(s) - apart) >= uneven for s in product((0, 1), repeat=apart)]
    assert found.p == pytest.approx(sum(splits) / len(splits))
    both = [confusion(true, predicted, 3).tolist() for predicted in (first, second)]
    assert [each.tolist() for each in found.confusions] == both
    won = found.named(found.outcome == ONLY_FIRST)
    expected = [(i, t, a, b) for i, (t, a, b) in enumerate(rows) if t == a != b]
    assert won.values.tolist() == [[i, *("abc"[k] for k in each)] for i, *each in expected]


def test_two_methods_on_one_support_set():
    split = with_counts(200, 20, 12, 29)
    assert mcnemar_text(split) == (
        f"{difference_text(split)} McNemar's exact test on this support set: p = 0.215."
    )
    assert "p < 0.001" in mcnemar_text(with_counts(0, 99, 0, 0))
    assert won_text(split) == "Only DeepSLP is correct, not nearest centroid: 20 query examples"
    table = with_counts(1_200, 2, 3, 4).table()
    assert table.values.tolist() == [["1,200", "2"], ["3", "4"]]
    assert list(table.index) == ["DeepSLP correct", "DeepSLP misclassified"]
    assert list(table.columns) == ["Nearest centroid correct", "Nearest centroid misclassified"]


def test_predictions_of_the_file_are_compared_where_it_has_any():
    found = predictions([0, 0, 1, 1, 1], [0, 1, 1, 0, 1])
    beside = beside_file(found, np.array([0, 0, -1, 0, 0]))
    assert beside.counts == (1, 1, 1, 1)
    assert beside_file_text(beside, 5) == (
        "Accuracy: M 50.0%, the file's classifier 50.0%. Different predictions: 2 of 4 query "
        "examples; correct only with M: 1, only with the file's classifier: 1. McNemar's exact "
        "test on this support set: p = 1.000. Without a prediction in the file: 1 query example."
    )
    assert beside_file(found, np.full(5, -1)) is None
