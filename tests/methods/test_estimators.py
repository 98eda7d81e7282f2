"""What all classifiers promise, whatever they do inside."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist
from scipy.special import softmax
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.utils.estimator_checks import parametrize_with_checks

from slp_core import (
    ConstraintSLPClassifier,
    DeepSLPClassifier,
    LogisticRegressionClassifier,
    NearestCentroidClassifier,
    OneNearestNeighbourClassifier,
)
from slp_core.errors import SLPError
from slp_core.lines import LineFit
from slp_core.methods import deep_slp
from slp_core.methods.protocols import HasLines
from slp_core.methods.table import METHODS

SLP = [
    ConstraintSLPClassifier(),
    ConstraintSLPClassifier(distance="along_line", assignment="prototype"),
    DeepSLPClassifier(),
    DeepSLPClassifier(preset="paper", train_on="line"),
    NearestCentroidClassifier(),
]
BASELINES = [OneNearestNeighbourClassifier(), LogisticRegressionClassifier()]
NAMES = [
    "constraint",
    "constraint along line",
    "deep",
    "deep paper line",
    "nearest centroid",
    "1-NN",
    "logistic regression",
]


def expected_to_fail(estimator):
    """Weights and repetitions are compared to seven digits; DeepSLP has six, or batches."""
    if not isinstance(estimator, DeepSLPClassifier):
        return {}
    check = "check_sample_weight_equivalence_on_{}_data"
    return {check.format(kind): "compared below, in full" for kind in ("dense", "sparse")}


@parametrize_with_checks([*SLP, *BASELINES], expected_failed_checks=expected_to_fail)
def test_scikit_learn_compatible(estimator, check):
    check(estimator)


def support(kind):
    rng = np.random.default_rng(0)
    if kind == "duplicate centroids":
        return np.tile(rng.normal(size=(4, 3)), (5, 1)), np.repeat(list("abcde"), 4)
    if kind == "collinear":
        return np.arange(12.0)[:, None] * np.ones(3), np.repeat(list("abcdef"), 2)
    if kind == "one example a class":
        return rng.normal(size=(3, 4)), np.array(list("abc"))
    if kind == "d = 1":
        return rng.normal(size=(9, 1)), np.repeat([1, 2, 3], 3)
    if kind == "d = 4096":
        return rng.normal(size=(12, 4096)), np.repeat([1, 2, 3], 4)
    if kind == "all points equal":
        return np.ones((6, 2)), np.repeat(["a", "b", "c"], 2)
    k = int(kind.removeprefix("K = "))
    return rng.normal(size=(3 * k, 10)), np.repeat(np.arange(k), 3)


@pytest.mark.parametrize("model", [*SLP, *BASELINES], ids=NAMES)
@pytest.mark.parametrize(
    "kind",
    [
        *(f"K = {k}" for k in (2, 3, 13, 50)),
        "duplicate centroids",
        "collinear",
        "one example a class",
        "d = 1",
        "d = 4096",
        "all points equal",
    ],
)
def test_every_legal_support_set_has_an_outcome(model, kind):
    X, y = support(kind)
    model.fit(X, y)
    centroids = np.stack([X[y == c].mean(axis=0) for c in np.unique(y)])
    Q = np.concatenate([X, centroids, X + 100.0])  # points on prototypes, and far from all
    probability = model.predict_proba(Q)
    assert probability.shape == (len(Q), len(np.unique(y)))
    assert np.isfinite(probability).all()
    np.testing.assert_allclose(probability.sum(axis=1), 1)
    scores = model.influence(Q) if isinstance(model, HasLines) else probability
    assert (model.predict(Q) == model.classes_[scores.argmax(axis=1)]).all()
    assert not np.isnan(scores).any()


@pytest.mark.parametrize("model", [*SLP, *BASELINES], ids=NAMES)
def test_the_prediction_is_the_first_of_the_most_probable_classes(model):
    for seed in range(30):  # whole numbers: exact ties, and ties that rounding makes or breaks
        rng = np.random.default_rng(seed)
        X, y = rng.integers(-2, 3, (12, 2)).astype(float), np.arange(12) % 4
        grid = np.stack(np.meshgrid(*2 * [np.arange(-3, 3.5, 0.5)]), axis=-1).reshape(-1, 2)
        model.fit(X, y)
        first = [row.index(max(row)) for row in model.predict_proba(grid).tolist()]
        assert model.predict(grid).tolist() == first


@pytest.mark.parametrize("model", [*SLP, *BASELINES], ids=NAMES)
@pytest.mark.parametrize("k", [2, 13])
def test_scores_and_logarithms_agree_with_the_prediction_also_on_sparse_tables(model, k):
    X, y = support(f"K = {k}")
    Q = np.random.default_rng(1).normal(size=(40, 10)) * (np.arange(10) % 2)
    model.fit(csr_array(X), y)
    scores, predicted = model.decision_function(Q), model.predict(Q)
    assert scores.shape == ((len(Q), k) if k > 2 else (len(Q),))
    chosen = scores.argmax(axis=1) if k > 2 else (scores > 0).astype(int)
    np.testing.assert_array_equal(model.classes_[chosen], predicted)
    share = model.predict_proba(csr_array(Q))
    np.testing.assert_allclose(np.exp(model.predict_log_proba(Q)), share, atol=1e-12)
    np.testing.assert_allclose(model.fit(X, y).predict_proba(Q), share, atol=1e-12)


def test_a_sparse_table_that_would_fill_memory_is_refused():
    wide = csr_array((3, 100_000_000))
    with pytest.raises(SLPError, match=r"3 rows and 100,000,000 columns.*TruncatedSVD"):
        NearestCentroidClassifier().fit(wide, [0, 1, 2])


@pytest.mark.parametrize("scaling", ["per_example", "batch", "none"])
def test_a_weight_counts_as_that_many_rows_in_centroids_lines_and_loss(scaling, monkeypatch):
    monkeypatch.setattr(deep_slp, "_precision", lambda points: np.float64)
    X, y = support("K = 13")
    times = np.random.default_rng(2).integers(0, 4, len(y))
    times[y == 5] = 0  # a class without weight is not there
    rows = np.repeat(np.arange(len(y)), times)
    for model in (ConstraintSLPClassifier(), DeepSLPClassifier(loss_scaling=scaling)):
        weighted = clone(model).fit(X, y, sample_weight=times / 7)
        repeated = model.fit(X[rows], y[rows])
        np.testing.assert_array_equal(weighted.classes_, repeated.classes_)
        np.testing.assert_allclose(weighted.influence(X), repeated.influence(X), rtol=1e-7)
    np.testing.assert_allclose(weighted.history_["loss"], repeated.history_["loss"])


@pytest.mark.parametrize(
    ("weights", "why"), [([1.0, -1.0, 1.0], "negative"), ([1.0, 1.0], "the 3 rows")]
)
def test_weights_that_cannot_be_are_refused(weights, why):
    with pytest.raises(SLPError, match=f"sample_weight .*{why}"):
        NearestCentroidClassifier().fit([[0.0], [1.0], [2.0]], [0, 1, 2], weights)


def test_one_class_has_a_score_in_logistic_regression_too():
    model = LogisticRegressionClassifier().fit([[0.0], [1.0]], ["only"] * 2)
    assert model.decision_function([[5.0]]).tolist() == [[0.0]]


def raise_key_error(*_):
    raise KeyError("looked on")


@pytest.mark.parametrize("model", [*SLP, *BASELINES], ids=NAMES)
def test_a_fit_that_fails_leaves_the_model_as_it_was(model):
    model, (X, y) = clone(model), support("K = 13")
    narrow = X[:, :4], y + 0.5  # labels that are no classes, looked at after the columns
    with pytest.raises(ValueError, match="label type"):
        model.fit(*narrow)
    with pytest.raises(NotFittedError):
        model.predict(X)
    before = model.fit(X, y).predict_proba(X)
    with pytest.raises(ValueError, match="label type"):
        model.fit(*narrow)
    np.testing.assert_array_equal(model.predict_proba(X), before)


@pytest.mark.parametrize(
    ("model", "options", "error"),
    [
        (ConstraintSLPClassifier(), {"floor": 0.6}, SLPError),
        (DeepSLPClassifier(), {"learning_rate": 1e3}, SLPError),
        (DeepSLPClassifier(), {"callback": raise_key_error}, KeyError),
    ],
)
def test_so_does_one_that_fails_when_the_lines_are_found(model, options, error):
    X, y = support("K = 13")
    unfitted = clone(model).set_params(**options)
    with pytest.raises(error):
        unfitted.fit(X, y)
    with pytest.raises(NotFittedError):
        unfitted.predict(X)
    before = model.fit(X, y).predict_proba(X)
    with pytest.raises(error):
        model.set_params(**options).fit(X[:30, :4], y[:30])
    np.testing.assert_array_equal(model.predict_proba(X), before)


@settings(deadline=None, max_examples=30)
@given(st.integers(2, 6), st.integers(1, 5), st.integers(-140, 3), st.integers(0, 10_000))
def test_the_nearest_centroid_predicts_in_any_unit(k, d, power, seed):
    rng = np.random.default_rng(seed)
    scale, y = 10.0**power, np.arange(3 * k) % k
    X, Q = scale * rng.normal(size=(3 * k, d)), scale * rng.normal(size=(200, d))
    model = NearestCentroidClassifier().fit(X, y)
    share = model.predict_proba(Q)
    nearest = cdist(Q / scale, model.centroids_ / scale).argmin(axis=1)
    np.testing.assert_array_equal(model.predict(Q), nearest)
    np.testing.assert_array_equal(share.argmax(axis=1), nearest)
    np.testing.assert_allclose(share, softmax(-cdist(Q, model.centroids_), axis=1), rtol=1e-9)
    one_nn = OneNearestNeighbourClassifier().fit(X, y).predict(Q)
    np.testing.assert_array_equal(one_nn, y[cdist(Q / scale, X / scale).argmin(axis=1)])


@pytest.mark.parametrize("model", SLP, ids=NAMES[:5])
def test_one_class_is_predicted_with_certainty(model):
    model.fit(np.random.default_rng(0).normal(size=(4, 3)), ["only"] * 4)
    assert model.predict([[9, 9, 9.0]]).tolist() == ["only"]
    assert model.predict_proba([[9, 9, 9.0]]).tolist() == [[1.0]]
    assert model.prototypes_.shape == (1, 2, 3)


@pytest.mark.parametrize("model", SLP, ids=NAMES[:5])
@pytest.mark.parametrize(("scale", "are"), [(1e-160, "too small"), (1e160, "too large")])
def test_numbers_without_squares_are_refused(model, scale, are):
    X = np.random.default_rng(0).normal(size=(6, 3))
    with pytest.raises(SLPError, match=f"numbers are {are}"):
        model.fit(scale * X, [0, 0, 1, 1, 2, 2])


@pytest.mark.parametrize("model", SLP, ids=NAMES[:5])
@pytest.mark.parametrize("rows", [2, 20_000])
@pytest.mark.parametrize("size", [1e154, 1e308])
def test_queries_without_squares_are_refused_too(model, rows, size):
    X = 100 * np.random.default_rng(0).normal(size=(6, 3))  # products of them overflow as well
    model.fit(X, [0, 0, 1, 1, 2, 2])
    asked = np.zeros((rows, 3))
    asked[-1] = size, -size, 0.0
    asks = (model.predict, model.predict_proba, model.influence, model.place)
    for ask in asks if rows == 2 else asks[:1]:
        with pytest.raises(SLPError, match=r"numbers are too large.*model was fitted on"):
            ask(asked)
    assert np.isfinite(model.predict_proba(1e150 * X)).all()


@pytest.mark.parametrize("model", SLP, ids=NAMES[:5])
def test_shapes_and_the_two_prototypes_of_every_line(model):
    X, y = support("K = 13")
    model.fit(X, y)
    n_lines = len(model.lines_)
    assert model.centroids_.shape == (13, 10)
    np.testing.assert_allclose(model.centroids_[4], X[y == 4].mean(axis=0))
    assert model.prototypes_.shape == (n_lines, 2, 10)
    for line, (left, right) in zip(model.lines_, model.prototypes_, strict=True):
        assert (left == model.centroids_[line.left]).all()
        assert (right == model.centroids_[line.right]).all()


def test_a_point_on_two_segments_asks_the_first_of_them():
    rng = np.random.default_rng(0)
    model = ConstraintSLPClassifier().fit(rng.normal(size=(6, 1)), np.arange(6))
    pairs = LineFit.of_groups([[0, 1], [2, 3], [4, 5]], model.centroids_, 0.0)
    model._set_lines(pairs.lines)
    X, ends = rng.normal(size=(500, 1)), np.sort(model.prototypes_[:, :, 0], axis=1)
    inside = (ends[:, 0] <= X) & (ends[:, 1] >= X)
    several = inside.sum(axis=1) > 1
    assert several.any()
    first = inside.argmax(axis=1)
    np.testing.assert_array_equal(model.place(X).line[several], first[several])


def test_place_measures_what_it_says():
    X, y = support("K = 13")
    model = ConstraintSLPClassifier().fit(X, y)
    Q = np.random.default_rng(4).normal(size=(50, 10))
    at = model.place(Q)
    left, right = model.prototypes_[at.line, 0], model.prototypes_[at.line, 1]
    axis = (right - left) / np.linalg.norm(right - left, axis=1, keepdims=True)
    np.testing.assert_allclose(at.t, ((Q - left) * axis).sum(axis=1))
    np.testing.assert_allclose(at.r, np.linalg.norm(Q - left - at.t[:, None] * axis, axis=1))
    np.testing.assert_allclose(at.d_left, np.linalg.norm(Q - left, axis=1))
    np.testing.assert_allclose(at.d_right, np.linalg.norm(Q - right, axis=1))
    np.testing.assert_allclose(at.w, at.d_right / (at.d_left + at.d_right))
    assert (at.line == at.segment_distance.argmin(axis=1)).all()
    # In one dimension all points are on the axis, and none is off it by rounding.
    model.fit(X[:, :1], y)
    assert not model.place(100 * Q[:, :1]).r.any()


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (NearestCentroidClassifier(), NearestCentroid()),
        (OneNearestNeighbourClassifier(), KNeighborsClassifier(1)),
        (LogisticRegressionClassifier(C=0.5), LogisticRegression(C=0.5, max_iter=1000)),
    ],
)
def test_baselines_predict_as_scikit_learns_own(ours, theirs):
    X, y = support("K = 13")
    Q = np.random.default_rng(4).normal(size=(300, 10))
    assert (ours.fit(X, y).predict(Q) == theirs.fit(X, y).predict(Q)).all()


ESTIMATORS = sorted({method.estimator for method in METHODS.values()})


def fit(estimator, **options):
    """On three rows that any of them could be fitted on."""
    (method,) = [m for m in METHODS.values() if m.estimator == estimator and not m.variant_of]
    X = ["one", "two", "three"] if method.reads == "texts" else [[0.0], [1.0], [5.0]]
    return method.estimator_class(**options).fit(X, ["a", "b", "c"])


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_every_parameter_is_checked_at_fit(estimator):
    (method,) = [m for m in METHODS.values() if m.estimator == estimator and not m.variant_of]
    for name in method.estimator_class().get_params():
        with pytest.raises(SLPError, match=f"{name} of .* must be"):
            fit(estimator, **{name: object()})


@pytest.mark.parametrize(
    ("estimator", "options"),
    [
        ("deep_slp:DeepSLPClassifier", {"epochs": -1}),
        ("deep_slp:DeepSLPClassifier", {"epochs": 1.5}),
        ("deep_slp:DeepSLPClassifier", {"temperature": 0}),
        ("deep_slp:DeepSLPClassifier", {"temperature": np.float32(0)}),
        ("deep_slp:DeepSLPClassifier", {"temperature": float("nan")}),
        ("deep_slp:DeepSLPClassifier", {"learning_rate": "x"}),
        ("deep_slp:DeepSLPClassifier", {"learning_rate": float("inf")}),
        ("deep_slp:DeepSLPClassifier", {"init": "wrong"}),
        ("deep_slp:DeepSLPClassifier", {"warmup": 1.5}),
        ("constraint_slp:ConstraintSLPClassifier", {"n_lines": 0}),
        ("constraint_slp:ConstraintSLPClassifier", {"tolerance": -0.1}),
        ("constraint_slp:ConstraintSLPClassifier", {"margin": -1}),
        ("baselines:LogisticRegressionClassifier", {"C": 0}),
        ("meta_slp:MetaSLPClassifier", {"batch_size": 0}),
        ("meta_slp:MetaSLPClassifier", {"steps": -1}),
        ("proto_net:ProtoNetClassifier", {"temperature": 0}),
        ("proto_net:ProtoNetClassifier", {"max_tokens": 7}),
        ("fine_tuned:FineTunedClassifier", {"epochs": -1}),
        ("fine_tuned:LoRAClassifier", {"rank": 0}),
        ("setfit:SetFitClassifier", {"max_steps": 0}),
        ("setfit:SetFitClassifier", {"max_tokens": 7}),
        ("setfit:SetFitClassifier", {"random_state": 2**32}),
        ("fine_tuned:LoRAClassifier", {"random_state": 2**65}),
    ],
)
def test_a_value_that_cannot_be_is_refused_in_a_sentence(estimator, options):
    ((name, value),) = options.items()
    with pytest.raises(SLPError, match=name) as error:
        fit(estimator, **options)
    assert repr(value) in str(error.value)
    assert "\n" not in str(error.value)
