"""The first sentence is right whatever the data."""

import re

import numpy as np
import pytest
from explain_problems import problems
from hypothesis import given, settings

from slp_core import ConstraintSLPClassifier, NearestCentroidClassifier
from slp_core.explain import headline, line_profile, read_causes


def many_dimensions(seed=0):
    """Three classes on a line, and every point far from both its ends."""
    rng = np.random.default_rng(seed)
    y = np.arange(300) % 3
    X = rng.normal(size=(300, 400)) + np.outer(y - 1.0, np.eye(400)[0]) * 6
    return X, np.array(["low", "middle", "high"])[y]


def test_it_tells_of_concentration():
    X, names = many_dimensions()
    model = ConstraintSLPClassifier().fit(X[:48], names[:48])
    true = np.searchsorted(model.classes_, names)
    said = headline(model, X, true, "constraintSLP")
    profile = line_profile(model, said.line, X)
    low, high = profile.occupied
    text = said.sentence()
    assert text.startswith("constraintSLP answers *middle* for all 300 points of line 1.")
    assert f"w lies between {low:.2f} and {high:.2f}, where *middle* wins" in text
    for name, edge in re.findall(r"\*(low|high)\* would need w (?:above|below) (0\.\d\d)", text):
        assert name in ("low", "high")
        assert not low <= float(edge) <= high
    assert len(re.findall("would need", text)) == 2


@settings(max_examples=60, deadline=None)
@given(problems())
def test_it_is_well_formed_and_its_numbers_are_true(problem):
    model, X, true = problem
    found = read_causes(model, X, true)
    said = headline(model, X, true, "M", found)
    text = said.sentence()
    assert text.endswith(".")
    assert "  " not in text
    assert ".." not in text
    errors = int(found.wrong.sum())
    if (total := re.search(r"M's ([\d,]+) errors", text)) is not None:
        assert int(total[1]) == errors
    if said.line is not None:
        assert 0 <= said.line < len(model.lines_)
    for count, line in re.findall(r"all ([\d,]+) points of line (\d+)", text):
        assert int(count) == len(line_profile(model, int(line) - 1, X).rows)


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        (slice(0, 0), "There is no query point"),
        (slice(0, 1), "M answers the one query point rightly."),
        (slice(0, 2), "M answers all 2 query points rightly."),
        (slice(1, 3), "M's one error has one cause"),
    ],
)
def test_few_points_and_few_errors(rows, text):
    X = np.array([[0.0, 0], [9, 0], [8, 0]])
    true = np.array([0, 1, 0])
    model = NearestCentroidClassifier().fit(X[:2], [0, 1])
    assert headline(model, X[rows], true[rows], "M").sentence().startswith(text)
