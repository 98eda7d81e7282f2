import numpy as np
import pytest
from explain_problems import clouds
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, confusion_matrix

from slp_core import (
    ConstraintSLPClassifier,
    DeepSLPClassifier,
    NearestCentroidClassifier,
    OneNearestNeighbourClassifier,
)
from slp_core.explain import Predictions, predict_query_set

MODELS = [
    ConstraintSLPClassifier(),
    ConstraintSLPClassifier(distance="along_line"),
    DeepSLPClassifier(),
    NearestCentroidClassifier(),
    OneNearestNeighbourClassifier(),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_predictions_agree_with_the_classifier_and_with_scikit_learn(model):
    X, y, Q, truth, centroids = clouds()
    model.fit(X, y)
    predictions = predict_query_set(model, "it", Q, truth, centroids)
    predicted = model.predict(Q)
    assert (model.classes_[predictions.predicted] == predicted).all()
    assert predictions.accuracy == accuracy_score(model.classes_[truth], predicted)
    assert (predictions.confusion == confusion_matrix(model.classes_[truth], predicted)).all()
    nearest = NearestCentroidClassifier().fit(X, y).predict(Q)
    assert (model.classes_[predictions.nearest] == nearest).all()
    chosen = predictions.default_point()
    if (predictions.wrong & (predictions.nearest == truth)).any():
        assert predictions.wrong[chosen]
        assert predictions.nearest[chosen] == truth[chosen]


@given(st.integers(0, 10_000), st.integers(0, 12), st.sampled_from([2, 100]))
def test_errors_follow_one_another_from_the_surest_and_round_again(seed, m, steps):
    rng = np.random.default_rng(seed)
    probability = rng.integers(1, 1 + steps, size=(m, 3))
    probability = probability / probability.sum(axis=1, keepdims=True)
    true, predicted = rng.integers(3, size=m), probability.argmax(axis=1)
    tied = np.zeros(m, bool)
    predictions = Predictions("M", ("a", "b", "c"), true, predicted, true, tied, probability)
    own = probability[np.arange(m), true]
    margin = [own[i] - np.delete(probability[i], true[i]).max() for i in range(m)]
    order = sorted((i for i in range(m) if predicted[i] != true[i]), key=lambda i: (margin[i], i))
    for index in [None, *range(m)]:
        after = order.index(index) + 1 if index in order else 0
        assert predictions.error_after(index) == (order[after % len(order)] if order else None)
