"""Names from data stand in sentences as they are, whatever Markdown would make of them."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from slp_core.markdown import isolated, literal, named, quoted, shortened, unmarked

PIECES = st.sampled_from(
    (
        *("$", "$$", "*", "**", "_", "`", "~~", "[", "](x)", "<b>", "\\", ":", ":red[", "a", " b"),
        *("#", "-", "+", ">", "=", "1.", "2)", "&lt;", "&amp;", "https://a.org", "www.a.org"),
        *("c@d.org", " -> ", " -- ", " <= ", "\n", "\t"),
    )
)
NAMES = st.lists(PIECES, min_size=1, max_size=6).map("".join).map(str.strip).filter(bool)


def read(markdown):
    """What a CommonMark reader sees."""
    return MarkdownIt("commonmark").renderInline(markdown).replace("\N{WORD JOINER}", "")


@given(NAMES)
def test_a_name_is_read_as_it_is(name):
    shown = html.escape(" ".join(name.split()), quote=False)
    assert MarkdownIt("commonmark").render(literal(name)).replace("\N{WORD JOINER}", "") == (
        f"<p>{shown}</p>\n"
    )
    assert read(f"It is {literal(name)}, rightly.") == f"It is {shown}, rightly."
    line = " ".join(shown.split())
    assert read(f"It is {named(name, len(name))}, rightly.") == f"It is “{line}”, rightly."
    plain = " ".join(name.split())
    assert unmarked(f"It is {named(name, len(name))}, rightly.") == f"It is “{plain}”, rightly."
    # Streamlit's formulas, which CommonMark has not, begin and end at bare dollar signs
    assert not re.search(r"(?<!\\)(\\\\)*\$", literal(name))


@given(NAMES)
def test_no_emoji_code_or_colour_begins_in_a_name(name):
    assert not re.search(r":\S", literal(name).replace(":\N{WORD JOINER}", ""))


# What Streamlit's page finds in a text once its Markdown is read, as it stands in its own script
FOUND_LATER = [
    r":[A-Za-z+-]",  # directives, icons and emoji
    r"(?i)(https?://|www(?=\.))([-.\w]+)",
    r"[-.\w+]+@[-\w]+(\.[-\w]+)+",
    r"(^|\s)(<->|->|<-|--|>=|<=|~=)(\s|$)",
]


@given(NAMES)
def test_nothing_is_made_of_a_name_after_its_escapes_are_read(name):
    text = html.unescape(MarkdownIt("commonmark").renderInline(literal(name)))
    assert not [rule for rule in FOUND_LATER if re.search(rule, text)]


@pytest.mark.parametrize("text", [":smile:", "https://a.org", "www.a.org", "c@d.org", "a -> b"])
def test_what_is_found_later_would_be_found(text):
    assert any(re.search(rule, text) for rule in FOUND_LATER)


def test_a_long_name_is_shortened_on_one_line():
    assert named("a  b\n" + "c" * 50) == f"“a b {'c' * 22}…{'c' * 13}”"


def test_long_names_that_differ_at_either_end_read_differently():
    same = "a question of the customer about "
    names = [f"{same}lost luggage", f"{same}lost tickets", f"{same}his seat", f"no {same}his seat"]
    assert len(set(map(shortened, names))) == 4
    assert max(len(shortened(name)) for name in names) <= 40


def test_what_is_left_of_a_name_begins_with_a_whole_letter():
    vowel = "\N{DEVANAGARI VOWEL SIGN AA}"
    assert shortened("a" * 50 + vowel + "b" * 12) == f"{'a' * 26}…{'b' * 12}"


def test_of_a_text_the_beginning_is_quoted():
    assert quoted("a  b\n" + "c" * 50, 40) == f"“a b {'c' * 35}…”"


@pytest.mark.parametrize("name", ["سلبي", "שלום", "ab ٣", "נ & <b>"])
def test_a_name_from_the_right_does_not_turn_what_is_beside_it(name):
    assert isolated(name) == f"\u2068{name}\u2069"
    assert named(name) == f"“\u2068{literal(name)}\u2069”"


@given(NAMES | st.sampled_from(["Ärger", "злость", "怒り", "क्रोध", "😡", "5", ""]))
def test_any_other_name_stays_as_it_is(name):
    assert isolated(name) == name
