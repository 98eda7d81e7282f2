"""Accuracies over draws and seeds are those of the fits, one by one."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler

import slp_core as slp
from slp_core.errors import Cancelled
from slp_core.evaluation.draws import (
    accuracy_over_draws,
    arrays_of,
)
from slp_core.evaluation.method_runs import MethodRuns, judged_rows, vector_runs
from slp_core.evaluation.protocol import Task
from slp_core.evaluation.results import read_results
from slp_core.evaluation.runner import evaluate


def random_start(seed):
    return slp.DeepSLPClassifier(preset="paper", epochs=2, random_state=seed)


def test_every_draw_is_fitted_from_every_seed():
    dataset = slp.load_dataset("toy_abc")
    X = slp.load_encoder("raw").encode(dataset)
    spread = accuracy_over_draws(random_start, dataset, X, 4, (0, 2), seeds=(1, 3))
    assert spread.index.tolist() == [0, 2, 0, 2]
    expected = []
    for seed in (1, 3):
        for draw in (0, 2):
            data = arrays_of(dataset.draw(4, draw), X)
            model = random_start(seed).fit(data.X_support, data.y_support)
            expected.append(model.score(data.X_query, data.y_query))
    np.testing.assert_allclose(spread, expected)


def test_draws_that_ask_about_some_ask_about_the_same_ones():
    dataset = slp.load_dataset("iris")
    episodes = [dataset.draw(8, draw) for draw in range(4)]
    for most in (5, 40):
        chosen = [set(judged_rows(episode, most).tolist()) for episode in episodes]
        assert [len(rows) for rows in chosen] == [most] * 4
        for (a, first), (b, second) in combinations(zip(episodes, chosen, strict=True), 2):
            # of the rows that both could ask about, one asks about all that the other does
            in_both = set(a.query.tolist()) & set(b.query.tolist())
            mine, others = first & in_both, second & in_both
            assert mine <= others or others <= mine


def test_it_can_be_cancelled_between_fits():
    dataset = slp.load_dataset("toy_abc")
    X = slp.load_encoder("raw").encode(dataset)
    with pytest.raises(Cancelled):
        accuracy_over_draws(random_start, dataset, X, 4, (0, 1), lambda: True, (0,))


def test_library_command_and_draws_agree_where_vectors_go_by_the_draw(tmp_path):
    """With query rows in the mean and deviation this is 73.8 %."""
    dataset, path = slp.load_dataset("iris"), tmp_path / "r.csv"
    expected = []
    for draw in dataset.available_draws(2):
        episode = dataset.draw(2, draw)
        scaler = StandardScaler().fit(dataset.examples.features[episode.support])
        X = scaler.transform(dataset.examples.features).astype(np.float32)
        model = slp.ConstraintSLPClassifier().fit(X[episode.support], episode.y_support)
        expected.append(model.score(X[episode.query], episode.y_query))
    assert np.mean(expected) == pytest.approx(0.688, abs=5e-4)
    X = slp.load_encoder("numeric").encode_for_draws(dataset)
    method, draws = slp.ConstraintSLPClassifier, range(10)
    runs = MethodRuns(2, dict(vector_runs(method, dataset, X, 2, draws)))
    evaluate([Task("iris", lambda: dataset)], ["constraint_slp"], path, shots=(2,))
    for found in (
        accuracy_over_draws(method, dataset, X, 2, draws),
        runs.accuracy,
        [np.mean(run.predicted == run.true) for run in runs.by_draw.values()],
        read_results(path).sort_values("draw")["accuracy"],
    ):
        np.testing.assert_allclose(found, expected)
