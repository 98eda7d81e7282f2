"""Drawing support sets: deterministic, balanced, disjoint, nested."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slp_core.data import Examples, FewShotDataset, remarks
from slp_core.errors import DatasetError
from slp_core.sentences import ClassName, class_names


def dataset(labels, **kwargs):
    labels = [str(label) for label in labels]
    return FewShotDataset(
        name="toy",
        title="Toy",
        examples=kwargs.pop("examples", None)
        or Examples("numeric", features=np.arange(len(labels))[:, None]),
        labels=np.array(labels),
        classes=tuple(sorted(set(labels))),
        default_encoder="raw",
        **kwargs,
    )


label_lists = (
    st.lists(st.integers(1, 12), min_size=1, max_size=6)
    .filter(lambda counts: max(counts) > 1)
    .flatmap(lambda counts: st.permutations([k for k, n in enumerate(counts) for _ in range(n)]))
)


@settings(deadline=None, max_examples=60)
@given(label_lists, st.integers(0, 10**6), st.data())
def test_draw_is_balanced_as_far_as_classes_reach_disjoint_complete_and_nested(labels, draw, data):
    data_set = dataset(labels)
    shots = data.draw(st.integers(1, data_set.max_shots))
    episode = data_set.draw(shots, draw)

    k = len(data_set.classes)
    sizes = [min(shots, labels.count(label)) for label in sorted(set(labels))]
    assert episode.y_support.tolist() == np.repeat(np.arange(k), sizes).tolist()
    assert sorted([*episode.support, *episode.query]) == list(range(len(labels)))
    assert episode.query.tolist() == sorted(episode.query)
    names = class_names(data_set.classes)
    few = {name: size for name, size in zip(names, sizes, strict=True) if size < shots}
    tested = {c for c, label in enumerate(sorted(set(labels))) if labels.count(label) > shots}
    assert tested
    assert set(episode.y_query) == tested
    untested = [name for c, name in enumerate(names) if c not in tested]
    assert episode.warnings == (
        *([remarks.uneven_support(shots, few)] if few else []),
        *([remarks.untested(untested)] if untested else []),
    )
    again = dataset(labels).draw(shots, draw)
    assert again.support.tolist() == episode.support.tolist()
    for fewer in range(1, shots):
        assert set(data_set.draw(fewer, draw).support) < set(episode.support)
    for c in range(k):  # the rows of the smallest keys, the smallest first
        rows = np.flatnonzero(data_set.y == c)
        order = np.random.default_rng([draw, c]).random(len(rows)).argsort()
        own = episode.support[episode.y_support == c]
        assert own.tolist() == rows[order[: sizes[c]]].tolist()
    query = episode.query.tolist()
    for row in range(len(labels)):
        assert episode.place_of(row) == (query.index(row) if row in query else None)
    assert episode.place_of(len(labels)) is None


def test_draws_differ_and_reach_every_row():
    data_set = dataset(["a", "b"] * 20)
    supports = [tuple(data_set.draw(4, draw).support) for draw in range(60)]
    assert len(set(supports)) == 60
    assert set(np.concatenate(supports)) == set(range(40))


@given(st.lists(st.integers(2, 5), min_size=1, max_size=3), st.integers(1, 2))
def test_of_draws_that_choose_the_same_rows_one_is_offered(sizes, shots):
    data_set = dataset([str(k) for k, size in enumerate(sizes) for _ in range(size)])
    offered = data_set.available_draws(shots)
    if shots > data_set.max_shots:
        assert offered == ()
        return
    chosen = [frozenset(data_set.draw(shots, draw).support) for draw in range(data_set.n_draws)]
    assert offered == tuple(i for i, rows in enumerate(chosen) if rows not in chosen[:i])
    assert bool(data_set.repeated_draws(shots)) == (len(offered) < data_set.n_draws)


def test_a_draw_depends_on_the_labels_alone_and_stays_what_it_was():
    labels = ["a", "b", "b", "a", "b", "a", "a", "b", "a", "b"]
    numbers = dataset(labels).draw(2, 3)
    texts = dataset(labels, examples=Examples("text", texts=tuple("abcdefghij"))).draw(2, 3)
    assert numbers.support.tolist() == texts.support.tolist() == [0, 8, 1, 4]


def test_class_order_is_the_sorted_names():
    data_set = dataset(["10", "9", "b", "B", "9", "10", "b", "B"])
    assert data_set.classes == ("10", "9", "B", "b")
    assert [data_set.classes[k] for k in data_set.y] == data_set.labels.tolist()
    assert data_set.counts == {"10": 2, "9": 2, "B": 2, "b": 2}


def test_shots_available_leave_a_query_row():
    assert dataset("aabb").shots_available == (1,)
    assert dataset("aabbb").shots_available == (1, 2)
    assert dataset("a" * 9 + "b" * 16).shots_available == (1, 2, 4, 8)
    assert dataset("a" * 17 + "b" * 30).shots_available == (1, 2, 4, 8, 16)


@pytest.mark.parametrize(
    ("counts", "shots"),
    [
        ((40, 40, 3), 16),  # most classes keep query examples
        ((40, 3), 2),  # or else one class would be all that is tested
        ((17, 10, 10), 8),
        ((40, 30, 3, 1), 2),
        ((2, 1, 1), 1),
    ],
)
def test_a_dataset_opens_on_shots_that_leave_most_classes_to_be_tested(counts, shots):
    data_set = dataset([k for k, count in enumerate(counts) for _ in range(count)])
    assert data_set.opening_shots == shots
    tested = np.unique(data_set.draw(shots, 0).y_query)
    assert shots == 1 or len(tested) > len(counts) / 2 or len(tested) == len(counts)


def test_edits_that_take_all_query_examples_of_a_class_are_remarked_on():
    episode = dataset("aabbb").draw(1, 0)
    edited = episode.edited(add=episode.query[episode.y_query == 0])
    assert edited.warnings == (remarks.untested([ClassName("a", 0)]),)


@pytest.mark.parametrize(
    ("shots", "draw", "words"),
    [
        (4, 0, ["4 shots", "at most 3"]),
        (0, 0, ["0 is too few"]),
        (1, -1, ["no draw -1"]),
    ],
)
def test_impossible_draws_say_why(shots, draw, words):
    with pytest.raises(DatasetError) as error:
        dataset("aaabbbb").draw(shots, draw)
    assert all(word in str(error.value) for word in words)


def test_shots_must_be_a_whole_number():
    with pytest.raises(TypeError):
        dataset("aaabbbb").draw(1.5, 0)


def test_pools_fix_the_query_set():
    data_set = dataset("aaabbbaabb", support_pool=np.arange(6), query_pool=np.array([9, 6, 7]))
    assert data_set.shots_available == (1, 2, 3)
    assert data_set.max_shots == 3
    episode = data_set.draw(3, 1)
    assert sorted(episode.support) == [0, 1, 2, 3, 4, 5]
    assert episode.query.tolist() == [6, 7, 9]
    with pytest.raises(DatasetError, match="at most 3"):
        data_set.draw(4, 0)


@pytest.mark.parametrize(
    ("marked", "shots"), [("aaabbb", 3), ("aabb", 2), ("aaabb", 0), (33 * "ab", 0), (32 * "ab", 32)]
)
def test_a_support_set_that_the_data_mark_can_be_taken_whole(marked, shots):
    n = len(marked)
    data_set = dataset(f"{marked}ab", support_pool=np.arange(n), query_pool=np.array([n, n + 1]))
    assert data_set.marked_shots == shots
    assert (shots or 1) in data_set.shots_available
    if shots:
        assert sorted(data_set.draw(shots, 0).support) == list(range(n))
        assert data_set.available_draws(shots) == (0,)
    assert dataset("aaabbb").marked_shots == 0


def test_query_rows_that_repeat_a_support_row_are_warned_of():
    texts = ("same", "same ", "other", "a", "b", "c")
    data_set = dataset("aaabbb", examples=Examples("text", texts=texts))
    overlapping = [data_set.draw(1, draw) for draw in range(12)]
    for episode in overlapping:
        repeats = episode.support[0] in (0, 1)
        assert bool(episode.warnings) == repeats
    assert {bool(episode.warnings) for episode in overlapping} == {True, False}
    assert remarks.repeated_support(1) in [w for e in overlapping for w in e.warnings]


def test_own_draws():
    data_set = dataset(
        "abababab",
        query_pool=np.arange(2),
        own_draws={(1, 0): [3, 2], (1, 1): [], (1, 2): [3, 3], (2, 1): [2, 4, 6, 3], (4, 0): [2]},
    )
    assert data_set.shots_available == (1, 2)
    assert data_set.n_draws == 3
    assert data_set.available_draws(1) == (0,)
    assert data_set.draw(1, 0).support.tolist() == [2, 3]
    uneven = data_set.draw(2, 1)
    assert uneven.query.tolist() == [0, 1]
    sizes = {ClassName("a", 0): 3, ClassName("b", 1): 1}
    assert uneven.warnings[0] == remarks.uneven_support(2, sizes)
    with pytest.raises(DatasetError, match="Draw 1 of toy with 1 shots has no row of class 'a'"):
        data_set.draw(1, 1)
    lacks = r"Draw 2 of toy with 1 shots has no row of class 'a': the draws with 1 shots are 0\."
    with pytest.raises(DatasetError, match=lacks):
        data_set.draw(1, 2)
    with pytest.raises(DatasetError, match="class 'b': it has draws with 1, 2 shots"):
        data_set.draw(4, 0)
    with pytest.raises(DatasetError, match="does not exist: it has draws with 1, 2 shots"):
        data_set.draw(8, 0)
    nothing = dataset("abcabc", query_pool=[0, 1, 2], own_draws={(1, 0): [3], (1, 1): []})
    assert (nothing.shots_available, nothing.available_draws(1), nothing.max_shots) == ((), (), 0)
    with pytest.raises(DatasetError, match=r"class 'b' and 1 more: no draw of it has a row"):
        nothing.draw(1, 0)


@pytest.mark.parametrize(
    ("pools", "words"),
    [
        (
            {"support_pool": range(8), "query_pool": range(8)},
            "support_pool and query_pool share row 0",
        ),
        ({"support_pool": [0, 0, 1, 1], "query_pool": [6]}, "support_pool names row 0 twice"),
        ({"support_pool": [0, 1], "query_pool": [6, 7, 6]}, "query_pool names row 6 twice"),
        ({"support_pool": [0, 20], "query_pool": [6]}, "names row 20, but the rows are 0 to 7"),
        ({"support_pool": [0, -8], "query_pool": [6]}, "names row -8"),
        ({"support_pool": [0.5, 1.0], "query_pool": [6]}, "support_pool must be .* whole"),
        ({"support_pool": np.arange(8) < 4, "query_pool": [6]}, "of a mask give np.flatnonzero"),
        (
            {"own_draws": {(1, 0): [0, 1, 1]}, "query_pool": [1]},
            r"own_draws\[\(1, 0\)\] and query_",
        ),
        ({"own_draws": {(1, 0): [0, 9]}, "query_pool": [1]}, r"own_draws\[\(1, 0\)\] names row 9"),
        ({"query_pool": [1]}, "query_pool needs support_pool or own_draws"),
        ({"support_pool": [1]}, "needs query_pool"),
    ],
)
def test_pools_name_each_row_once_and_for_one_thing(pools, words):
    with pytest.raises(ValueError, match=words):
        dataset("abababab", **pools)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_dataset_has_numbers_throughout_and_rows_of_each_class(value):
    rows = Examples("numeric", features=[[1.0, 2.0], [3.0, value]])
    with pytest.raises(ValueError, match=f"feature 'width' of row 1 is {value}"):
        dataset("ab", examples=rows, feature_names=("height", "width"))
    with pytest.raises(ValueError, match=f"feature 1 of row 1 is {value}"):
        dataset("ab", examples=rows)
    with pytest.raises(ValueError, match="classes are not those of the labels"):
        replace(dataset("aabb"), classes=("a", "b", "c"))


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"kind": "text", "texts": "hello"}, "texts must be several strings"),
        ({"kind": "pair", "texts": ("a", "b"), "pairs": "ab"}, "pairs must be several strings"),
        ({"kind": "text", "texts": ["a", None]}, "texts must be strings, and row 1 is None"),
        ({"kind": "pair", "texts": ["a"], "pairs": [1.0]}, "pairs must be strings, and row 0 is"),
        ({"kind": "span", "texts": ["ab"], "spans": [(0.0, 2.0)]}, "whole numbers, and row 0 is"),
        ({"kind": "span", "texts": ["ab"], "spans": [(0, 1, 2)]}, "pairs of whole numbers"),
        ({"kind": "span", "texts": ["ab"] * 2, "spans": [(0, 1), 2]}, "pairs .* row 1 is 2"),
    ],
)
def test_what_is_no_text_or_span_is_not_made_one(parts, words):
    with pytest.raises(ValueError, match=words):
        Examples(**parts)


def test_digests_tell_contents_apart():
    def digest(**parts):
        return Examples(**parts).digest

    digests = [
        digest(kind="text", texts=("ab", "c")),
        digest(kind="text", texts=("a", "bc")),
        digest(kind="pair", texts=("ab",), pairs=("c",)),
        digest(kind="span", texts=("ab", "c"), spans=((0, 1), (0, 1))),
        digest(kind="span", texts=("ab", "c"), spans=((0, 2), (0, 1))),
        digest(kind="numeric", features=np.zeros((2, 3))),
        digest(kind="numeric", features=np.zeros((3, 2))),
    ]
    assert len(set(digests)) == len(digests)
    assert digest(kind="text", texts=["ab", "c"]) == digests[0]
    for spans in ([[0, 1], [0, 1]], np.array([[0, 1], [0, 1]], dtype=np.int16)):
        rows = Examples(kind="span", texts=("ab", "c"), spans=spans)
        assert (rows.digest, rows.spans) == (digests[3], ((0, 1), (0, 1)))
        assert rows.content_ids.tolist() == [0, 1]
    plain = dataset("aabb")
    assert plain.digest == dataset("aabb").digest
    assert plain.digest != dataset("abab").digest
    pooled = dataset("aabb", support_pool=np.array([0, 2]), query_pool=np.array([1, 3]))
    assert pooled.digest != plain.digest


def test_examples_take_describe_and_stay_as_they_are():
    texts = ("I love\nParis", "Go")
    spans = Examples("span", texts=texts, spans=((7, 12), (0, 2)))
    assert spans.describe(0) == "I love ⟦Paris⟧"
    assert spans.take([1]).texts == ("Go",)
    assert spans.take(np.array([False, True])).spans == ((0, 2),)
    assert Examples("pair", texts=texts, pairs=("a", "b")).describe(1) == "Go ⏎ b"
    numbers = Examples("numeric", features=[[1.2, -3.0], [0.5, 12345.678]])
    assert numbers.describe(0) == "x=1.2, y=-3"
    assert numbers.describe(1, ("height", "width")) == "height=0.5, width=12,346"
    assert "(64 features)" in Examples("numeric", features=np.zeros((1, 64))).describe(0)
    assert numbers.take([1, 0]).features.tolist() == [[0.5, 12345.678], [1.2, -3.0]]
    with pytest.raises(ValueError, match="read-only"):
        numbers.features[0, 0] = 5


@pytest.mark.parametrize(
    "parts",
    [
        {"kind": "text"},
        {"kind": "text", "texts": ("a",), "pairs": ("b",)},
        {"kind": "pair", "texts": ("a",), "pairs": ("b", "c")},
        {"kind": "span", "texts": ("abc",), "spans": ((1, 4),)},
        {"kind": "numeric", "features": np.zeros(3)},
        {"kind": "sound", "texts": ("a",)},
    ],
)
def test_examples_refuse_parts_that_do_not_belong(parts):
    with pytest.raises(ValueError, match=r"."):
        Examples(**parts)
