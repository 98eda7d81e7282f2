"""A report holds what is on the table, lets nothing of the data be markup, and says its size."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest

import slp_core as slp
from slp_core.data import Examples, FewShotDataset
from slp_core.evaluation.draws import arrays_of
from slp_core.explain import read_answers, read_causes, read_point
from slp_core.figures.map.assemble import map_of, map_points
from slp_core.lines import class_means
from slp_core.markdown import unmarked
from slp_core.methods.table import METHODS
from slp_core.report import ReportSubject, about_size, made_report
from slp_core.views import decision_landscape

HOSTILE = [
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(2)>",
    "$x$ `[a](b:c)` {{7*7}}",
]


def hostile():
    """Classes and a card that would like to be markup, numbers that are three heaps."""
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(3), 12)
    X = rng.normal(size=(36, 4)) + 3 * np.eye(4)[y]
    labels = np.array([HOSTILE[k] for k in y])
    card = "# <b>Card</b>\n\n[link](javascript:alert(3)) ![i](http://example.org/i.png) <i>x</i>\n"
    examples = Examples("numeric", features=X)
    names = tuple(sorted(HOSTILE))
    return FewShotDataset("hostile", "<u>Data</u>", examples, labels, names, "raw", card), X


def subject(dataset, X, method="constraint_slp", shots=4):
    episode, table = dataset.draw(shots, 0), METHODS[method]
    arrays = arrays_of(episode, X)
    model = table.make().fit(arrays.X_support, arrays.y_support)
    centroids = class_means(X[episode.support], episode.y_support, len(dataset.classes))
    answers = read_answers(model, table.title, X[episode.query], episode.y_query, centroids)
    projection = slp.fit_projection(X)
    landscape = decision_landscape(model, projection, grid=60)
    said = model.predict_proba(X[episode.support]).argmax(axis=1)
    data = map_of(
        model, projection, landscape, dataset.classes, centroids,
        map_points(projection, episode.support, episode.y_support, said,
                   [dataset.describe(row) for row in episode.support]),
        map_points(projection, episode.query, answers.true, answers.predicted,
                   [dataset.describe(row) for row in episode.query]),
    )  # fmt: skip
    row = int(episode.query[0])
    reading = read_point(model, X[row], centroids, int(dataset.y[row]))
    return ReportSubject(
        dataset, "<s>encoder</s>", X, shots, 0, table.base, dict(table.fixed), model, answers,
        centroids, data, projection.kept.facts(), reading, row, "2020-01-01", {"numpy": "2"},
    )  # fmt: skip


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
        "Two prototypes as an ensemble", "Beside other methods", dataset.digest,
        unmarked(about.answers.sentence()), unmarked(about.reading.sentence()),
    ):  # fmt: skip
        assert " ".join(part.split()) in words, part
    assert words.count("DeepSLP") > 1
    assert int(causes.wrong.sum()) >= 0
    for method in ("constraintSLP", "DeepSLP", "Nearest centroid", "Logistic regression"):
        assert method in words


def test_its_size_is_known_beforehand():
    iris, digits = slp.load_dataset("iris"), slp.load_dataset("digits")
    for dataset, encoder in ((iris, "numeric"), (digits, "numeric")):
        about = subject(dataset, slp.load_encoder(encoder).encode(dataset))
        size = len(made_report(about).encode())
        assert about_size(dataset, about.model) == pytest.approx(size, rel=0.15)
