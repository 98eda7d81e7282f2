"""A report holds what is on the table, lets nothing of the data be markup, and says its size."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from report_subjects import HOSTILE, hostile, subject

import slp_core as slp
from slp_core.evaluation.method_runs import run_method
from slp_core.explain import read_causes
from slp_core.markdown import unmarked
from slp_core.methods.table import METHODS
from slp_core.report import about_size, made_report


class Elements(HTMLParser):
    """Tags, attributes and the text outside of scripts."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.words, self.inside = [], [], [], None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        self.inside = tag if tag in ("script", "style") else None

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside is None:
            self.words.append(data)


@pytest.mark.parametrize("method", ["constraint_slp", "nearest_centroid"])
def test_nothing_of_the_data_becomes_markup_and_nothing_is_fetched(method):
    page = made_report(subject(*hostile(), method))
    read = Elements(page)
    assert not {"img", "a", "iframe", "link", "i", "b", "u", "s"} & set(read.tags)
    assert not [name for name, _ in read.attributes if name in ("src", "href") or name[:2] == "on"]
    words = "".join(read.words)
    for name in HOSTILE:
        assert name in words
    assert "{{7*7}}" in words
    scripts = re.findall(r"<script[^>]*>", page)
    assert len(scripts) == page.count("</script>")
    drawn = re.findall(r'<script type="application/json" class="drawn">(.*?)</script>', page, re.S)
    assert len(drawn) == len(scripts) - 2 == read.tags.count("figure")
    assert not any("<" in figure for figure in drawn)


def test_only_long_words_of_a_table_may_break():
    names = ["a" * 16 + " " + "b" * 17, "<" * 20, "c"]
    page = made_report(subject(*hostile(names), "nearest_centroid"))
    table = page[page.index("<caption>Examples of each class") :]
    cells = re.findall(r"<td>(.*?)</td>", table[: table.index("</table>")])
    long = '<span class="long">{}</span>'.format
    assert cells == [long("&lt;" * 20), f"{'a' * 16} {long('b' * 17)}", "c"]


def test_it_holds_the_parts_and_sentences_that_the_pages_show():
    dataset = slp.load_dataset("toy_abc")
    about = subject(dataset, slp.load_encoder("raw").encode(dataset))
    read = Elements(made_report(about))
    words = " ".join("".join(read.words).split())
    episode = about.episode
    X = about.vectors[episode.query]
    causes = read_causes(about.model, X, episode.y_query, about.centroids)
    for part in (
        "The data", "The map", "Why it is wrong", "The strip of a line", "Soft labels",
        "Two prototypes as an ensemble", "Methods compared", dataset.digest,
        unmarked(about.answers.sentence()), unmarked(about.reading.sentence()),
    ):  # fmt: skip
        assert " ".join(part.split()) in words, part
    assert words.count("DeepSLP") > 1
    assert int(causes.wrong.sum()) >= 0
    for method in ("constraintSLP", "DeepSLP", "Nearest centroid", "Logistic regression"):
        assert method in words


def test_it_compares_what_was_chosen_through_each_encoder_and_says_so():
    dataset = slp.load_dataset("toy_abc")
    X = slp.load_encoder("raw").encode(dataset)
    about = subject(dataset, X, compared=["nearest_centroid"], scaling="as they come")
    chance = np.random.default_rng(0).normal(size=X.shape)
    other = [replace(each, encoder_title="other", vectors=chance) for each in about.compared]
    about = replace(about, compared=[*about.compared, *other], left_out=["Fine-tuning"])
    right = [
        run_method(METHODS["nearest_centroid"].make, dataset, vectors, 4, range(10)).accuracy.mean()
        for vectors in (X, chance)
    ]
    words = " ".join("".join(Elements(made_report(about)).words).split())
    part = words[words.index("Methods compared") :]
    assert "nearest centroid, through “<s>encoder</s>” and “other”." in part
    assert "(fine-tuning)" in part
    table = part[part.rindex("Accuracy, parameters") :]
    for title, accuracy in zip(("<s>encoder</s>", "other"), right, strict=True):
        assert f"Nearest centroid ({title})10{accuracy:.4g}" in table  # cell by cell; of 10 draws
    assert "constraintSLP" not in part
    assert "vectorsas they come" in words[: words.index("The data")]


def test_it_names_no_line_where_the_method_asks_none_and_the_draw_of_its_parameters():
    dataset = slp.load_dataset("iris")
    X = slp.load_encoder("raw").encode(dataset)
    for method, line in (("constraint_slp", True), ("nearest_centroid", False)):
        page = made_report(subject(dataset, X, method, compared=[method]))
        table = page[page.index("<caption>Errors, the surest first") :]
        heads = re.findall(r"<th[^>]*>(.*?)</th>", table[: table.index("</table>")])
        assert ("line" in heads, "w" in heads) == (line, line)
        assert "parameters (as on draw 0)" in page


def test_a_report_without_an_error_explains_none():
    dataset = slp.load_dataset("iris")
    X = np.eye(3)[dataset.y] + np.arange(len(dataset))[:, None] * 1e-4
    page = made_report(subject(dataset, X, "nearest_centroid", compared=["nearest_centroid"]))
    assert "No error on this draw" in page
    assert "Why it is wrong" not in page
    assert "rightly" in page[page.index("No error on this draw") :]


def test_many_classes_make_it_larger_and_its_tall_figures_fit_a_sheet():
    names = [f"class {number:02d}" for number in range(40)]
    about = subject(*hostile(names), "nearest_centroid", compared=["nearest_centroid"])
    page = made_report(about)
    assert about_size(about.dataset, about.model) == pytest.approx(len(page.encode()), rel=0.1)
    drawn = re.findall(r'<script type="application/json" class="drawn">(.*?)</script>', page, re.S)
    heights = [json.loads(figure)["layout"]["height"] for figure in drawn]
    tall = [number for number, height in enumerate(heights) if 930 < height < 1550]
    shares = dict(re.findall(r'id="figure-(\d+)"[^>]*style="--on-paper: (.*?)"', page))
    assert tall
    assert list(shares) == [str(number) for number in tall]
    for number in tall:  # within what US letter holds between its margins, and not much smaller
        assert 850 < float(shares[str(number)]) * heights[number] < 964
    alone = re.findall(r'<figure class="tall">\s*<div class="figure" id="figure-(.*?)"', page)
    assert alone == [str(number) for number, height in enumerate(heights) if height > 760]


def test_its_size_is_known_beforehand():
    iris, digits = slp.load_dataset("iris"), slp.load_dataset("digits")
    for dataset, encoder in ((iris, "numeric"), (digits, "numeric")):
        about = subject(dataset, slp.load_encoder(encoder).encode(dataset))
        size = len(made_report(about).encode())
        assert about_size(dataset, about.model) == pytest.approx(size, rel=0.1)
