"""Models fitted on a table with named columns are explained as those fitted on an array are."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from slp_core import (
    ConstraintSLPClassifier,
    DeepSLPClassifier,
    SLPError,
    ensemble_diagnostics,
    explain_errors,
)
from slp_core.explain import counterfactuals, predict_query_set, read_point
from slp_core.explain.causes import headline, read_causes
from slp_core.explain.places import read_places
from slp_core.explain.profile import labels_at
from slp_core.explain.soft_labels import (
    read_soft_labels,
    soft_label_array,
    soft_labels_at,
    soft_labels_at_prototypes,
)
from slp_core.explain.text import headline_text

rng = np.random.default_rng(0)
Y = np.repeat([0, 1, 2], 8)
TABLE = pd.DataFrame(2 * np.eye(3)[Y] + rng.normal(size=(24, 3)), columns=list("abc"))


def explanations(model, X):
    point = np.asarray(X)[3]
    yield read_point(model, point, model.centroids_).probability
    reading = read_point(model, point, model.centroids_)
    yield [item.predicted for item in counterfactuals(model, reading, model)]
    yield labels_at(model, 0, point)
    yield np.array([*soft_labels_at(read_soft_labels(model, "it", X), model, point).values()])
    yield soft_labels_at_prototypes(model)
    yield soft_label_array(read_soft_labels(model, "it", X))
    yield read_places(model, X)["along"]
    yield predict_query_set(model, "it", X, Y, model.centroids_).probability
    yield headline_text(headline(model, "it", read_causes(model, X, Y)))


@pytest.mark.parametrize("method", [ConstraintSLPClassifier, DeepSLPClassifier])
def test_what_knows_names_is_explained_alike_and_without_a_warning(method):
    of_table, of_array = (method().fit(X, Y) for X in (TABLE, TABLE.to_numpy()))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for found, expected in zip(
            explanations(of_table, TABLE), explanations(of_array, TABLE.to_numpy()), strict=True
        ):
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("look", "words"),
    [
        (explain_errors, "keeps no class centroids"),
        (ensemble_diagnostics, "has no prototypes"),
    ],
)
def test_what_cannot_be_explained_is_called_by_its_own_name(look, words):
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(TABLE, Y)
    with pytest.raises(SLPError, match=f"Pipeline {words}"):
        look(model, TABLE, Y)


@pytest.mark.parametrize(
    "read",
    [
        lambda model: read_point(model, TABLE.to_numpy()[0], np.eye(3)),
        lambda model: read_causes(model, TABLE.to_numpy(), Y),
        lambda model: read_soft_labels(model, "DeepSLP", TABLE.to_numpy()),
        lambda model: read_places(model, TABLE.to_numpy()),
    ],
)
def test_a_method_that_is_not_fitted_is_told(read):
    with pytest.raises(NotFittedError):
        read(DeepSLPClassifier())
