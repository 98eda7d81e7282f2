"""Sentences about predictions, causes, an example and its line: results in, exact text out."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from slp_core import ConstraintSLPClassifier, NearestCentroidClassifier
from slp_core.explain import Predictions, read_causes, read_point
from slp_core.explain.bands import Bands, weight
from slp_core.explain.causes import Headline
from slp_core.explain.counterfactuals import Counterfactual, counterfactuals
from slp_core.explain.profile import line_profile
from slp_core.explain.text import (
    bands_text,
    cause_text,
    causes_text,
    counterfactual_text,
    filtered_text,
    half_plane_text,
    half_plane_title,
    headline_text,
    line_text,
    line_title,
    place_text,
    point_text,
    predictions_text,
    rescued_text,
    surroundings_text,
    without_lines_text,
)
from slp_core.lines import Line
from slp_core.markdown import unmarked, without_terms

X = np.array([[-10.0, 0], [5, 0], [15, 0]])
MODEL = ConstraintSLPClassifier().fit(X, ["A", "B", "C"])
QUERY = np.array([[-6.0, 9.5], [-11.0, 0], [5, 1], [6, 0], [14, 0]])
TRUE = np.array([0, 0, 1, 2, 2])
CAUSES = read_causes(MODEL, QUERY, TRUE)
READING = read_point(MODEL, QUERY[0], MODEL.centroids_, 0)


def plain(text):
    """Without marks, and with plain spaces and quotes."""
    text = unmarked(without_terms(text))
    return "".join(c for c in text if c not in "\u2066\u2068\u2069\u2060").replace("\xa0", " ")


def predictions(true, predicted, nearest, is_nearest=False):
    true, predicted, nearest = (np.array(each, dtype=int) for each in (true, predicted, nearest))
    tied, probability = np.zeros(len(true), bool), np.eye(3)[predicted]
    return Predictions("M", tuple("abc"), true, predicted, nearest, tied, probability, is_nearest)


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (predictions([], [], []), "The query set is empty."),
        (
            predictions([0, 1, 2], [1, 1, 1], [0, 1, 2]),
            "M never predicts ● “a” or ◆ “c”: accuracy 33%, nearest centroid 100%.",
        ),
        (
            predictions([0, 1, 2], [1, 1, 0], [0, 1, 1]),
            "M never predicts ◆ “c”: accuracy 33%, nearest centroid 67%.",
        ),
        (
            predictions([0, 1, 2], [0, 2, 1], [0, 1, 2]),
            "M: accuracy 33%, nearest centroid 100%.",
        ),
        (predictions([0, 1, 2], [0, 1, 2], [0, 1, 2], True), "M: accuracy 100%."),
    ],
)
def test_predictions(found, text):
    assert plain(predictions_text(found)) == text


NOTHING = Headline("M", tuple("abcdef"), 60, 0)


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (replace(NOTHING, n_query=0), "The query set is empty."),
        (NOTHING, "M makes no errors on 60 query examples."),
        (
            replace(NOTHING, n_errors=5, cause="concentration", n_cause=3, line=1),
            "M misclassifies 5 of 60; in 3 of them projection onto the line would correct the "
            "prediction.",
        ),
        (
            replace(NOTHING, n_errors=5, cause="rule", n_cause=5),
            "M misclassifies 5 of 60; in all of them the true class's centroid is the nearest.",
        ),
        (
            replace(NOTHING, n_errors=5, cause="embedding", n_cause=4),
            "M misclassifies 5 of 60; in 4 of them another class's centroid is nearer.",
        ),
        (
            replace(NOTHING, n_errors=1, cause="line", n_cause=1),
            "M misclassifies 1 of 60: the assigned line lacks the true class.",
        ),
        (
            replace(NOTHING, n_errors=5, cause="line", n_cause=3, line=1, never_predicted=(2,)),
            "On line 2, M never predicts ◆ “c”: no example lies in its decision interval.",
        ),
        (
            replace(NOTHING, n_errors=5, line=0, never_predicted=(0, 1, 2, 3, 4, 5)),
            "On line 1, M never predicts ● “a”, ■ “b”, ◆ “c”, ▲ “d” or 2 more: no example lies "
            "in their decision intervals.",
        ),
    ],
)
def test_headline(found, text):
    assert plain(headline_text(found)) == text


def test_causes():
    assert plain(causes_text(CAUSES)) == (
        "Errors: 2 of 5 (wrong nearest centroid 1, class not on this line 0, concentration 1, "
        "line-model error 0)."
    )
    assert plain(rescued_text(CAUSES)) == (
        "Rescued: 0 correct although another class's centroid is nearer."
    )
    assert causes_text(read_causes(MODEL, QUERY[:0], TRUE[:0])) == "The query set is empty."
    assert (
        plain(cause_text(CAUSES, 0))
        == "Cause: concentration – projection onto the line would correct the prediction."
    )
    assert cause_text(CAUSES, 1) == ""
    rescued = replace(CAUSES, examples=CAUSES.examples.assign(nearest=[0, 1, 1, 2, 2]))
    assert plain(cause_text(rescued, 1)) == (
        "Rescued: correct although the centroid of ■ “B” is nearer."
    )


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({}, "Errors: 2."),
        ({"cause": "embedding"}, "Errors: 1 of 2 (cause wrong nearest centroid)."),
        ({"true": 0, "line": 0}, "Errors: 1 of 2 (true label ● “A”, line 1)."),
        ({"margin": 0.99}, "Errors: 0 of 2 (margin at least 0.99)."),
    ],
)
def test_filter(values, text):
    assert plain(filtered_text(CAUSES, **values)) == text


def test_one_example():
    assert plain(point_text(READING)) == (
        "Predicted ■ “B”; true label ● “A”. Nearest centroid: ● “A”. Line 1: weight 69% for "
        "prototype A (● “A”), 31% for B (◆ “C”)."
    )
    assert plain(surroundings_text(READING)) == (
        "Distance to centroids: ● “A” 10.3, ■ “B” 14.5 and ◆ “C” 23.0."
    )
    assert plain(place_text(READING)) == "Line 1: w = 0.691, t = 4.00 of 25.0, r = 9.50."
    without = read_point(NearestCentroidClassifier().fit(X, list("ABC")), X[1], X)
    assert plain(point_text(without)) == "Predicted ■ “B”. Nearest centroid: ■ “B”."
    assert place_text(without) == ""
    lines = (*READING.lines, SimpleNamespace(classes=(1,)))
    two = replace(READING, line=1, lines=lines, nearness=np.array([1.123, 1.0]), true=0)
    assert plain(point_text(two)).endswith("Line 2 carries only ■ “B”. ● “A” is not on this line.")
    assert surroundings_text(two).endswith(" Next nearest line: 1 (0.12 further away).")


@pytest.mark.parametrize(
    ("item", "text"),
    [
        (
            Counterfactual("w", 0, (0.7, 1.0)),
            "w between 0.70 and 1.00 (0.0090 away): ● “A”",
        ),
        (Counterfactual("w", 0, (0.391, 0.393)), "w between 0.391 and 0.393 (0.30 away): ● “A”"),
        (Counterfactual("never", None), "No w predicts ● “A”"),
        (Counterfactual("same", None), "No w changes the prediction"),
        (Counterfactual("lines", 2, lines=(1,)), "On line 2: ◆ “C”"),
        (Counterfactual("lines", 2, lines=(1, 3)), "On lines 2 and 4: ◆ “C”"),
        (Counterfactual("projected", 0), "Projected onto the line (w = 0.84): ● “A”"),
        (Counterfactual("method", 1, method="DeepSLP"), "DeepSLP: ■ “B”"),
        (Counterfactual("nearest", 0), "Nearest centroid: ● “A”"),
    ],
)
def test_counterfactuals(item, text):
    assert plain(counterfactual_text(item, READING)) == text


def test_the_papers_counter_example_in_words():
    found = counterfactuals(MODEL, READING)
    assert [plain(counterfactual_text(item, READING)) for item in found] == [
        "w between 0.70 and 1.00 (0.0090 away): ● “A”",
        "Projected onto the line (w = 0.84): ● “A”",
        "Nearest centroid: ● “A”",
        "w between 0.00 and 0.20 (0.49 away): ◆ “C”",
    ]


def test_one_line():
    assert plain(line_text(line_profile(MODEL, 0, CAUSES.examples))) == (
        "Line 1: 5 query examples, w from 0.04 to 0.96. Predicted there, from A to B: ● “A”, ■ “B” "
        "and ◆ “C”."
    )
    assert line_text(line_profile(MODEL, 0, CAUSES.examples[:0])) == "Line 1: 0 query examples."
    bands = Bands((2, 1), (0.0, 0.25, 1.0))
    assert plain(bands_text(bands, "abc")) == (
        "Decision intervals of w, from A to B: ■ “b” 1.00–0.25, ◆ “c” 0.25–0.00."
    )
    bands = Bands((2, 0, 1), (0.0, 0.2511, 0.2513, 1.0))
    assert plain(bands_text(bands, "abc")).endswith(
        "■ “b” 1.00–0.25, ● “a” 0.2513–0.2511, ◆ “c” 0.25–0.00."
    )
    line = Line((1, 0), np.array([0.0, 1.0]), np.zeros(2), 1.0)
    assert plain(line_title("abcd", line, 1)) == "Line 2: ■ “b” – ● “a”"
    line = Line((1, 0, 2, 3), np.arange(4.0), np.zeros(4), 3.0)
    assert plain(line_title("abcd", line, 0)) == "Line 1: ■ “b” – 2 more – ▲ “d”"


def test_half_planes_and_a_method_without_lines():
    assert half_plane_title(False, True) == "Distances: full (as fitted)"
    assert half_plane_title(True, False) == "Distances: projected onto the line (what if)"
    assert half_plane_text(line_profile(MODEL, 0, CAUSES.examples)) == "Line 1: 3 of 5 correct."
    assert without_lines_text("M", "DeepSLP") == (
        "M has no line with several classes. Shown: DeepSLP."
    )


@pytest.mark.parametrize(
    ("w", "text"),
    [
        (0.0, "0.00"),
        (1.0, "1.00"),
        (0.5, "0.50"),
        (0.996, "0.996"),
        (2e-4, "0.0002"),
        (2e-5, "0.00"),
        (1 - 6e-13, "1.00"),
    ],
)
def test_a_weight_reads_so(w, text):
    assert weight(w) == text
