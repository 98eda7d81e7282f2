"""Which of two methods is correct where their predictions differ."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from slp_core.explain import Predictions
from slp_core.explain.difference import (
    accuracy_title,
    compare_predictions,
    difference_text,
)


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
    assert found.changed_table()["row"].tolist() == changed


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
    assert found.changed_table()["row"].tolist() == differ


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
