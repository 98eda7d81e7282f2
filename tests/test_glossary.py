"""Every term is explained once, briefly, and marked where a sentence means it."""

import re

import pytest

from slp_core.glossary import TERMS, anchor, term
from slp_core.markdown import literal, unmarked, without_terms


@pytest.mark.parametrize("name", TERMS)
def test_a_term_is_explained_in_at_most_two_short_sentences_without_figures(name):
    text = TERMS[name]
    sentences = re.split(r"(?<=\.) ", text)
    assert len(sentences) <= 2
    assert all(len(sentence.split()) <= 27 for sentence in sentences)
    assert text.endswith(".")
    assert text[0].isupper()
    assert not re.search(r"\d[\d.,]*\d|[2-9]", text)


def test_anchors_differ_and_need_no_escape():
    anchors = [anchor(name) for name in TERMS]
    assert len(set(anchors)) == len(anchors)
    assert all(re.fullmatch(r"word-[A-Za-z0-9-]+", each) for each in anchors)


def test_a_marked_term_reads_as_itself_where_nothing_explains_it():
    sentence = f"**Two** {term('prototype', 'prototypes')}, one {term('soft label')} each."
    assert "[soft label](#word-soft-label)" in sentence
    assert without_terms(sentence) == "**Two** prototypes, one soft label each."
    assert unmarked(sentence) == "Two prototypes, one soft label each."
    assert without_terms("[a](b) and [0, 1]") == "[a](b) and [0, 1]"


def test_a_name_from_data_is_no_term():
    name = "[x](#word-w)"
    assert unmarked(literal(name)) == name
    assert without_terms(literal(name)) == literal(name)


def test_a_word_that_is_not_in_the_glossary_is_refused():
    with pytest.raises(AssertionError):
        term("liner")
