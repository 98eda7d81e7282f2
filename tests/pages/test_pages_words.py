"""Words that no page says: the field has others for them (see the glossary)."""

import json
import re
from itertools import cycle

import pytest
from driving import computing, open_page, until

import slp_core as slp
from pages.shell.navigation import PAGES
from slp_core.methods.table import methods_that_read

GONE = re.compile(
    r"""\b(answer(s|ed|ing)?|asks?\ (the|this|line)|asked|told|rightly|luck|surest|digest
    |upright|strokes?
    |draw\ again|query\ points?|support\ points?|a\ draw|the\ draws?|other\ draws|over\ \S+\ draws
    |shots\ a\ class|(left|right)\ prototypes?|share\ of\ the\ vote|votes?|fallen\ silent|unheard
    |as\ they\ come|on\ the\ table|held\ out\ of\ it|doubtful|coloured\ ground|points\ between
    |draw\ to\ draw|mean\ of\ (two|three|four)|(?<!t\ )along\ the\ line|by\ passage
    |its\ foot|judged\ by|unit\ length|of\ the\ point\ itself|typical\ gaps?|shares?\ right
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


def test_no_note_on_a_dataset_says_a_word_that_is_gone():
    for info in slp.list_datasets():
        note = f"{info.description} {slp.load_dataset(info.name).card}"
        assert not GONE.findall(note), info.title


def visits():
    """Every dataset once, every page twice or more, and every method where it can be fitted."""
    pages = cycle(folder for folder, *_ in PAGES.values())
    vectors, texts = (methods_that_read(what) for what in ("vectors", "texts"))
    of_numbers, of_texts = cycle(vectors), cycle([*texts, *vectors])
    for dataset in slp.list_datasets():
        method = next(of_numbers if dataset.kind == "numeric" else of_texts)
        yield next(pages), dataset.title, method.title


@pytest.mark.parametrize(("page", "dataset", "method"), visits())
def test_no_page_says_a_word_that_is_gone(page, dataset, method):
    """With folds closed; test_pages_small_classes and test_pages_links open those of texts."""
    query = {"dataset": [dataset], "method": [method], "shots": ["4"]}
    app = open_page(page, query=query, folded=True)
    assert not gone(until(app, lambda: not computing()).run())
