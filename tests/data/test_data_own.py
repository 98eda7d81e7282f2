"""Typed examples: what an address and a file say of them reads as the same again."""

import io

import pytest

import slp_core as slp
from slp_core.data.own_examples import CLASSES, EXAMPLES, IDEAS, OwnExamples, own_csv
from slp_core.data.typed_shots import can_be_typed, carried_edits, every_class, typed_beside
from slp_core.figures.style.theme import LIGHT

AWKWARD = OwnExamples.of({"z, 'ü'": ("1 + 1", 'say "hi", Tom'), "a": ("  x ", "x", "日本")})


@pytest.mark.parametrize("own", [AWKWARD, *IDEAS.values()], ids=["awkward", *IDEAS])
def test_text_and_files_read_as_the_same(own):
    assert OwnExamples.read(str(own)) == own
    dataset = own.dataset()
    assert set(OwnExamples.of_dataset(dataset).classes) == set(own.classes)
    episode = dataset.draw(dataset.max_shots, 0)
    assert sorted(episode.support) == list(range(len(own.rows)))
    assert not len(episode.query)
    again = slp.read_dataset(io.BytesIO(own_csv(own)), "own.csv", text="text", label="label")
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


def test_typed_shots_join_every_draw_and_change_neither_its_query_set_nor_colours():
    base, n = slp.load_dataset("airline"), 309
    typed = OwnExamples.of(
        {"lost": ("Where is my bag?", "My bag is gone."), "positive": ("Nice!",)}
    )
    dataset = typed_beside(base, typed)
    assert len(base) == n
    assert dataset.classes == ("lost", "negative", "neutral", "positive")
    for shots, draw in ((2, 0), (16, 3)):
        drawn, episode = base.draw(shots, draw), dataset.draw(shots, draw)
        assert sorted(episode.support) == [*sorted(drawn.support), n, n + 1, n + 2]
        assert episode.query.tolist() == drawn.query.tolist()
        assert sorted(episode.y_support) == episode.y_support.tolist()
        assert episode.labels[n:].tolist() == ["positive", "lost", "lost"]
    assert dataset.available_draws(16) == base.available_draws(16)
    assert typed_beside(base, OwnExamples.of({"lost": ()})) is base
    colours = dict(zip(base.classes, LIGHT.for_classes(base.classes).palette, strict=False))
    now = LIGHT.for_classes(dataset.classes, dataset.made).palette
    assert colours.items() <= dict(zip(dataset.classes, now, strict=True)).items()


def test_a_class_keeps_its_colour_under_another_name():
    own = IDEAS["Weather, sport or cooking?"]
    both = own.dataset(), own.renamed("cooking", "zebra").dataset()
    before, after = (
        dict(zip(data.classes, LIGHT.for_classes(data.classes, data.made).palette, strict=True))
        for data in both
    )
    assert after == {{"cooking": "zebra"}.get(name, name): each for name, each in before.items()}


def test_edits_follow_the_typed_shots_that_stay():
    base, n = slp.load_dataset("airline"), 309
    typed = OwnExamples.of({"positive": ("Nice!",), "lost": ("Where is my bag?", "It is gone.")})
    before = typed_beside(base, typed)
    drawn = before.draw(4, 0)
    first, second = drawn.support[drawn.y_support == 1][:2].tolist()
    edits = drawn.edited([n + 1], relabel={first: "lost", second: "positive", n: "neutral"}).edits
    fewer = every_class(base, typed).without(0)  # "Nice!", and with it its label
    after = typed_beside(base, fewer)
    moved = after.draw(4, 0).edited([n], relabel={first: "lost", second: "positive"}).edits
    assert carried_edits(edits, before, after) == moved
    assert carried_edits(moved, after, before).removed == (n + 1,)
    renamed = typed_beside(base, fewer.renamed("lost", "bags"))
    assert [k for _, k in carried_edits(moved, after, renamed).relabelled] == [3]


def test_rows_of_numbers_are_typed_and_others_refused():
    base = slp.load_dataset("iris")
    dataset = typed_beside(base, OwnExamples.of({"new": ("1, 2.5; -3  4e1",)}))
    assert dataset.examples.features[-1].tolist() == [1, 2.5, -3, 40]
    assert dataset.describe(len(base)).startswith("sepal length (cm)=1, ")
    for text in ("1, 2, 3", "1, 2, 3, 4, 5", "1, 2, 3, x", "1, 2, 3, nan", "1, 2, 3, 1e39"):
        with pytest.raises(slp.DatasetError, match="has 4 numbers: sepal length"):
            typed_beside(base, OwnExamples.of({"new": (text,)}))
    assert can_be_typed(base)
    assert not can_be_typed(slp.load_dataset("digits"))
