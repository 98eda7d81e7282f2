"""The main cause, and the classes that a line never predicts."""

import numpy as np
import pytest
from explain_problems import problem

from slp_core import ConstraintSLPClassifier, NearestCentroidClassifier
from slp_core.explain import read_causes
from slp_core.explain.causes import headline
from slp_core.explain.text import headline_text


def found_of(model, X, true):
    return headline(model, "M", read_causes(model, X, true))


def test_in_many_dimensions_the_ends_of_a_line_are_never_predicted():
    rng = np.random.default_rng(0)
    y = np.arange(300) % 3
    X = rng.normal(size=(300, 400)) + np.outer(y - 1.0, np.eye(400)[0]) * 6
    names = np.array(["low", "middle", "high"])[y]
    model = ConstraintSLPClassifier().fit(X[:48], names[:48])
    found = found_of(model, X, np.searchsorted(model.classes_, names))
    assert [model.classes_[c] for c in sorted(found.never_predicted)] == ["high", "low"]
    assert "never predicts" in headline_text(found)
    few = np.flatnonzero(y != 2)  # "high" has no query example, so nothing is said of it
    found = found_of(model, X[few], np.searchsorted(model.classes_, names[few]))
    assert [model.classes_[c] for c in found.never_predicted] == ["low"]


def test_the_embedding_is_named_where_most_errors_come_from_it():
    rng = np.random.default_rng(3)
    centre = np.outer(np.arange(13), [1.0, 0.2])
    y, true = np.repeat(np.arange(13), 8), rng.integers(13, size=900)
    X = centre[y] + rng.normal(size=(len(y), 2))
    query = centre[true] + 3 * rng.normal(size=(900, 2))
    model = ConstraintSLPClassifier(n_lines=1).fit(X, y)
    found = found_of(model, query, true)
    assert (found.cause, found.line, found.never_predicted) == ("embedding", 0, ())
    assert "another class's centroid is nearer" in headline_text(found)


@pytest.mark.parametrize(
    ("seed", "line", "never_predicted"),
    [
        (984, 0, ()),  # on line 2 only one class is predicted: 12 errors, and 18 of one cause
        (26, 0, (4,)),  # 15 errors, and 13 of one cause; line 1 has more errors
    ],
)
def test_what_explains_most_errors_is_told(seed, line, never_predicted):
    found = found_of(*problem(9, 5, seed, 2.0, ConstraintSLPClassifier()))
    assert (found.line, found.never_predicted) == (line, never_predicted)


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        (slice(0, 0), "The query set is empty."),
        (slice(0, 1), "M makes no errors on 1 query example."),
        (slice(0, 2), "M makes no errors on 2 query examples."),
        (slice(1, 3), "M misclassifies 1 of 2: another class's centroid is nearer."),
        (
            slice(2, 4),
            "M misclassifies 2 of 2; in all of them another class's centroid is as near or nearer.",
        ),
    ],
)
def test_few_examples_and_few_errors(rows, text):
    X = np.array([[0.0, 0], [9, 0], [8, 0], [4.5, 0]])
    true = np.array([0, 1, 0, 1])
    model = NearestCentroidClassifier().fit(X[:2], [0, 1])
    assert headline_text(found_of(model, X[rows], true[rows])) == text
