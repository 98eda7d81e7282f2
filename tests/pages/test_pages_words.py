"""Words that no page says: the field has others for them (see the glossary)."""

import json
import re

import pytest
from driving import open_page

from pages.shell.navigation import PAGES

GONE = re.compile(
    r"""\b(answer(s|ed|ing)?|asks?\ (the|this|line)|asked|told|rightly|luck|surest|digest
    |upright|strokes?
    |draw\ again|query\ points?|support\ points?|a\ draw|the\ draws?|other\ draws|over\ \S+\ draws
    |shots\ a\ class|(left|right)\ prototypes?|share\ of\ the\ vote|votes?|fallen\ silent|unheard
    |as\ they\ come|on\ the\ table|held\ out\ of\ it|doubtful|coloured\ ground|points\ between
    |(are|is|get|gets|was|were|more|%|points|answers)\ right)\b""",
    re.VERBOSE | re.IGNORECASE,
)
NUMBERS = {"dataset": ["Iris flowers"], "method": ["Nearest centroid"], "shots": ["4"]}


def words_of(app):
    """All that is written by the app: labels, tips and text, and titles in figures."""
    for block in (app.main, app.sidebar):
        for element in block:
            yield from texts(element)


def texts(element):
    for child in getattr(element, "children", {}).values():
        yield from texts(child)
    proto = getattr(element, "proto", None)
    if proto is None or element.type in ("text", "arrow_data_frame", "code"):  # texts of examples
        return
    if element.type == "plotly_chart":
        yield proto.alt
        yield from figure_texts(json.loads(proto.spec))
        return
    for field in ("body", "label", "help", "title", "caption", "placeholder"):
        if isinstance(value := getattr(proto, field, ""), str):
            yield re.sub("“[^”]*”", "", value)  # names and texts from data


def figure_texts(figure):
    layout = figure.get("layout", {})
    for key, value in layout.items():
        if key.startswith(("xaxis", "yaxis", "title")) and isinstance(value, dict):
            title = value.get("title", value)
            yield title if isinstance(title, str) else str(title.get("text") or "")
    for each in layout.get("annotations", ()):
        yield str(each.get("text", ""))


def gone(app):
    """Such words on a page, with where they stand."""
    return {m[0]: text[:120] for text in words_of(app) for m in GONE.finditer(text)}


@pytest.mark.parametrize("folder", [folder for folder, *_ in PAGES.values()])
def test_no_page_says_a_word_that_is_gone(folder):
    """Of numbers; test_pages_small_classes and test_pages_links look at all parts, of texts."""
    assert not gone(open_page(folder, query=NUMBERS, folded=True))
