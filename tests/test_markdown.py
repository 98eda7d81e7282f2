"""Names from data stand in sentences as they are, whatever Markdown would make of them."""

import re

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from slp_core.markdown import literal, named, unmarked

PIECES = st.sampled_from(
    ["$", "$$", "*", "**", "_", "`", "~~", "[", "](x)", "<b>", "\\", ":", ":red[", "a", " b"]
)
NAMES = st.lists(PIECES, min_size=1, max_size=6).map("".join).map(str.strip).filter(bool)


def read(markdown):
    """What a CommonMark reader sees."""
    return MarkdownIt("commonmark").renderInline(markdown).replace("\N{WORD JOINER}", "")


@given(NAMES)
def test_a_name_is_read_as_it_is(name):
    shown = name.replace("<", "&lt;").replace(">", "&gt;")
    assert read(f"It is {literal(name)}, rightly.") == f"It is {shown}, rightly."
    line = " ".join(shown.split())
    assert read(f"It is {named(name)}, rightly.") == f"It is “{line}”, rightly."
    plain = " ".join(name.split())
    assert unmarked(f"It is {named(name)}, rightly.") == f"It is “{plain}”, rightly."
    # Streamlit's formulas, which CommonMark has not, begin and end at bare dollar signs
    assert not re.search(r"(?<!\\)(\\\\)*\$", literal(name))


@given(NAMES)
def test_no_emoji_code_or_colour_begins_in_a_name(name):
    assert not re.search(r":\S", literal(name).replace(":\N{WORD JOINER}", ""))


def test_a_long_name_is_shortened_on_one_line():
    assert named("a  b\n" + "c" * 50) == f"“a b {'c' * 35}…”"
