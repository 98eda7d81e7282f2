"""Class names as labels: short, and one for each class."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slp_core.figures.style.text import labels_of, shares, shortened


def test_long_names_that_would_read_the_same_keep_their_end_or_get_a_number():
    names = [f"category number {i} of a rather long naming scheme" for i in (1, 10, 13, 2)]
    assert labels_of(names, 18) == (
        "category numb… (1)",
        "category numb… (2)",
        "category numb… (3)",
        "category number 2…",
    )
    ends = ["x" * 40 + "a", "x" * 40 + "b", "short"]
    assert labels_of(ends, 12) == ("xxxxxxx…xxxa", "xxxxxxx…xxxb", "short")
    apart = ["a name that is long and alone", "short", "<b>"]
    assert labels_of(apart, 12) == ("a name that…", "short", "&lt;b&gt;")


@pytest.mark.parametrize("length", [14, 18, 40])
@pytest.mark.parametrize(
    "parts",
    [
        [
            ["category number "],
            [str(number) for number in range(40)],
            [" of a rather long naming scheme for classes"],
        ],
        [["Sciences", "Histories"], [" department / other matters no. "], "012"],
        [["very long beginning "], "AB", [" and a very long middle part "], "CD", [" and an end"]],
        [["long name that ends in one and the same "], ["one", "two", ""]],
    ],
)
def test_no_two_classes_read_the_same_wherever_they_differ(parts, length):
    names = ["".join(each) for each in product(*parts)]
    labels = labels_of(names, length)
    assert len(set(labels)) == len(names)
    assert max(map(len, labels)) <= length


alike = st.builds(
    str.__add__, st.text("ab ", min_size=20, max_size=40), st.text("abc ", max_size=40)
)


@given(st.lists(st.one_of(alike, st.text("xyz <", min_size=1)), min_size=1, max_size=8))
def test_labels_are_short_and_no_fewer_than_names_that_are_cut(names):
    labels, cut = labels_of(names, 16), [shortened(name, 16) for name in names]
    assert all(len(label.replace("&lt;", "<")) <= 16 for label in labels)
    assert len(set(labels)) >= len(set(cut))
    for name, label in zip(names, labels, strict=True):
        if len(" ".join(name.split())) <= 16:
            assert label == shortened(name, 16)


@given(st.text("ab ", min_size=20, max_size=40), st.sets(st.text("abc", min_size=1), min_size=2))
def test_names_that_begin_alike_are_told_apart(start, ends):
    names = sorted({" ".join(f"{start}{end}".split()) for end in ends})
    assert len(set(labels_of(names, 16))) == len(names)


def test_soft_labels_in_words_tell_them_apart_too():
    names = [f"{'x' * 50}{end}" for end in "ab"]
    first, second = shares(np.array([0.5, 0.5]), names).split(", ")
    assert first != second
