"""A loaded model is evaluated on the data here, or refused in a sentence."""

import numpy as np
import pytest

import slp_core as slp
from slp_core.evaluation.draws import arrays_of
from slp_core.evaluation.saved_model import evaluate_saved_model


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
    correct = model.predict(X[others]) == np.array(dataset.classes)[dataset.y[others]]
    assert loaded.left_out == len(episode.query) - len(others) > 0
    assert (loaded.accuracy, loaded.n_query) == (pytest.approx(correct.mean()), len(others))
    assert (loaded.n_classes, loaded.n_lines, loaded.kind) == (
        3,
        len(model.lines_),
        "ConstraintSLPClassifier",
    )
    assert loaded.origin == ("A, B and C", 0)


def test_what_it_was_fitted_on_is_known_of_edited_support_sets():
    dataset = slp.load_dataset("toy_abc")
    X, drawn = slp.load_encoder("raw").encode(dataset), dataset.draw(8, 0)
    edited = drawn.edited(remove=drawn.support[:1], add=drawn.query[:3])
    about = {"draw": 0, "shots": 8, "digest": dataset.digest, "edits": str(edited.edits)}
    for edits, left_out in ((about["edits"], 3), ("r99999", None), (7, None)):
        told = about | {"edits": edits}
        assert evaluate_saved_model(fitted(dataset, X, 0), told, drawn, X).left_out == left_out


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
    with pytest.raises(slp.SLPError, match=r"needs vectors of 2 .* gives 3: .*\(minilm-l4\)"):
        evaluate_saved_model(
            model, {"encoder": "minilm-l4"}, episode, np.column_stack([X, X[:, 0]])
        )
    model.classes_ = np.array(["x", "y", "z"])
    with pytest.raises(slp.SLPError, match=r"classes \(x, y, z …\) are not those of"):
        evaluate_saved_model(model, {}, episode, X)


def test_it_is_evaluated_on_what_it_was_not_fitted_on():
    dataset = slp.load_dataset("toy_abc")
    X, names = slp.load_encoder("raw").encode(dataset), np.array(dataset.classes)
    for seed in range(30):
        rng = np.random.default_rng(seed)
        shots, (fit_draw, draw) = int(rng.choice([1, 8, 16])), rng.integers(0, 3, 2).tolist()
        support = dataset.draw(shots, fit_draw).support
        model = slp.ConstraintSLPClassifier().fit(X[support], names[dataset.y[support]])
        episode = dataset.draw(int(rng.choice([1, 8])), draw)
        about = {"dataset": "A *b*", "digest": dataset.digest, "shots": shots, "draw": fit_draw}
        fitted_on, origin = set(support.tolist()), ("A *b*", fit_draw)
        if rng.random() < 0.3:
            about["digest"], fitted_on = "of another dataset", set()
        if rng.random() < 0.3:
            gone = str(rng.choice(["shots", "digest", "draw"]))
            del about[gone]
            fitted_on, origin = None, None if gone == "draw" else origin
        loaded = evaluate_saved_model(model, about, episode, X)
        rows = [int(row) for row in episode.query if int(row) not in (fitted_on or ())]
        left_out = None if fitted_on is None else len(episode.query) - len(rows)
        assert (loaded.origin, loaded.n_query) == (origin, len(rows))
        assert loaded.left_out == left_out
        predicted = [str(model.classes_[p.argmax()]) for p in model.predict_proba(X[rows])]
        hits = [p == names[dataset.y[r]] for p, r in zip(predicted, rows, strict=True)]
        assert loaded.accuracy == pytest.approx(sum(hits) / len(hits))
