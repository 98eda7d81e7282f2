"""Room for labels, reckoned before a chart is drawn, against the font and by hand."""

import pytest
from fontTools.subset import Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont
from hypothesis import given
from hypothesis import strategies as st

from pages.shell import fonts
from slp_core.figures.style.parts import small_layout
from slp_core.figures.style.room import margins_with_room, text_width
from slp_core.figures.style.theme import LIGHT

LETTERS = "".join(map(chr, range(32, 127))) + "−ÀÉàäéñöüçßøαλабвгя"
MARGIN = {"l": 8, "r": 8, "t": 30, "b": 8}
AUTO = {"automargin": True}


@pytest.fixture(scope="module")
def width():
    """Of a text as the app's own font has it, in the size of its letters."""
    letters, font = Subsetter(), TTFont(fonts.whole("upright"))
    letters.populate(text=LETTERS)
    letters.subset(font)
    font = instantiateVariableFont(font, {"wght": 400})
    glyphs, widths = font.getBestCmap(), font["hmtx"]
    em = font["head"].unitsPerEm
    return lambda text: sum(widths[glyphs[ord(letter)]][0] for letter in text) / em


@given(st.text(LETTERS, min_size=1, max_size=30))
def test_a_text_is_reckoned_as_wide_as_it_is_or_a_little_more(width, text):
    for letters in text.replace("<", "").replace("&", "").split():  # which would be markup
        reckoned, true = text_width(letters, 10), 10 * width(letters)
        assert true <= reckoned <= 1.3 * true + 2 * len(letters)


def test_markup_takes_no_room_and_the_longest_line_counts():
    assert text_width("<b>ab</b><br>abcd", 12) == text_width("abcd", 12)
    assert text_width("&lt;", 12) == text_width("<", 12)
    assert text_width("日本", 12) == 24


def room(**axes):
    margin = margins_with_room({"margin": MARGIN, **axes})
    return margin["l"], margin["b"]


def test_the_widest_label_its_ticks_and_title_make_the_margin():
    names = {"ticktext": ["a", "a long name"], "tickfont": {"size": 10}}
    wide = text_width("a long name", 10)
    plain = 8 + wide + 1
    assert room(yaxis=AUTO | names)[0] == pytest.approx(plain, abs=1)
    more = {"ticks": "outside", "title": {"text": "t", "standoff": 4}, "ticklabelstandoff": 3}
    assert room(yaxis=AUTO | names | more)[0] == pytest.approx(plain + 5 + 13 + 4 + 3, abs=1)
    across = room(xaxis=AUTO | names)[1]
    assert across == pytest.approx(8 + 13 + 1, abs=1)  # a line of letters of 10
    assert room(xaxis=AUTO | names | {"tickangle": -90})[1] == pytest.approx(plain, abs=1)


@pytest.mark.parametrize(
    ("axis", "longest"),
    [
        ({"range": [0, 1]}, "0.0"),
        ({"range": [0, 1], "nticks": 2}, "0.0"),
        ({"range": [0, 95]}, "95"),
        ({"range": [-0.3, 0.7], "nticks": 5}, "−0.3"),
        ({"range": [0.83, 1.02], "nticks": 6}, "0.00"),
        ({"range": [5000, 0]}, "5000"),
        ({"range": [0.3, 1], "tickformat": ".0%"}, "100%"),
        ({}, "0.00"),
    ],
)
def test_numbers_have_the_decimals_that_their_steps_need(axis, longest):
    assert room(yaxis=AUTO | axis)[0] == pytest.approx(9 + text_width(longest, 12), abs=1.01)


@pytest.mark.parametrize(
    "axes",
    [
        {"yaxis": {"ticktext": ["name"]}},  # makes no room by itself
        {"yaxis": AUTO | {"showticklabels": False}},
        {"yaxis": AUTO | {"visible": False}},
        {"yaxis": AUTO | {"side": "right"}},
        {"yaxis2": AUTO | {"anchor": "x2"}, "xaxis2": {"domain": [0.5, 1]}},  # within the figure
    ],
)
def test_labels_that_are_not_at_the_edge_take_nothing_of_the_margin(axes):
    assert room(**axes) == (8, 8)


def test_a_margin_that_is_wider_stays_and_every_chart_has_its_room():
    assert margins_with_room({"margin": MARGIN | {"l": 90}, "yaxis": AUTO})["l"] == 90
    assert small_layout(LIGHT, "x", "y", 200)["margin"]["l"] > 8
