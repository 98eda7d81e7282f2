"""A report shows the current settings, escapes all data, and states its size."""

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from report_subjects import HOSTILE, hostile, subject

import slp_core as slp
from slp_core.data import Examples, FewShotDataset
from slp_core.evaluation.method_runs import MethodRuns, vector_runs
from slp_core.explain import read_causes
from slp_core.explain.text import point_text, predictions_text
from slp_core.markdown import unmarked
from slp_core.methods.table import METHODS
from slp_core.report.parts import PAGES, made_report
from slp_core.report.text import errors_shown_text, made_text


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
    page = made_report(subject(*hostile(), method, compared=[method]))
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
    about = subject(*hostile(names), "nearest_centroid", compared=["nearest_centroid"])
    page = made_report(about)
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
        "The data", "The map", "Errors and their causes", "One line over w", "Soft labels",
        "Two prototypes as an ensemble", "Methods compared", dataset.digest,
        unmarked(predictions_text(about.predictions)), unmarked(point_text(about.reading)),
    ):  # fmt: skip
        assert " ".join(part.split()) in words, part
    assert words.count("DeepSLP") > 1
    assert int(causes.wrong.sum()) >= 0
    for method in ("constraintSLP", "DeepSLP", "Nearest centroid", "Logistic regression"):
        assert method in words
    assert "distancesfull" in words  # as in the sidebar


def test_it_compares_its_method_with_the_usual_ones():
    dataset = slp.load_dataset("toy_abc")
    X = slp.load_encoder("raw").encode(dataset)
    about = subject(dataset, X, compared=["nearest_centroid"], scaling="as they come")
    words = " ".join("".join(Elements(made_report(about)).words).split())
    table = words[words.rindex("Accuracy, parameters") :]
    for name, title in (("constraint_slp", "constraintSLP"), ("nearest_centroid", "Nearest c")):
        runs = MethodRuns(4, dict(vector_runs(METHODS[name].make, dataset, X, 4, range(10))))
        assert re.search(rf"{title}\D*10{runs.accuracy.mean():.4g}", table)  # cell by cell
    assert "normalisationas they come" in words[: words.index("The data")]


def test_it_names_no_line_where_the_method_asks_none_and_the_draw_of_its_parameters():
    dataset = slp.load_dataset("iris")
    X = slp.load_encoder("raw").encode(dataset)
    for method, line in (("constraint_slp", True), ("nearest_centroid", False)):
        page = made_report(subject(dataset, X, method, compared=[method]))
        table = page[page.index("<caption>Errors, the most confident first") :]
        heads = re.findall(r"<th[^>]*>(.*?)</th>", table[: table.index("</table>")])
        assert ("line" in heads, "w" in heads) == (line, line)
        assert "parameters (support set 0)" in page


def test_a_report_without_an_error_explains_none():
    dataset = slp.load_dataset("iris")
    X = np.eye(3)[dataset.y] + np.arange(len(dataset))[:, None] * 1e-4
    page = made_report(subject(dataset, X, "nearest_centroid", compared=["nearest_centroid"]))
    assert "No misclassified example" in page
    assert "Errors and their causes" not in page


def test_tall_figures_of_many_classes_fit_a_sheet():
    names = [f"class {number:02d}" for number in range(40)]
    about = subject(*hostile(names), "nearest_centroid", compared=["nearest_centroid"])
    page = made_report(about)
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


@pytest.mark.parametrize("page", PAGES)
def test_the_report_of_a_page_holds_that_pages_parts(page):
    dataset = slp.load_dataset("toy_abc")
    X = slp.load_encoder("raw").encode(dataset)
    about = subject(dataset, X, compared=["nearest_centroid"], page=page)
    titles = re.findall(r"<h2>(.*?)</h2>", made_report(about))
    assert titles[0] == "Settings"
    assert len(titles) == 1 + {"explore": 4, "explain": 3}.get(page, 1)
    first = {
        "explore": "The map",
        "explain": "Errors and their causes",
    }
    assert titles[1] == first.get(page, titles[1])


def test_a_class_without_query_examples_is_named_and_has_no_figure_of_its_own():
    rng = np.random.default_rng(0)
    y = np.repeat(list("abcd"), (24, 20, 3, 1))
    X = rng.normal(size=(len(y), 5)) + 2 * np.eye(5)[np.unique(y, return_inverse=True)[1]]
    dataset = FewShotDataset("few", "Few", Examples("numeric", features=X), y, tuple("abcd"), "raw")
    for method in ("constraint_slp", "deep_slp", "nearest_centroid"):
        about = subject(dataset, X, method, shots=16)
        words = " ".join("".join(Elements(made_report(about)).words).split())
        for remark in about.episode.warnings:
            assert " ".join(unmarked(remark).split()) in words
        assert not re.search(r"\bnan\b", words, re.IGNORECASE)


def test_digits_are_images():
    dataset = slp.load_dataset("digits")
    about = subject(dataset, slp.load_encoder("raw").encode(dataset), page="explain")
    page = made_report(about)
    rows = re.findall(r"<tr>(.*?)</tr>", page, re.S)
    images = [row for row in rows if "<svg" in row]
    assert len(images) == min(
        int(
            read_causes(
                about.model,
                about.vectors[about.episode.query],
                about.episode.y_query,
                about.centroids,
            ).wrong.sum()
        ),
        40,
    )
    (example,) = re.findall(r'<p class="image">(.*?)</p>', page, re.S)
    features = dataset.examples.features[about.row].reshape(8, 8) / 16
    shades = re.findall(r'd="((?:M\d \dh1v1h-1z)+)" opacity="(.*?)"', example)
    drawn = [(at, float(v)) for squares, v in shades for at in re.findall(r"M(\d) (\d)", squares)]
    assert {(int(y), int(x)): v for (x, y), v in drawn} == pytest.approx(
        {(y, x): features[y, x] for y, x in zip(*features.nonzero(), strict=True)}, abs=6e-3
    )


def test_what_it_says_of_itself():
    assert made_text(1_840_000) == "Ready: 1.8 MB. It opens offline and can be printed."
    assert errors_shown_text(40, 90) == "Errors shown: 40 of 90, the most confident first."
