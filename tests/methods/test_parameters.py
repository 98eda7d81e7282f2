import numpy as np
import pytest

import slp_core as slp
from slp_core.methods.protocols import parameters_of


@pytest.fixture(scope="module")
def support():
    """5 classes × 3 points in 4 dimensions, two classes far from the other three."""
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(5), 3)
    centroids = 5 * rng.normal(size=(5, 4)) + 30 * (np.arange(5) > 1)[:, None]
    return centroids[y] + rng.normal(size=(15, 4)), y


def test_parameters_are_those_of_the_models_arrays(support):
    X, y = support
    K, d = 5, 4

    deep = slp.DeepSLPClassifier(epochs=1).fit(X, y)
    L = len(deep.lines_)
    assert parameters_of(deep).trainable == deep.coef_.size + deep.intercept_.size
    assert parameters_of(deep).trainable == 2 * L * (d * K + K)
    assert parameters_of(deep).stored == 2 * L * (d * K + K) + 2 * L * d

    constraint = slp.ConstraintSLPClassifier().fit(X, y)
    assert parameters_of(constraint).trainable == constraint.soft_labels_.size == 2 * L * K
    assert parameters_of(constraint).stored == 2 * L * K + constraint.prototypes_.size

    centroid = parameters_of(slp.NearestCentroidClassifier().fit(X, y))
    assert (centroid.trainable, centroid.stored) == (0, K * d)
    nearest = parameters_of(slp.OneNearestNeighbourClassifier().fit(X, y))
    assert (nearest.trainable, nearest.stored) == (0, X.size)
    logistic = parameters_of(slp.LogisticRegressionClassifier().fit(X, y))
    assert (logistic.trainable, logistic.stored) == (K * d + K, K * d + K)


def test_heads_that_a_line_cannot_predict_are_not_counted(support):
    X, y = support
    model = slp.DeepSLPClassifier(epochs=1, train_on="line").fit(X, y)
    own = sum(len(line.classes) for line in model.lines_)
    assert own < 5 * len(model.lines_)
    assert parameters_of(model).trainable == 2 * own * (4 + 1)


def test_two_classes_share_one_hyperplane(support):
    X, y = support
    model = slp.LogisticRegressionClassifier().fit(X[y < 2], y[y < 2])
    assert parameters_of(model).trainable == 4 + 1
    assert parameters_of(model).description == "1 hyperplane: 1 × (4 weights + 1 bias)"


def test_what_a_classifier_does_not_say_is_unknown(support):
    from sklearn.dummy import DummyClassifier

    assert parameters_of(DummyClassifier().fit(*support)) is None
