"""Finding a mention in its sentence."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slp_core.data.mentions import find_mention


@pytest.mark.parametrize(
    ("sentence", "mention", "found"),
    [
        ("a phone for pho", "pho", "pho"),
        ("the telephone", "phone", "phone"),
        ("EU rejects German call", "german", "German"),
        ("near-by bars", "near by", "near-by"),
        ("Joe's Diner", "joe ' s", "Joe's"),
        ("St. Paul 's church", "St.Paul's", "St. Paul 's"),
        ("it costs $$ or more", "$$", "$$"),
        ("Straße nach Süden", "STRASSE", "Straße"),
        ("US and us", "us", "us"),
        ("aus US", "us", "US"),
        ("fish", "chips", None),
        ("fish", " ", None),
        ("fish", "?", None),
        ("", "fish", None),
    ],
)
def test_case_spacing_and_punctuation_are_forgiven(sentence, mention, found):
    span = find_mention(sentence, mention)
    assert (None if span is None else sentence[span[0] : span[1]]) == found


def test_the_whole_word_first_then_the_nearest():
    assert find_mention("pho phone pho", "pho") == (0, 3)
    assert find_mention("pho phone pho", "pho", near=9) == (10, 13)
    assert find_mention("phone pho", "pho", near=0) == (6, 9)


@settings(deadline=None, max_examples=100)
@given(
    st.text(max_size=20), st.text(min_size=1, max_size=8).filter(str.strip), st.text(max_size=20)
)
def test_a_mention_that_is_there_is_found(before, mention, after):
    sentence = before + mention + after
    span = find_mention(sentence, mention)
    assert span is not None
    start, end = span
    assert 0 <= start < end <= len(sentence)
