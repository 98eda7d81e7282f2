"""A model that is brought back is judged on the data at hand, or refused in a sentence."""

import numpy as np
import pytest

import slp_core as slp
from slp_core.evaluation.draws import arrays_of
from slp_core.evaluation.saved_model import evaluate_saved_model
from slp_core.evaluation.wording import Count


def fitted(dataset, X, draw):
    data = arrays_of(dataset.draw(8, draw), X)
    return slp.ConstraintSLPClassifier().fit(data.X_support, data.y_support)


def test_it_is_judged_on_the_query_points_at_hand():
    dataset = slp.load_dataset("toy_abc")
    X = slp.load_encoder("raw").encode(dataset)
    episode, model = dataset.draw(8, 1), fitted(dataset, X, 0)
    support = dataset.draw(8, 0).support
    about = {"dataset": "A, B and C", "draw": 0, "shots": 8, "digest": dataset.digest}
    loaded = evaluate_saved_model(model, about, episode, X)
    others = episode.query[~np.isin(episode.query, support)]
    right = model.predict(X[others]) == np.array(dataset.classes)[dataset.y[others]]
    assert loaded.left_out == len(episode.query) - len(others) > 0
    assert (loaded.accuracy, loaded.n_query) == (pytest.approx(right.mean()), len(others))
    lines = Count(len(model.lines_), "line")
    assert loaded.sentence().startswith(
        f"**ConstraintSLPClassifier**, 3 classes, {lines} from “A, B and C”, draw 0: "
        f"{right.mean():.1%} of {len(others):,} query points here right."
    )


def test_a_truth_value_is_no_draw():
    dataset = slp.load_dataset("toy_abc")
    X = slp.load_encoder("raw").encode(dataset)
    about = {"dataset": "A, B and C", "draw": True}
    loaded = evaluate_saved_model(fitted(dataset, X, 0), about, dataset.draw(8, 0), X)
    assert loaded.origin is None


def test_other_vectors_and_other_classes_are_refused():
    dataset = slp.load_dataset("toy_abc")
    X = slp.load_encoder("raw").encode(dataset)
    episode, model = dataset.draw(8, 0), fitted(dataset, X, 0)
    with pytest.raises(slp.SLPError, match=r"reads vectors of 2 .* makes 3: .*\(minilm-l4\)"):
        evaluate_saved_model(
            model, {"encoder": "minilm-l4"}, episode, np.column_stack([X, X[:, 0]])
        )
    model.classes_ = np.array(["x", "y", "z"])
    with pytest.raises(slp.SLPError, match="answers x, y, z …, which are not the classes"):
        evaluate_saved_model(model, {}, episode, X)
