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
    assert text.startswith("constraintSLP answers “middle” for all 300 points of line 1.")
    assert f"w lies between {low:.2f} and {high:.2f}, where “middle” wins" in text
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
    crossed = np.isin(found.cause, ("concentration", "off_line"))
    if "would need w" in text or "at no w" in text:
        profile = line_profile(model, said.line, X)
        for name in re.findall(r"\*(\d)\* would need", text):
            assert int(name) not in found.predicted[profile.rows]
        for name in re.findall(r"where \*(\d)\* wins", text):
            assert set(found.predicted[profile.rows]) == {int(name)}
    elif 2 * crossed.sum() > errors and not found.local:
        # Nothing is unheard on the line that most of them are on.
        profile = line_profile(model, int(np.bincount(found.line[crossed]).argmax()), X)
        assert set(profile.line.classes) <= set(found.predicted[profile.rows])


def test_it_tells_of_the_embedding_where_most_errors_come_from_it():
    rng = np.random.default_rng(3)
    centre = np.outer(np.arange(13), [1.0, 0.2])
    y, true = np.repeat(np.arange(13), 8), rng.integers(13, size=900)
    X = centre[y] + rng.normal(size=(len(y), 2))
    query = centre[true] + 3 * rng.normal(size=(900, 2))
    model = ConstraintSLPClassifier(n_lines=1).fit(X, y)
    found = read_causes(model, query, true)
    assert 0 < found.counts["concentration"] + found.counts["off_line"] < found.counts["embedding"]
    text = headline(model, query, true, "M", found).sentence()
    assert text.startswith(f"{found.counts['embedding']:,} of M's {found.wrong.sum():,} errors")
    assert "centroid is nearer" in text


def test_it_is_short_for_many_classes_of_which_some_go_unheard():
    rng = np.random.default_rng(0)
    centre = 3 * rng.normal(size=(13, 64))
    y, true = np.repeat(np.arange(13), 8), rng.integers(13, size=2_000)
    X, query = centre[y] + rng.normal(size=(104, 64)), centre[true] + rng.normal(size=(2_000, 64))
    model = ConstraintSLPClassifier(n_lines=1).fit(X, y)
    said = headline(model, query, true, "M")
    told = np.array(re.findall(r" for ([\d,]+)", said.sentence()))
    assert sum(int(n.replace(",", "")) for n in told) == 2_000
    assert len(re.findall(r"\*\d+\*", said.sentence())) <= 8


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
