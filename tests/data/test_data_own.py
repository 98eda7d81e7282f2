"""Typed examples: what an address and a file say of them reads as the same again."""

import io

import pytest

import slp_core as slp
from slp_core.data.own_examples import CLASSES, EXAMPLES, IDEAS, OwnExamples, own_csv, own_jsonl

AWKWARD = OwnExamples.of({"z, 'ü'": ("1 + 1", 'say "hi", Tom'), "a": ("  x ", "x", "日本")})


@pytest.mark.parametrize("own", [AWKWARD, *IDEAS.values()], ids=["awkward", *IDEAS])
def test_text_and_files_read_as_the_same(own):
    assert OwnExamples.read(str(own)) == own
    dataset = own.dataset()
    assert set(OwnExamples.of_dataset(dataset).classes) == set(own.classes)
    episode = dataset.draw(dataset.max_shots, 0)
    assert sorted(episode.support) == list(range(len(own.rows)))
    assert not len(episode.query)
    for content, ending in ((own_csv(own), "csv"), (own_jsonl(own), "jsonl")):
        again = slp.read_dataset(io.BytesIO(content), f"own.{ending}", text="text", label="label")
        assert again.examples.texts == dataset.examples.texts
        assert again.labels.tolist() == dataset.labels.tolist()


def test_edits_keep_the_others_and_what_is_no_class_or_too_much_is_refused():
    own = OwnExamples.of({"b": ("1", "2"), "a": ("3",), "c": ()})
    assert own.moved(1, "c").by_name == {"b": ("1",), "a": ("3",), "c": ("2",)}
    assert own.without(2).dataset() is None  # one class is left
    assert own.renamed("a", "d").by_name == {"b": ("1", "2"), "d": ("3",), "c": ()}
    assert own.without_class("b").with_texts("c", ["4", " "]).by_name == {"a": ("3",), "c": ("4",)}
    for refused in (
        lambda: own.with_class("a"),
        lambda: own.renamed("a", "b"),
        lambda: own.renamed("a", " "),
        lambda: own.with_texts("a", ["x"] * EXAMPLES),
        lambda: OwnExamples.of({str(k): () for k in range(CLASSES + 1)}),
    ):
        with pytest.raises(slp.DatasetError):
            refused()
    for text in ("", "[]", '{"a":1}', '{"a":["\\ud800"]}', '{"a":[1]}', "[" * 9_999):
        assert OwnExamples.read(text) is None
