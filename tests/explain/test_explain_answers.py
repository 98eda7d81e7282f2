import numpy as np
import pytest
from sklearn.metrics import accuracy_score, confusion_matrix

from slp_core import (
    ConstraintSLPClassifier,
    DeepSLPClassifier,
    NearestCentroidClassifier,
    OneNearestNeighbourClassifier,
)
from slp_core.explain import Answers, read_answers, read_point

MODELS = [
    ConstraintSLPClassifier(),
    ConstraintSLPClassifier(distance="along_line"),
    DeepSLPClassifier(),
    NearestCentroidClassifier(),
    OneNearestNeighbourClassifier(),
]


def clouds(k=5, d=6):
    rng = np.random.default_rng(0)
    means = 2 * rng.normal(size=(k, d))
    y = np.repeat(np.arange(k), 8)
    truth = rng.integers(0, k, 200)
    names = np.array(list("abcdefgh"))[:k]
    support, query = (means[c] + rng.normal(size=(len(c), d)) for c in (y, truth))
    centroids = np.stack([support[y == c].mean(axis=0) for c in range(k)])
    return support, names[y], query, truth, centroids


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


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_the_parts_of_a_point_add_up_to_its_influence(model):
    X, y, Q, truth, centroids = clouds()
    model.fit(X, y)
    for i in range(20):
        reading = read_point(model, Q[i], centroids, int(truth[i]))
        assert model.classes_[reading.predicted] == model.predict(Q[[i]])[0]
        np.testing.assert_allclose(
            reading.centroid_distance, np.linalg.norm(centroids - Q[i], axis=1)
        )
        if reading.parts is not None:
            np.testing.assert_allclose(reading.parts.sum(axis=0), model.influence(Q[[i]])[0])
            assert reading.line_classes == model.lines_[reading.line].classes
        assert f"*{reading.classes[reading.predicted]}*" in reading.sentence()
    assert (reading.parts is None) == (
        isinstance(model, (NearestCentroidClassifier, OneNearestNeighbourClassifier))
    )


def answers_of(true, predicted, nearest, k=3):
    true, predicted, nearest = map(np.array, (true, predicted, nearest))
    return Answers("M", tuple("abc"[:k]), true, predicted, nearest, np.eye(k)[predicted])


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        (answers_of([0, 1, 2], [1, 1, 1], [0, 1, 2]), "answers *b* for all 3 query points"),
        (answers_of([0, 1, 2], [1, 1, 0], [0, 1, 2]), "never answers 1 of the 3 classes (*c*)"),
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


def test_a_wrong_point_on_the_wrong_line_is_told_so():
    X, y, Q, truth, centroids = clouds(k=8)
    model = ConstraintSLPClassifier().fit(X, y)
    readings = [read_point(model, q, centroids, int(c)) for q, c in zip(Q, truth, strict=True)]
    astray = [r for r in readings if r.true not in r.line_classes]
    assert astray
    assert all("is on another line" in r.sentence() for r in astray)
