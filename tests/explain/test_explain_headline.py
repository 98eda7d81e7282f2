"""The first sentence is right whatever the data."""

import numpy as np
import pytest
from explain_problems import problems
from hypothesis import given, settings

from slp_core import ConstraintSLPClassifier, NearestCentroidClassifier
from slp_core.explain import read_causes
from slp_core.explain.headline import headline
from slp_core.explain.profile import line_profile


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
    one, wins = said.facts()
    assert (one.kind, one["answer"], one["n"]) == ("headline.one_answer", "middle", 300)
    assert (wins["low"], wins["high"]) == (low, high)
    needs = {need["wins"]: need for need in wins["needs"].items}
    assert set(needs) == {"low", "high"}
    assert all(need["end"] <= low or high <= need["start"] for need in needs.values())


def test_a_range_that_overlaps_the_points_own_explains_nothing_by_itself():
    # Points of the second class from the left lie off the line, where others win; to the left of
    # its range of w are points of the first class, to the right those of the last.
    X = np.array([[0.0, 0.0], [2.0, 0.0], [4.0, 0.0], [7.0, 0.0], [10.0, 0.0]])
    model = ConstraintSLPClassifier(n_lines=1).fit(X, list("abcde"))
    query = np.array([[0.0, 0.1], [2.0, 4.0], [2.2, 4.0], [9.9, 0.0]])
    stated = headline(model, query, np.array([0, 1, 1, 4]), "M").facts()[-1]
    among = next(need for need in stated["needs"].items if need["wins"] == "b")
    assert among.kind == "headline.wins_among"
    w = model.place(query).w
    assert w.min() < among["start"] < among["end"] < w.max()
    assert not ((w > among["start"]) & (w < among["end"])).any()


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
    if said.line is not None:
        assert 0 <= said.line < len(model.lines_)
    crossed = np.isin(found.cause, ("concentration", "off_line"))
    never_predicted = any("needs" in each.values for each in said.facts())
    if not never_predicted and 2 * crossed.sum() > found.wrong.sum() and not found.local:
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
    main = headline(model, query, true, "M", found).facts()[0]
    assert (main["cause"], main["n"]) == ("embedding", found.counts["embedding"])
    assert main["errors"] == found.wrong.sum()


def test_it_is_short_for_many_classes_of_which_some_go_unheard():
    rng = np.random.default_rng(0)
    centre = 3 * rng.normal(size=(13, 64))
    y, true = np.repeat(np.arange(13), 8), rng.integers(13, size=2_000)
    X, query = centre[y] + rng.normal(size=(104, 64)), centre[true] + rng.normal(size=(2_000, 64))
    model = ConstraintSLPClassifier(n_lines=1).fit(X, y)
    said = headline(model, query, true, "M")
    answers, wins = said.facts()
    assert sum(each["n"] for each in answers["each"].items) == 2_000
    assert len(answers["each"].items) <= 5
    assert len(wins["needs"].items) <= 6


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
