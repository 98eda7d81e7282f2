"""Tables with named columns: names are compared when a method is used, and then dropped."""

import warnings
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB

import slp_core as slp
from slp_core.explain.places import read_places
from slp_core.methods.tables import true_indices

METHODS = (slp.ConstraintSLPClassifier, slp.DeepSLPClassifier, slp.LogisticRegressionClassifier)


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 8)
    return pd.DataFrame(3 * np.eye(3)[y] + rng.normal(size=(24, 3)), columns=list("abc")), y


@pytest.mark.parametrize("method", METHODS)
def test_columns_in_another_order_are_refused(table, method):
    X, y = table
    model = method().fit(X, y)
    assert model.feature_names_in_.tolist() == list("abc")
    with pytest.raises(ValueError, match="feature names"):
        model.predict(X[list("bca")])


def views(model, X, y):
    yield slp.explain_errors(model, X, y).to_numpy(dtype=object)
    yield slp.ensemble_diagnostics(model, X, y).nll
    yield read_places(model, X)["w"]
    projection = slp.fit_projection(X, "decision_plane", model)
    yield projection.points
    landscape = slp.decision_landscape(model, projection, grid=9)
    yield landscape.confidence
    yield landscape.fidelity_report.predicted


def test_what_looks_at_a_method_takes_its_table_like_an_array_without_a_warning(table):
    X, y = table
    of_table, of_array = (slp.DeepSLPClassifier().fit(data, y) for data in (X, X.to_numpy()))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for found, expected in zip(
            views(of_table, X, y), views(of_array, X.to_numpy(), y), strict=True
        ):
            np.testing.assert_array_equal(found, expected)
    assert of_table.feature_names_in_.tolist() == list("abc")


@pytest.mark.parametrize(
    "look",
    [
        slp.explain_errors,
        slp.ensemble_diagnostics,
        lambda model, X, y: read_places(model, X),
        lambda model, X, y: slp.fit_projection(X, "pca", model),
    ],
)
def test_and_refuses_columns_in_another_order(table, look):
    X, y = table
    with pytest.raises(ValueError, match="feature names"):
        look(slp.ConstraintSLPClassifier().fit(X, y), X[list("cba")], y)


@pytest.mark.parametrize("look", [slp.explain_errors, slp.ensemble_diagnostics])
def test_labels_are_one_a_point_and_of_the_methods_own(table, look):
    X, y = table
    model = slp.ConstraintSLPClassifier().fit(X, y)
    with pytest.raises(slp.SLPError, match="24 points and 5 labels"):
        look(model, X, y[:5])
    with pytest.raises(slp.SLPError, match="'7'"):
        look(model, X, np.where(y == 1, 7, y))
    for unfitted in (slp.ConstraintSLPClassifier(), GridSearchCV(GaussianNB(), {})):
        with pytest.raises(NotFittedError):
            look(unfitted, X, y)


def test_of_a_method_no_more_than_its_classes_is_asked_for_in_whatever_order():
    model = SimpleNamespace(classes_=["b", "c", "a"])
    assert true_indices(model, np.eye(4), list("abca")).tolist() == [2, 0, 1, 2]
