"""The texts written for the project keep what their cards promise."""

import json
import re
from collections import Counter

import pytest

from slp_core.data import list_datasets, load_dataset
from slp_core.data.catalogue import SAMPLE_FOLDER
from slp_core.encoders import load_encoder
from slp_core.evaluation.draws import accuracy_over_draws
from slp_core.methods.table import METHODS

SAMPLES = {info.name: info for info in list_datasets() if info.group == "Texts"}
CLASSES = {
    "airline": {"negative", "neutral", "positive"},
    "products": {"negative", "positive"},
    "disaster": 2,
    "intents": 9,
    "emotions": 13,
    "ratings": {"2", "4", "5"},
    "restaurant": 8,
    "entailment": 2,
}


def four_grams(text):
    words = re.findall(r"\w+(?:['’]\w+)*", text.casefold())
    return {tuple(words[i : i + 4]) for i in range(len(words) - 3)}


def test_every_sample_is_listed():
    assert SAMPLES.keys() == CLASSES.keys()


@pytest.fixture(params=CLASSES)
def sample(request):
    return load_dataset(request.param)


def test_classes_and_their_sizes(sample):
    expected = CLASSES[sample.name]
    if isinstance(expected, set):
        assert set(sample.classes) == expected
    assert len(sample.classes) == SAMPLES[sample.name].n_classes
    assert len(sample.classes) == (expected if isinstance(expected, int) else len(expected))
    assert sample.kind == SAMPLES[sample.name].kind
    least = 100 if len(sample.classes) <= 3 else 60
    assert {name: n for name, n in sample.counts.items() if n < least} == {}
    assert 16 in sample.shots_available


def test_no_warnings_so_no_duplicates_and_no_contradictions(sample):
    assert sample.warnings == ()
    texts = [" ".join(text.casefold().split()) for text in sample.examples.texts]
    if sample.kind == "text":
        assert [text for text, n in Counter(texts).items() if n > 1] == []


def test_no_two_rows_share_more_than_half_of_their_four_grams(sample):
    """Shared 4-grams are counted against the row that has fewer of them."""
    rows = [four_grams(text) for text in sample.examples.texts]
    if sample.examples.pairs is not None:
        rows = [
            first | four_grams(second)
            for first, second in zip(rows, sample.examples.pairs, strict=True)
        ]
    holders = {}
    for row, grams in enumerate(rows):
        for gram in grams:
            holders.setdefault(gram, []).append(row)
    shared = Counter(
        (a, b) for held in holders.values() for i, a in enumerate(held) for b in held[i + 1 :]
    )
    too_alike = [
        (sample.examples.describe(a), sample.examples.describe(b))
        for (a, b), n in shared.items()
        if n > min(len(rows[a]), len(rows[b])) / 2
    ]
    assert too_alike == []


def test_spans_match_their_mentions():
    lines = (SAMPLE_FOLDER / "restaurant.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    sample = load_dataset("restaurant")
    for record, text, (start, end) in zip(
        records, sample.examples.texts, sample.examples.spans, strict=True
    ):
        assert record["text"][record["start"] : record["end"]] == record["mention"]
        assert text[start:end] == record["mention"]
        assert (start, end) == (record["start"], record["end"])


def test_every_sample_has_a_card(sample):
    assert len(sample.card) > 200


@pytest.mark.parametrize("name", ["airline", "products"])
def test_how_hard_they_are_is_what_the_documentation_says(name):
    document = (SAMPLE_FOLDER.parent / "research" / "reproduce.md").read_text(encoding="utf-8")
    guided = r"(?:\d+ to \d+|none)"  # LEOPARD's tables have no such column
    row_of = rf"^\| {name} \| \d+ \| ({guided} \| .*) \|$"
    (row,) = re.findall(row_of, document, re.MULTILINE)
    guide, plain, *_, meta = row.split(" | ")
    dataset = load_dataset(name)
    for encoder, expected in (("minilm-l4", plain), ("metaslp-reptile-minilm-l4", meta)):
        X = load_encoder(encoder).encode(dataset)
        spread = accuracy_over_draws(METHODS["deep_slp"].make, dataset, X, 16, range(10))
        assert 100 * spread.mean() == pytest.approx(float(expected), abs=0.5)
    if " to " in guide:
        low, high = map(float, guide.split(" to "))
        assert low <= float(plain) <= high
