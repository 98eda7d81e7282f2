"""The pieces of sentences: names set apart, number formats, lists."""

import pytest

from slp_core.sentences import (
    Verbatim,
    class_names,
    count,
    listed,
    number,
    percent,
    significant,
)


def test_names_are_set_apart_and_escaped():
    first, second = class_names(["*ja*", "سلبي"])
    assert f"{first}" == "●\N{NO-BREAK SPACE}“\\*ja\\*”"
    assert f"{second} 40%" == "■\N{NO-BREAK SPACE}“\u2068سلبي\u2069” 40%"
    assert f"{Verbatim('سلبي')}" == "\u2068سلبي\u2069"
    (long,) = class_names(["many words " * 8])
    assert "…" in f"{long}"


def test_lists_and_counts():
    assert listed([1, 2, 3]) == "1, 2 and 3"
    assert listed(range(1, 1_003), 2) == "1, 2 and 1,000 more"
    assert listed([1, 2], 2) == "1 and 2"
    assert (count(1, "error"), count(2_000, "error")) == ("1 error", "2,000 errors")


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (0.58572, "0.586"), (-0.2, "−0.200"), (1234.5, "1,234"), (1e-12, "0.000000")],
)
def test_three_digits_count(value, text):
    assert significant(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(-0.5, "−0.50"), (-0.001, "0.00"), (1234.5, "1,234.50")]
)
def test_a_minus_is_a_true_one_and_nothing_is_less_than_zero_by_rounding(value, text):
    assert number(value) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0%"),
        (1.0, "100%"),
        (0.5, "50%"),
        (777 / 780, "99.6%"),
        (1 / 3000, "0.03%"),
        (1e-11, "under 0.001%"),
        (1 - 1e-11, "over 99.999%"),
    ],
)
def test_only_none_reads_as_none_and_only_all_as_all(share, text):
    assert percent(share) == text
