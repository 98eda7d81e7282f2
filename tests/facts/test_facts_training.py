"""A picture of a run that leaves points out says so."""

import checks_training  # noqa: F401 - registers the check
import numpy as np
from facts_book import check_facts

from slp_core import DeepSLPClassifier, fit_projection
from slp_core.figures.player import Stage, drawn_facts, player_data
from slp_core.methods.training import train
from slp_core.views.epochs import epoch_picture


def test_a_picture_that_leaves_points_out_says_so():
    rng = np.random.default_rng(0)
    for m in (0, 600, 601, 1_999):
        y = np.arange(20 + m) % 3
        X = rng.normal(size=(20 + m, 4)) + 2 * np.eye(4)[y]
        run = train(DeepSLPClassifier(epochs=1), X[:20], y[:20], X[20:], y[20:])
        projection = fit_projection(X)
        centroids = projection.transform(run.model.centroids_)
        stage = Stage(("a", "b", "c"), run.model.lines_, X[20:, :2], y[20:], centroids, {})
        picture = epoch_picture(1, run.model, projection, X[:20])
        assert bool(drawn_facts(stage)) == (m > 600)
        data = player_data(stage, run.curves, [picture])
        check_facts(drawn_facts(stage), None, data=data)
