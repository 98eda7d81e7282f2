"""Edited support sets: what is removed, added and relabelled, and what cannot be."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slp_core.data import Examples, FewShotDataset
from slp_core.data.edits import Edits
from slp_core.data.remarks import as_drawn_text, edits_text, support_set_text
from slp_core.errors import DatasetError


def dataset(labels, **pools):
    return FewShotDataset(
        name="toy",
        title="Toy",
        examples=Examples("numeric", features=np.arange(len(labels))[:, None] // 2),
        labels=np.array(list(labels)),
        classes=tuple(sorted(set(labels))),
        default_encoder="raw",
        **pools,
    )


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from("abc"), min_size=12, max_size=24), st.integers(1, 4), st.data())
def test_edits_are_those_of_a_list_of_labelled_rows(labels, shots, data):
    labels = [*"aabbcc", *labels]
    data_set = dataset(labels)
    drawn = episode = data_set.draw(min(shots, data_set.max_shots), data.draw(st.integers(0, 9)))
    held = {int(row): labels[row] for row in drawn.support}
    for _ in range(data.draw(st.integers(1, 5))):
        rows = sorted(held)
        remove = data.draw(st.lists(st.sampled_from(rows), unique=True, max_size=3))
        others = [row for row in range(len(labels)) if row not in held]
        add = data.draw(st.lists(st.sampled_from(others), unique=True, max_size=3))
        stay = [row for row in [*rows, *add] if row not in remove]
        relabel = {}
        if stay:
            relabel = data.draw(
                st.dictionaries(st.sampled_from(stay), st.sampled_from("abc"), max_size=2)
            )
        wanted = {row: label for row, label in held.items() if row not in remove}
        wanted |= {row: labels[row] for row in add} | relabel
        if set(wanted.values()) != set("abc"):
            with pytest.raises(DatasetError, match="would lose its last shot"):
                episode.edited(remove, add, relabel)
            continue
        held, episode = wanted, episode.edited(remove, add, relabel)
        got = [data_set.classes[k] for k in episode.y_support]
        assert dict(zip(episode.support.tolist(), got, strict=True)) == held
        assert len(episode.support) == len(held)
        assert got == sorted(got)
        assert sorted([*episode.support, *episode.query]) == list(range(len(labels)))
        assert episode.query.tolist() == sorted(episode.query)
        again = drawn.with_edits(episode.edits)
        assert again.support.tolist() == episode.support.tolist()
        assert again.y_support.tolist() == episode.y_support.tolist()
        assert Edits.read(str(episode.edits)) == (episode.edits if episode.edits else None)
    back = episode.edited(
        relabel={row: labels[row] for row in held},
        add=set(drawn.support) - set(episode.support),
    ).edited(remove=set(episode.support) - set(drawn.support))
    assert back is drawn


def test_a_fixed_query_set_gains_what_is_removed_and_loses_nothing_else():
    data_set = dataset("aaabbbab", support_pool=np.arange(6), query_pool=np.array([6, 7]))
    drawn = data_set.draw(2, 0)
    left_out = sorted(set(range(6)) - set(drawn.support))
    edited = drawn.edited(remove=[drawn.support[0]], add=left_out)
    assert edited.query.tolist() == [drawn.support[0], 6, 7]
    assert edited.warnings == tuple(data_set._of_query(edited.support, edited.query))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"remove": [99]}, "Row 99 is no shot of this support set: name one of its rows."),
        ({"add": [99]}, "Row 99 cannot be added: the rows of toy are 0 to 7."),
        ({"add": [0]}, "Row 0 is a shot already: add another one."),
        (
            {"relabel": {0: "x"}},
            "Row 0 cannot be given the label 'x': choose one of the classes of toy.",
        ),
        ({"remove": [0]}, "Class 'a' would lose its last shot: add one to it first."),
        ({"relabel": {0: "b"}}, "Class 'a' would lose its last shot: add one to it first."),
    ],
)
def test_impossible_edits_say_why(change, words):
    labels = "abbbbbbb"
    own = {(1, 0): np.array([0, 1])}
    episode = dataset(labels, own_draws=own, query_pool=np.arange(2, 8)).draw(1, 0)
    with pytest.raises(DatasetError) as error:
        episode.edited(**change)
    assert str(error.value) == words


@pytest.mark.parametrize(
    "text", ["", "x", "r", "r1.", "a3r4", "l4", "r1-2", "r-1", "l1-2.3", "r1 "]
)
def test_what_is_no_edit_is_read_as_none(text):
    assert Edits.read(text) is None


def test_a_class_that_is_not_there_is_refused():
    drawn = dataset("aaabbb").draw(1, 0)
    row = int(drawn.support[0])
    with pytest.raises(DatasetError, match="class 7 does not exist"):
        drawn.with_edits(Edits(relabelled=((row, 7),)))


def test_edits_in_words():
    edits = Edits(removed=(1, 2), added=(3,), relabelled=((4, 0),))
    assert edits_text(edits) == "Edited support set: 2 removed, 1 added and 1 relabelled."
    assert support_set_text(3, edits) == "3, edited"
    assert as_drawn_text(edits) == "Support sets as drawn, without your edits."
    assert as_drawn_text(Edits()) == ""
    assert support_set_text(3, Edits()) == "3"
