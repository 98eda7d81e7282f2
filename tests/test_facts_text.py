"""What a fact's text is made of: values in their format, names set apart, lists as people write."""

import pytest

from slp_core.facts import (
    ClassName,
    Listed,
    Part,
    Verbatim,
    class_names,
    fact,
    long_names,
    said,
)


def test_a_sentence_is_its_template_with_the_values():
    first, second = class_names(["ja", "nein"])
    told = fact("t.t", "{n:,} of {a} are {b}, {share:.0%}.", n=1200, a=first, b=second, share=0.5)
    assert str(told) == "1,200 of ●\N{NO-BREAK SPACE}“ja” are ■\N{NO-BREAK SPACE}“nein”, 50%."
    assert said([told, fact("t.u", "")]) == str(told)


def test_lists_have_commas_and_one_and():
    assert f"{Listed([1000, 2, 3]):,}" == "1,000, 2 and 3"
    assert f"{Listed([ClassName('a')])}" == "“a”"
    assert f"{Listed([1, 2], more=1_000)}" == "1, 2 and 1,000 more"


def test_a_minus_is_a_true_one_and_nothing_is_less_than_zero_by_rounding():
    written = [str(fact("t.t", "{x:+.2f}", x=x)) for x in (-0.5, 0.5, -0.001, -0.0)]
    assert written == ["−0.50", "+0.50", "+0.00", "+0.00"]
    assert str(fact("t.t", "{x:.1f} and {y:.0%}", x=Listed([-1.0, -0.01]), y=-0.001)) == (
        "−1.0 and 0.0 and 0%"
    )


def test_long_names_are_shortened_and_told_whole_aside():
    long = "many words " * 8
    inner = fact("t.i", "{x}", x=ClassName(long))
    outer = fact("t.o", "{all} {short}", all=Listed([inner]), short=ClassName("b"))
    assert "…" in str(outer)
    assert len(str(outer)) < 60
    assert long_names([outer]) == [long]


def test_figures_stand_where_they_are_said_beside_a_name_from_the_right():
    negative = class_names(["ايجابي", "سلبي"])[1]
    told = fact("t.r", "the one at {name} {share:.0%}", name=negative, share=0.4)
    assert str(told) == "the one at ■\N{NO-BREAK SPACE}“\u2068سلبي\u2069” 40%"
    assert f"{Verbatim('سلبي')}" == "\u2068سلبي\u2069"
    assert negative == "سلبي"


@pytest.mark.parametrize(
    ("part", "text"),
    [(0.0, "0%"), (1.0, "100%"), (0.5, "50%"), (777 / 780, "99.6%"), (1 / 3000, "0.03%")],
)
def test_only_none_reads_as_none_and_only_all_as_all(part, text):
    assert f"{Part(part):.0%}" == text
