"""A class with fewer rows than the shots gives all of them, and each page works."""

import json
import re

import pytest
from driving import open_page, shown, until
from test_pages_hostile import PAGES, elements, strings_of, texts_in
from test_pages_words import gone

import slp_core as slp
from pages.session.jobs import job_pool

SIZES = {"weather": 12, "sport": 9, "music": 3, "cooking": 1}


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    path = tmp_path_factory.mktemp("small") / "topics.jsonl"
    rows = [
        {"text": f"Note {row} is about {name}.", "label": name}
        for name, n in SIZES.items()
        for row in range(n)
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    return slp.read_dataset(path)


@pytest.mark.filterwarnings("error::RuntimeWarning", "error::UserWarning:sklearn")
@pytest.mark.parametrize("page", [*PAGES, "teach"])
def test_classes_without_query_examples_are_named_and_nothing_fails(page, small):
    episode = small.draw(4, 0)
    assert len(episode.support) == 4 + 4 + 3 + 1
    app = open_page(
        page,
        uploads={small.title: small},
        dataset=small.title,
        shots=4,
        **PAGES.get(page, {}),
    )
    until(app, lambda: all("umap" in str(key) for key in job_pool().running))
    text = shown(app.run())
    assert not gone(app)
    for remark in episode.warnings:
        assert remark in text or page == "learn"  # which shows no line of the dataset
    for kind, proto in elements(app):
        for field, each in texts_in(proto):
            figure = kind == "plotly_chart" and field == "spec"
            for part in strings_of(json.loads(each)) if figure else [each]:
                assert not re.search(r"\bnan\b", part, re.IGNORECASE), (kind, field, part[:200])
