"""Who is right where two methods differ."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slp_core import SLPError
from slp_core.explain import Predictions
from slp_core.explain.difference import compare_answers


def answers(true, predicted):
    k = 3
    tied, probability = np.zeros(len(true), bool), np.eye(k)[predicted]
    return Predictions("M", tuple("abc"), true, predicted, true, tied, probability)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(*3 * [st.integers(0, 2)]), min_size=1, max_size=40))
def test_every_point_has_one_outcome(rows):
    true, first, second = np.array(rows).T
    found = compare_answers(answers(true, first), answers(true, second), ("A", "B"))
    expected = (
        sum((first == true) & (second == true)),
        sum((first == true) & (second != true)),
        sum((first != true) & (second == true)),
        sum((first != true) & (second != true)),
    )
    assert found.counts == expected
    np.testing.assert_array_equal(found.disagree, first != second)
    (told,) = found.facts()
    assert told["n"] == len(true)
    if (first == second).all():
        assert told.kind == "difference.alike"
    else:
        assert told["differ"] == sum(first != second)
        assert (told["only_first"], told["only_second"]) == expected[1:3]


def test_other_query_points_cannot_be_compared():
    with pytest.raises(SLPError, match="different query points"):
        compare_answers(
            answers(np.array([0, 1]), np.array([0, 1])),
            answers(np.array([1, 1]), np.array([0, 1])),
            ("A", "B"),
        )


def test_names_stand_in_the_sentence_as_the_language_has_them():
    true, other = np.array([0, 1]), np.array([0, 2])
    two = answers(true, true), answers(true, other)
    found = compare_answers(*two, ("Nearest centroid", "Logistic regression"))
    (told,) = found.facts()
    assert str(told).startswith("Nearest centroid and logistic regression differ")
    assert "at 1 only nearest centroid is right, at 0 only logistic" in str(told)
    assert found.labels[1] == "only nearest centroid right"
    found = compare_answers(*two, ("MiniLM", "MiniLM and Reptile"), "Nearest centroid")
    (told,) = found.facts()
    assert str(told) == (
        "Nearest centroid answers 1 of 2 query points (50%) differently through “MiniLM” and "
        "through “MiniLM and Reptile”: 1 rightly only through the first, 0 only through the second."
    )
    assert found.labels[2] == "only “MiniLM and Reptile” right"
