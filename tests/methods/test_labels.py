"""Labels that name no class are refused in a sentence."""

import numpy as np
import pandas as pd
import pytest

from slp_core import (
    ConstraintSLPClassifier,
    LogisticRegressionClassifier,
    OneNearestNeighbourClassifier,
    SLPError,
)
from slp_core.methods.validation import classes_of_texts

NUMERIC = (ConstraintSLPClassifier, LogisticRegressionClassifier)


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (["a", None, "b"], "label of row 1 is missing"),
        (["a", "b", float("nan")], "label of row 2 is missing"),  # NumPy would spell it out
        (["a", pd.NA, "b"], "label of row 1 is missing"),
        (pd.Series(["a", None, "b"], index=[4, 5, 6]), "label of row 1 is"),
        (np.array(["2020", "NaT", "2021"], "M8[D]"), "label of row 1 is .*NaT"),
        (np.array([1, 2, "NaT"], "m8[s]"), "label of row 2 is .*NaT"),
        (np.array(["a", 1, "b"], dtype=object), "of several types"),
        (np.array([0.0, 1.0, np.nan]), "contains NaN"),
        ([0.5, 1.5, 2.5], "continuous"),
        (np.zeros((3, 2)), "1d array"),
    ],
)
def test_what_names_no_class_is_refused(labels, said):
    with pytest.raises(ValueError, match=said):
        classes_of_texts(labels, 3)
    for method in NUMERIC:
        with pytest.raises(ValueError, match=said):
            method().fit(np.eye(3), labels)


@pytest.mark.parametrize("labels", [["a", None, "b"], ["a", "b", float("nan")], [0.5, 1.5, 2.5]])
def test_the_nearest_neighbour_has_a_class(labels):
    with pytest.raises(ValueError, match=r"is missing|continuous"):
        OneNearestNeighbourClassifier().fit(np.eye(3), labels)


def test_there_is_a_label_for_each_text():
    for n, said in ((2, "2 texts and 3 labels"), (0, "no texts to learn from")):
        with pytest.raises(SLPError, match=said):
            classes_of_texts(["a", "b", "a"], n)


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        (["b", "a", "b"], ["a", "b"]),
        (pd.Series(["b", "a", "b"]), ["a", "b"]),
        ([2.0, 1.0, 2.0], [1, 2]),
        (np.array([True, False, True]), [False, True]),
        (np.array([2, 1, 2], "M8[ns]"), [1, 2]),
        (np.array(["b", "a", "b"], dtype=object), ["a", "b"]),
    ],
)
def test_classes_come_in_their_order(labels, classes):
    found, codes = classes_of_texts(labels, 3)
    assert (found.tolist(), codes.tolist()) == (classes, [1, 0, 1])


def test_a_column_of_labels_is_read_with_a_warning():
    with pytest.warns(UserWarning, match="column-vector"):
        classes, codes = classes_of_texts(np.array([[1], [0]]), 2)
    assert (classes.tolist(), codes.tolist()) == ([0, 1], [1, 0])
