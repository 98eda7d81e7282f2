"""Accuracies over draws and seeds are those of the fits, one by one."""

import numpy as np
import pytest

import slp_core as slp
from slp_core.errors import Cancelled
from slp_core.evaluation.draws import accuracy_over_draws_and_seeds, arrays_of


def random_start(seed):
    return slp.DeepSLPClassifier(preset="paper", epochs=2, random_state=seed)


def test_every_draw_is_fitted_from_every_seed():
    dataset = slp.load_dataset("toy_abc")
    X = slp.load_encoder("raw").encode(dataset)
    spread = accuracy_over_draws_and_seeds(random_start, dataset, X, 4, (0, 2), (1, 3))
    assert spread.draws == (0, 2, 0, 2)
    expected = []
    for seed in (1, 3):
        for draw in (0, 2):
            data = arrays_of(dataset.draw(4, draw), X)
            model = random_start(seed).fit(data.X_support, data.y_support)
            expected.append(model.score(data.X_query, data.y_query))
    np.testing.assert_allclose(spread.accuracy, expected)


def test_it_can_be_cancelled_between_fits():
    dataset = slp.load_dataset("toy_abc")
    X = slp.load_encoder("raw").encode(dataset)
    with pytest.raises(Cancelled):
        accuracy_over_draws_and_seeds(random_start, dataset, X, 4, (0, 1), (0,), lambda: True)
