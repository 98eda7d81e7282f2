"""Names from data stand in sentences as they are, whatever Markdown would make of them."""

import re

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from slp_core.markdown import literal, named, unmarked

PIECES = st.sampled_from(
    ["$", "$$", "*", "**", "_", "`", "~~", "[", "](x)", "<b>", "\\", "a", " b"]
)
NAMES = st.lists(PIECES, min_size=1, max_size=6).map("".join).map(str.strip).filter(bool)


def read(markdown):
    """What a CommonMark reader sees, without its emphasis."""
    html = MarkdownIt("commonmark").renderInline(markdown)
    return re.sub("</?em>", "", html)


@given(NAMES)
def test_a_name_is_read_as_it_is(name):
    shown = name.replace("<", "&lt;").replace(">", "&gt;")
    assert read(f"It is {literal(name)}, rightly.") == f"It is {shown}, rightly."
    assert read(f"It is {named(name)}, rightly.") == f"It is {shown}, rightly."
    assert unmarked(f"It is {named(name)}, rightly.") == f"It is {name}, rightly."
    # Streamlit's formulas, which CommonMark has not, begin and end at bare dollar signs
    assert not re.search(r"(?<!\\)(\\\\)*\$", literal(name))
