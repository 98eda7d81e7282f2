"""The record of an epoch equals its classifier's predictions and soft labels."""

import numpy as np

from slp_core import DeepSLPClassifier, decision_landscape, fit_projection
from slp_core.figures.player import ASPECT, GRID, INVERSE, epoch_picture
from slp_core.methods.training import train


def test_a_picture_is_what_the_classifier_of_that_epoch_predicts():
    rng = np.random.default_rng(0)
    y = np.arange(80) % 4
    X = rng.normal(size=(80, 9)) + 2 * np.eye(9)[y]
    arrays, projection = (X[:24], y[:24], X[24:], y[24:]), fit_projection(X)

    def look(epoch, model):
        return model, epoch_picture(epoch, model, projection, X[:24])

    run = train(DeepSLPClassifier(epochs=12), *arrays, look=look)
    for number in (0, 5, 11):
        model, picture = run.frames[number]
        assert picture.epoch == number + 1
        exact = decision_landscape(model, projection, GRID, INVERSE, aspect=ASPECT)
        np.testing.assert_array_equal(picture.labels, exact.labels)
        asked = model.place(X[:24]).line
        for line in range(len(model.lines_)):
            for side in (0, 1):
                mean = model.soft_labels(X[:24])[asked == line, side].mean(axis=0)
                np.testing.assert_allclose(picture.soft_labels[2 * line + side], mean)


def test_more_classes_than_a_byte_counts_keep_their_numbers():
    X, y = np.random.default_rng(0).uniform(size=(300, 2)), np.arange(300)
    run = train(DeepSLPClassifier(epochs=1, n_lines=40), X, y, X[:0], y[:0])
    projection = fit_projection(X)
    picture = epoch_picture(1, run.model, projection, X)
    exact = decision_landscape(run.model, projection, GRID, aspect=ASPECT)
    assert exact.labels.max() > 255
    np.testing.assert_array_equal(picture.labels, exact.labels)


def test_a_line_that_no_support_point_asks_carries_nothing():
    rng = np.random.default_rng(1)
    y = np.arange(40) % 4
    X = rng.normal(size=(40, 2)) + np.array([[0, 0], [0, 8], [40, 0], [40, 8]])[y]  # two lines
    run = train(DeepSLPClassifier(epochs=2), X, y, X[:0], y[:0])
    model = run.model
    assert len(model.lines_) > 1
    asked = model.place(X).line
    picture = epoch_picture(2, model, fit_projection(X), X[asked == 0])
    np.testing.assert_allclose(picture.soft_labels[:2].sum(axis=1), 1)
    assert not picture.soft_labels[2:].any()
