"""The influence of each shot, against classifiers fitted one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin

from slp_core import (
    ConstraintSLPClassifier,
    DeepSLPClassifier,
    NearestCentroidClassifier,
    OneNearestNeighbourClassifier,
    SLPError,
    shot_influence,
)
from slp_core.errors import Cancelled
from slp_core.explain.shots import LAST_SHOT, NOT_JUDGED, read_shots, shots_table
from slp_core.explain.text import (
    check_labels_text,
    correcting_shot_text,
    correcting_shots_text,
    shot_text,
    shots_text,
)


class Bare(ClassifierMixin, BaseEstimator):
    """The class of the nearest shot, without probabilities."""

    def fit(self, X, y):
        self.X_, self.y_, self.classes_ = X, y, np.unique(y)
        return self

    def predict(self, X):
        return self.y_[[np.abs(self.X_ - x).sum(axis=1).argmin() for x in X]]


METHODS = {
    "nearest": NearestCentroidClassifier,
    "one": OneNearestNeighbourClassifier,
    "constraint": ConstraintSLPClassifier,
    "along": lambda: ConstraintSLPClassifier(distance="along_line", n_lines=1),
    "deep": lambda: DeepSLPClassifier(epochs=3),
    "bare": Bare,
}


@st.composite
def episodes(draw):
    """A method, and support and query sets with unequal shots, duplicates and ties."""
    k = draw(st.integers(1, 3))
    sizes = draw(st.lists(st.integers(1, 3), min_size=k, max_size=k))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    y = rng.permutation(np.repeat(list("dabc")[:k], sizes))
    m, d = draw(st.integers(1, 9)), draw(st.integers(1, 3))
    X, Q = rng.normal(size=(len(y), d)), rng.normal(size=(m, d))
    if draw(st.booleans()):  # on a grid, where much coincides
        X, Q = X.round(), Q.round()
    return draw(st.sampled_from(sorted(METHODS))), X, y, Q, rng.choice(y, m)


def scores(method, X, y, Q, truth):
    """(predictions, log-likelihoods) of a fresh classifier."""
    model = METHODS[method]().fit(X, y)
    if method == "bare":
        return model.predict(Q).tolist(), [np.nan] * len(Q)
    p = model.predict_proba(Q)
    own = [p[i, model.classes_.tolist().index(label)] for i, label in enumerate(truth)]
    predicted = [model.classes_[row.argmax()] for row in p]
    return predicted, [float(np.log(max(each, 2**-52))) for each in own]


def compared(truth, whole, without):
    """Accuracy with and without, the likelihood that is added, and predictions that change."""
    (p, a), (q, b) = whole, without
    right = np.mean([x == t for x, t in zip(p, truth, strict=True)])
    right_without = np.mean([x == t for x, t in zip(q, truth, strict=True)])
    return right, right_without, np.mean(a) - np.mean(b), sum(map(str.__ne__, p, q))


def naive(method, X, y, Q, truth):
    rows = list(range(len(y)))
    for shot in rows:
        left = [row for row in rows if row != shot]
        if set(y[left]) != set(y):
            yield LAST_SHOT
            continue
        if Q is not None:
            whole = scores(method, X, y, Q, truth)
            yield compared(truth, whole, scores(method, X[left], y[left], Q, truth))
            continue
        pairs, labels = [], []
        for other in left:
            least = [row for row in left if row != other]
            others = [row for row in rows if row != other]
            if set(y[least]) == set(y):
                alone = X[[other]], y[[other]]
                pairs.append([scores(method, X[some], y[some], *alone) for some in (others, least)])
                labels.append(y[other])
        if not labels:
            yield NOT_JUDGED
            continue
        sides = [[(a[0], b[0]) for a, b in side] for side in zip(*pairs, strict=True)]
        yield compared(labels, *(tuple(zip(*side, strict=True)) for side in sides))


def check(case, within):
    method, X, y, Q, truth = case
    query = (None, None) if within else (Q, truth)
    table = shot_influence(METHODS[method](), X, y, *query)
    assert table["shot"].tolist() == list(range(len(y)))
    assert table["label"].tolist() == y.tolist()
    numbers = ["accuracy", "accuracy_without", "log_likelihood"]
    for (_, row), expected in zip(table.iterrows(), naive(method, X, y, *query), strict=True):
        if isinstance(expected, str):
            assert row["reason"] == expected
            assert row[[*numbers, "influence"]].isna().all()
            assert row["changed"] == 0
            continue
        right, right_without, likelihood, changed = expected
        assert (row["reason"], row["changed"]) == ("", changed)
        np.testing.assert_allclose(
            row[numbers].astype(float), [right, right_without, likelihood], atol=1e-9
        )
        assert row["influence"] == row["accuracy"] - row["accuracy_without"]


@settings(max_examples=settings.default.max_examples // 5)  # 20; if thorough, 1,000
@given(episodes(), st.booleans())
def test_influence_is_that_of_a_naive_loop(case, within):
    check(case, within)


def test_a_shot_that_misleads_comes_first_and_its_predictions_are_named():
    X, y = np.array([[0.0], [1], [8], [5], [6]]), np.array(list("aaabb"))
    Q, truth = np.array([[1.0], [3.9], [6]]), np.array(list("abb"))
    found = read_shots(NearestCentroidClassifier(), X, y, Q, truth)
    assert found.order[0] == 2
    assert found.influence.round(2).tolist() == [0, 0, -0.33, 0, 0]
    assert found.changed[2].tolist() == [False, True, False]
    assert shots_text(found) == (
        "Shots that lower accuracy: 1 of 5; that raise it: 0. Removing one changes at most 1 "
        "prediction."
    )
    assert shot_text(found, 2) == "Without it: accuracy 66.7% → 100.0%, 1 prediction changed."
    within = read_shots(NearestCentroidClassifier(), X, y)
    assert shot_text(within, 2).startswith("Without it: accuracy on the other shots 100.0% → ")
    assert correcting_shots_text(found, 0) == ""
    assert correcting_shots_text(found, 1) == (
        "Shots whose removal alone would correct this prediction: 1."
    )
    assert found.correcting(1).tolist() == [2]
    assert "".join(c for c in correcting_shot_text(found, 2, "so *it*") if c.isprintable()) == (
        "Without “so \\*it\\*”, labelled ●“a”"
    )
    table = shots_table(found, np.arange(10, 15))
    assert table["row"].tolist()[0] == 12
    assert sorted(table["row"]) == list(range(10, 15))
    assert table["influence"].tolist() == found.influence[table["row"] - 10].tolist()
    alone = read_shots(NearestCentroidClassifier(), X[1:4], y[1:4], X[[0, 0]], np.array(["b", "a"]))
    assert shot_text(alone, 2) == "No influence: the last shot of its class."
    assert shots_table(alone, np.arange(3))["row"].tolist()[-1] == 2
    one_each = read_shots(NearestCentroidClassifier(), X[2:4], y[2:4], Q, truth)
    assert shots_text(one_each) == "No shot can be left out: each is the last of its class."
    never = read_shots(NearestCentroidClassifier(), X, y, X[:1], np.array(["b"]))
    assert correcting_shots_text(never, 0).endswith("this prediction: 0.")
    assert never.correcting(0).tolist() == []
    assert check_labels_text(0) == ""
    assert check_labels_text(1200) == (
        "Labels to check, which the other examples contradict: 1,200."
    )


def test_a_long_computation_says_how_far_it_is_and_stops_when_nobody_waits():
    X, y = np.arange(4.0)[:, None], np.array(list("aabb"))
    said = []
    read_shots(NearestCentroidClassifier(), X, y, X, y, progress=said.append)
    assert [(each.done, each.total) for each in said] == [(i, 4) for i in range(4)]
    with pytest.raises(Cancelled):
        read_shots(NearestCentroidClassifier(), X, y, X, y, cancelled=lambda: True)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (([[0.0]], None), "The query set needs both its points and its labels"),
        (([[0.0]], ["a", "b"]), "There are 1 points and 2 labels"),
        (([[0.0]], ["x"]), "Label 'x' of the query set is not among those of the support set."),
    ],
)
def test_what_cannot_be_judged_is_refused(query, words):
    with pytest.raises(SLPError, match=words):
        shot_influence(NearestCentroidClassifier(), [[0.0], [1.0]], ["a", "b"], *query)
    with pytest.raises(SLPError, match="There are 1 shots and 2 labels"):
        shot_influence(NearestCentroidClassifier(), [[0.0]], ["a", "b"])
