"""One reading of one point, for methods with lines and without."""

import numpy as np
import pytest
from explain_problems import clouds

from slp_core import (
    ConstraintSLPClassifier,
    DeepSLPClassifier,
    LogisticRegressionClassifier,
    NearestCentroidClassifier,
    OneNearestNeighbourClassifier,
)
from slp_core.explain import read_point

WITHOUT_LINES = (
    NearestCentroidClassifier(),
    OneNearestNeighbourClassifier(),
    LogisticRegressionClassifier(),
)
MODELS = (
    ConstraintSLPClassifier(),
    ConstraintSLPClassifier(distance="along_line"),
    DeepSLPClassifier(),
    *WITHOUT_LINES,
)


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
        if reading.line is not None:
            np.testing.assert_allclose(reading.parts.sum(axis=0), model.influence(Q[[i]])[0])
            assert reading.line_classes == model.lines_[reading.line].classes
    assert (reading.line is None) == (model in WITHOUT_LINES)


@pytest.mark.parametrize("model", WITHOUT_LINES, ids=lambda m: type(m).__name__)
def test_without_lines_there_are_probabilities_and_centroids_alone(model):
    X, y, Q, truth, centroids = clouds()
    model.fit(X, y)
    reading = read_point(model, Q[0], centroids, int(truth[0]))
    np.testing.assert_array_equal(reading.probability, model.predict_proba(Q[:1])[0])
    assert reading.nearest[0] == reading.centroid_distance.argmin()
    assert np.isnan([reading.w, reading.t, reading.r, reading.length, reading.along]).all()
    assert reading.line_classes == reading.bands.classes == ()
