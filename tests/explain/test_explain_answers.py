import numpy as np
import pytest
from explain_problems import clouds
from sklearn.metrics import accuracy_score, confusion_matrix

from slp_core import (
    ConstraintSLPClassifier,
    DeepSLPClassifier,
    NearestCentroidClassifier,
    OneNearestNeighbourClassifier,
)
from slp_core.explain import Answers, read_answers

MODELS = [
    ConstraintSLPClassifier(),
    ConstraintSLPClassifier(distance="along_line"),
    DeepSLPClassifier(),
    NearestCentroidClassifier(),
    OneNearestNeighbourClassifier(),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_answers_agree_with_the_classifier_and_with_scikit_learn(model):
    X, y, Q, truth, centroids = clouds()
    model.fit(X, y)
    answers = read_answers(model, "it", Q, truth, centroids)
    predicted = model.predict(Q)
    assert (model.classes_[answers.predicted] == predicted).all()
    assert answers.accuracy == accuracy_score(model.classes_[truth], predicted)
    assert (answers.confusion == confusion_matrix(model.classes_[truth], predicted)).all()
    nearest = NearestCentroidClassifier().fit(X, y).predict(Q)
    assert (model.classes_[answers.nearest] == nearest).all()
    chosen = answers.most_telling()
    if (answers.wrong & (answers.nearest == truth)).any():
        assert answers.wrong[chosen]
        assert answers.nearest[chosen] == truth[chosen]


def answers_of(true, predicted, nearest, k=3):
    true, predicted, nearest = map(np.array, (true, predicted, nearest))
    return Answers("M", tuple("abc"[:k]), true, predicted, nearest, np.eye(k)[predicted])


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        (
            answers_of([0, 1, 2], [1, 1, 1], [0, 1, 2]),
            "“b” for all 3 query points",
        ),
        (
            answers_of([0, 1, 2], [1, 1, 0], [0, 1, 2]),
            "never answers 1 of the 3 classes (◆",
        ),
        (
            answers_of([0, 1, 2], [0, 2, 1], [0, 1, 2]),
            "right for 33% of 3 query points, the nearest centroid for 100%",
        ),
        (
            answers_of([0, 1, 2], [0, 1, 2], [0, 1, 2]),
            "answers as the nearest centroid does: 100% of 3 right",
        ),
        (answers_of([], np.array([], int), []), "no query point"),
    ],
)
def test_the_first_sentence_says_what_happened(answers, words):
    assert words in answers.sentence()
