"""The nearest rows of an example, one cosine at a time."""

import numpy as np
import pytest

from slp_core.diagnostics.neighbours import (
    Neighbours,
    NeighboursTwice,
    nearest_rows,
    nearest_rows_twice,
)


def test_nearest_rows_have_the_largest_cosines():
    rng = np.random.default_rng(0)
    X, rows = rng.normal(size=(40, 6)), np.arange(3, 40, 2)
    found = nearest_rows(X[5], X, rows, 7, leave_out=5)
    cosines = {
        row: X[row] @ X[5] / np.linalg.norm(X[row]) / np.linalg.norm(X[5])
        for row in rows
        if row != 5
    }
    best = sorted(cosines, key=lambda row: -cosines[row])[:7]
    assert found.rows.tolist() == best
    np.testing.assert_allclose(found.cosine, [cosines[row] for row in best])
    assert nearest_rows(X[5], X, rows, 1).rows.tolist() == [5]
    assert len(nearest_rows(X[5], X, np.array([5]), 5, leave_out=5).rows) == 0
    assert nearest_rows(np.zeros(6), X, rows, 1).cosine.tolist() == [0]


@pytest.mark.parametrize(
    ("first", "second", "true_class", "said"),
    [
        ([1, 2, 3], [2, 4, 5], "p", "It is “p”: 2 of the 3 nearest are “p” under a, 1 of the 3 "
         "nearest is “p” under b; one stands in both lists."),
        ([1, 2, 3], [4, 5, 6], None, "2 of the 3 nearest are “p” under a, 3 of the 3 nearest are "
         "“q” under b; none stands in both lists."),
        ([4, 5, 6], [5, 4, 6], "p", "It is “p”: none of the 3 nearest are “p” under a, none of "
         "the 3 nearest are “p” under b; 3 stand in both lists."),
        ([1], [4], None, "The nearest is “p” under a, the nearest is “q” under b; none stands in "
         "both lists."),
        ([], [], None, "There is no other row to stand next to."),
    ],
)  # fmt: skip
def test_sentences(first, second, true_class, said):
    classes = dict(zip(range(1, 7), "ppqqqq", strict=True))
    lists = [np.array(rows, int) for rows in (first, second)]
    twice = NeighboursTwice(
        ("a", "b"),
        tuple(Neighbours(rows, np.ones(len(rows))) for rows in lists),
        tuple(tuple(classes[row] for row in rows.tolist()) for rows in lists),
        true_class,
    )
    assert twice.sentence() == said


def test_a_row_is_no_neighbour_of_itself_under_either_encoder():
    rng = np.random.default_rng(0)
    spaces = rng.normal(size=(20, 6)), rng.normal(size=(20, 3))
    labels = np.array(["p", "q"])[np.arange(20) % 2]
    parts, among = (np.arange(5), np.arange(8, 20)), [*range(5), *range(8, 20)]
    twice = nearest_rows_twice(("a", "b"), [X[9] for X in spaces], spaces, labels, parts, 4, row=9)
    for X, near, classes in zip(spaces, twice.nearest, twice.classes, strict=True):
        expected = nearest_rows(X[9], X, np.array(among), 4, leave_out=9)
        assert near.rows.tolist() == expected.rows.tolist()
        assert classes == tuple("pq"[row % 2] for row in near.rows)
    assert twice.true_class == "q"
    typed = nearest_rows_twice(("a", "b"), [X[9] for X in spaces], spaces, labels, parts, 1)
    assert [near.rows.tolist() for near in typed.nearest] == [[9], [9]]
    assert typed.true_class is None
