"""What every fitted estimator provides to the rest of the library."""

import numpy as np
import pytest
from scipy.special import softmax

from slp_core.data import Examples
from slp_core.encoders.trainable import LowerStates
from slp_core.lines import Line, LineFit
from slp_core.methods import protocols
from slp_core.methods.baselines import (
    LogisticRegressionClassifier,
    NearestCentroidClassifier,
    OneNearestNeighbourClassifier,
)
from slp_core.methods.constraint_slp import ConstraintSLPClassifier
from slp_core.methods.deep_slp import DeepSLPClassifier
from slp_core.methods.edited_prototypes import EditedPrototypes, EditedSLPClassifier
from slp_core.methods.fine_tuned import FineTunedClassifier, LoRAClassifier
from slp_core.methods.leopard import LeopardClassifier
from slp_core.methods.meta_slp import MetaSLPClassifier
from slp_core.methods.proto_net import ProtoNetClassifier
from slp_core.methods.protocols import (
    Classifier,
    ConstantSoftLabels,
    HasLines,
    HasMembers,
    HasProbabilities,
    has_local_soft_labels,
    parameters_of,
    predicts_from_lines,
)
from slp_core.methods.setfit import SetFitClassifier
from slp_core.methods.table import METHODS

EVERY = {
    protocol
    for protocol in vars(protocols).values()
    if getattr(protocol, "__module__", "") == protocols.__name__ and isinstance(protocol, type)
}
ALWAYS = {HasProbabilities, Classifier}
ONE_BY_ONE = ("centroids_", "line_fit_", "coef_", "linear_scores", "decision_function")
ALL_LINES = {HasLines, "centroids_", "decision_function"}
TUNED = {"decision_function", "lower_states"}
OFFERS = {
    ConstraintSLPClassifier: ALL_LINES | {ConstantSoftLabels, HasMembers, "line_fit_"},
    EditedSLPClassifier: ALL_LINES | {ConstantSoftLabels, HasMembers},
    DeepSLPClassifier: ALL_LINES | {HasMembers, "line_fit_", "coef_"},
    NearestCentroidClassifier: ALL_LINES | {ConstantSoftLabels, "linear_scores"},
    OneNearestNeighbourClassifier: {"decision_function"},
    LogisticRegressionClassifier: {"coef_", "decision_function"},
    MetaSLPClassifier: TUNED,
    FineTunedClassifier: TUNED,
    LoRAClassifier: TUNED,
    ProtoNetClassifier: TUNED | {"centroids_"},
    LeopardClassifier: TUNED,
    SetFitClassifier: {"decision_function"},
}
QUICK = {"encoder": "minilm-l4", "max_tokens": 16}
TEXTS = {
    MetaSLPClassifier: QUICK | {"n_trainable": 1, "steps": 1},
    FineTunedClassifier: QUICK | {"n_trainable": 1, "epochs": 1},
    LoRAClassifier: QUICK | {"n_trainable": 1, "epochs": 1},
    ProtoNetClassifier: QUICK | {"n_trainable": 1, "steps": 1},
    SetFitClassifier: QUICK | {"max_steps": 1},
    LeopardClassifier: QUICK | {"encoder": "leopard-minilm-l4", "steps": 1},
}
N, K, D, M = 12, 4, 6, 5


def vectors():
    y = np.arange(N) % K
    return np.random.default_rng(0).normal(size=(N, D)) + 4 * np.eye(D)[y], y


def texts():
    words = ("awful", "fine", "fair", "odd")
    return Examples("text", texts=tuple(f"thing {i} was {words[i % K]}" for i in range(N)))


@pytest.fixture(scope="module", params=OFFERS, ids=lambda kind: kind.__name__)
def fitted(request):
    """An estimator fitted on 12 rows of 4 classes, and 5 rows to ask about."""
    kind, (X, y) = request.param, vectors()
    if kind in TEXTS:
        rows = texts()
        return kind(**TEXTS[kind]).fit(rows, y), rows.take(np.arange(M))
    if kind is EditedSLPClassifier:
        solved = ConstraintSLPClassifier().fit(X, y)
        return EditedPrototypes.of(solved, solved.soft_labels_).classifier(), X[:M]
    return kind().fit(X, y), X[:M]


def test_the_table_has_every_estimator_of_the_package():
    named = {method.estimator.split(":")[1] for method in METHODS.values()}
    assert named | {"EditedSLPClassifier"} == {kind.__name__ for kind in OFFERS}


def test_an_estimator_offers_what_it_should_and_nothing_else(fitted):
    model, _ = fitted
    offers = {protocol for protocol in EVERY if isinstance(model, protocol)}
    offers |= {name for name in (*ONE_BY_ONE, "lower_states") if hasattr(model, name)}
    assert offers == ALWAYS | OFFERS[type(model)]
    assert parameters_of(model) is not None


def test_all_give_probabilities_whose_greatest_is_the_prediction(fitted):
    model, X = fitted
    probability = model.predict_proba(X)
    assert model.classes_.shape == (K,)
    assert probability.shape == (M, K)
    np.testing.assert_allclose(probability.sum(axis=1), 1, rtol=1e-6)
    assert (model.predict(X) == model.classes_[probability.argmax(axis=1)]).all()
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(model.predict_log_proba(X), np.log(probability), atol=1e-12)


def test_influence_is_what_the_contract_of_lines_says(fitted):
    model, X = fitted
    if not isinstance(model, HasLines):
        assert not predicts_from_lines(model)
        return
    at, labels = model.place(X), model.prototype_scores(X)
    away = np.stack([at.d_left, at.d_right], axis=1) / model.distance_unit
    assert labels.shape == (M, 2, K)
    influence = model.influence(X)
    assert influence.shape == (M, K)
    if predicts_from_lines(model):
        np.testing.assert_allclose((labels / away[..., None]).sum(axis=1), influence, rtol=1e-9)
    else:  # both prototypes of a one-class line stand on the one centroid
        assert (labels.sum(axis=1).argmax(axis=1) == influence.argmax(axis=1)).all()
    again = model.prototype_scores(X, at.line)
    np.testing.assert_array_equal(again, labels)
    assert (model.place(X, at.line).w == at.w).all()


def test_shapes_are_those_of_the_protocols(fitted):
    model, X = fitted
    if hasattr(model, "centroids_"):
        assert isinstance(model.centroids_, np.ndarray)
        assert model.centroids_.shape[0] == K
    if isinstance(model, HasLines):
        lines = len(model.lines_)
        assert all(isinstance(line, Line) for line in model.lines_)
        assert model.prototypes_.shape == (lines, 2, model.n_features_in_)
        assert model.assignment in ("segment", "prototype")
        assert model.distance in ("euclidean", "along_line")
        assert model.distance_unit > 0
        own = [next(i for i, n in enumerate(model.lines_) if c in n.classes) for c in range(K)]
        assert model.carries(np.array(own), np.arange(K)).all()
    if isinstance(model, ConstantSoftLabels):
        assert model.soft_labels_.shape == (lines, 2, K)
        np.testing.assert_allclose(model.soft_labels_.sum(axis=2), 1)
        assert (model.prototype_scores(X) == model.soft_labels_[model.place(X).line]).all()
    if has_local_soft_labels(model):
        assert model.soft_labels(X).shape == model.logits(X).shape == (M, 2, K)
        np.testing.assert_allclose(model.soft_labels(X).sum(axis=2), 1)
        np.testing.assert_array_equal(model.logits(X), model.prototype_scores(X))
    if isinstance(model, HasMembers):
        combined = mixed(model, X) if model.combination == "mixture" else pooled(model, X)
        np.testing.assert_allclose(model.predict_proba(X), combined, atol=1e-9)
    if hasattr(model, "line_fit_"):
        assert isinstance(model.line_fit_, LineFit)
    if hasattr(model, "coef_"):
        assert model.coef_.shape == (*model.intercept_.shape, D)
    if hasattr(model, "linear_scores"):
        assert (model.linear_scores(X).argmax(axis=1) == model.predict_proba(X).argmax(1)).all()
    if hasattr(model, "decision_function"):
        scores = model.decision_function(X)
        assert scores.shape == (M, K)
        assert (scores.argmax(axis=1) == model.predict_proba(X).argmax(axis=1)).all()
    if hasattr(model, "lower_states"):
        assert isinstance(model.lower_states(X), LowerStates)


def mixed(model, X):
    """w of the left soft label and the rest of the right one."""
    w, labels = model.place(X).w[:, None], model.prototype_scores(X)
    return w * labels[:, 0] + (1 - w) * labels[:, 1]


def pooled(model, X):
    """The product of either softmax, cooled to their common temperature, to the power of w."""
    at, logits = model.place(X), model.prototype_scores(X)
    cold = model.distance_unit * (1 / at.d_left + 1 / at.d_right)
    left, right = (softmax(cold[:, None] * logits[:, side], axis=1) for side in (0, 1))
    product = left ** at.w[:, None] * right ** (1 - at.w[:, None])
    return product / product.sum(axis=1, keepdims=True)


def test_an_estimator_that_is_not_fitted_has_no_lines():
    for kind in (ConstraintSLPClassifier, DeepSLPClassifier, NearestCentroidClassifier):
        assert not isinstance(kind(), HasLines)


def test_only_heads_in_units_of_the_data_measure_distances_in_another_unit():
    X, y = vectors()
    assert ConstraintSLPClassifier().fit(X, y).distance_unit == 1.0
    assert DeepSLPClassifier(preset="paper", epochs=1).fit(X, y).distance_unit == 1.0
    ours = DeepSLPClassifier(epochs=1).fit(X, y)
    assert ours.distance_unit == ours.spread_ != 1.0


@pytest.mark.parametrize(
    "model", [ConstraintSLPClassifier(), DeepSLPClassifier(), NearestCentroidClassifier()], ids=repr
)
def test_of_two_classes_the_scores_are_log_odds(model):
    X, y = vectors()
    two = y < 2
    model.fit(X[two], y[two])
    probability, scores = model.predict_proba(X), model.decision_function(X)
    np.testing.assert_allclose(scores, np.log(probability[:, 1] / probability[:, 0]), atol=1e-9)
