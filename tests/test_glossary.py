"""Every word is explained once, and found where it stands."""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.shell.navigation import PAGES
from pages.widgets.words import pattern
from slp_core.explain.causes import CAUSES, WITHOUT_LINES
from slp_core.glossary import TERMS

FORMS = [form for term in TERMS for form in term.forms]
PATTERN = re.compile(pattern().replace("(?<form>", "(?P<form>"))  # as Python has it
BY_FORM = {form if len(form) == 1 else form.casefold(): t for t in TERMS for form in t.forms}


def find_terms(text):
    """As words.js does: where terms stand in a text."""
    for match in PATTERN.finditer(text):
        if (form := match["form"]) is not None:
            yield match.start(), match.end(), BY_FORM[form if len(form) == 1 else form.casefold()]


def found(text):
    return [(text[start:end], term.name) for start, end, term in find_terms(text)]


def test_the_words_of_the_design_and_of_the_pages_are_there():
    wanted = """support set, query set, draw, shots, centroid, line, prototype, soft label,
        influence, t, r, w, slice, surface, lead, fidelity, held out, rescued, concentration,
        off line, JSD, NLL, support, query, landscape, entropy, temperature"""
    assert set(re.split(r",\s+", wanted)) <= set(FORMS)


def test_every_cause_has_its_term():
    named = [term.cause for term in TERMS if term.cause]
    assert sorted(named) == sorted({*CAUSES, *WITHOUT_LINES})
    assert all("ause of an error" in term.text for term in TERMS if term.cause)


def test_no_form_belongs_to_two_terms():
    folded = Counter(form if len(form) == 1 else form.casefold() for form in FORMS)
    assert [form for form, n in folded.items() if n > 1] == []


def test_terms_are_explained_in_one_to_three_sentences_without_figures():
    for term in TERMS:
        assert 1 <= len(re.findall(r"[.:?](?: |$)", term.text)) <= 4, term.name
        assert not re.search(r"\d[\d.,]*\d|[2-9]", term.text.replace("F1", "")), term.name
        assert term.text.endswith(".")
        assert term.pages
        assert set(term.pages) <= set(PAGES)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_found(form):
    (term,) = (term for term in TERMS if form in term.forms)
    assert found(f"So {form}: yes") == [(form, term.name)]


def test_the_longest_form_counts():
    assert found("Soft labels along the line") == [
        ("Soft labels", "soft label"),
        ("along the line", "along the line"),
    ]
    assert found("the prototype's w") == [("prototype", "prototype"), ("w", "w")]


def test_names_of_classes_other_words_and_usual_senses_are_left_alone():
    assert found("“line” and “the draw”") == []
    assert found("outline, liner, drawn, don't, W, can't, left-w, w2") == []
    assert found("the dotted lines and the command line") == []
    assert found("JSON Lines: not valid JSON in line 1") == []


@given(st.text(max_size=60))
def test_what_is_found_are_whole_words_in_order(text):
    last = 0
    for start, end, term in find_terms(text):
        assert last <= start < end
        assert text[start:end].casefold().replace("\xa0", " ") in {
            form.casefold() for form in term.forms
        }
        assert not (start and text[start - 1].isascii() and text[start - 1].isalnum())
        last = end
