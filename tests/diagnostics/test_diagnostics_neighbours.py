"""The nearest rows of an example, one cosine at a time."""

import numpy as np
import pytest

from slp_core.diagnostics.neighbours import Neighbours, NeighboursTwice, nearest_rows


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
    ("first", "second", "own", "said"),
    [
        ([1, 2, 3], [2, 4, 5], "p", "It is *p*: 2 of the 3 nearest are *p* under a, 1 of the 3 "
         "nearest is *p* under b; one stands in both lists."),
        ([1, 2, 3], [4, 5, 6], None, "2 of the 3 nearest are *p* under a, 3 of the 3 nearest are "
         "*q* under b; none stands in both lists."),
        ([4, 5, 6], [5, 4, 6], "p", "It is *p*: none of the 3 nearest are *p* under a, none of "
         "the 3 nearest are *p* under b; 3 stand in both lists."),
        ([1], [4], None, "The nearest is *p* under a, the nearest is *q* under b; none stands in "
         "both lists."),
        ([], [], None, "There is no other row to stand next to."),
    ],
)  # fmt: skip
def test_sentences(first, second, own, said):
    classes = dict(zip(range(1, 7), "ppqqqq", strict=True))
    lists = [np.array(rows, int) for rows in (first, second)]
    twice = NeighboursTwice(
        ("a", "b"),
        tuple(Neighbours(rows, np.ones(len(rows))) for rows in lists),
        tuple(tuple(classes[row] for row in rows.tolist()) for rows in lists),
        own,
    )
    assert twice.sentence() == said
