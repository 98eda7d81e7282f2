"""A counterfactual changes the prediction, and nothing smaller does."""

import numpy as np
import pytest
from explain_problems import problems
from hypothesis import assume, given, settings

from slp_core import (
    ConstraintSLPClassifier,
    DeepSLPClassifier,
)
from slp_core.explain import counterfactuals, read_point
from slp_core.explain.counterfactuals import distance_of_w
from slp_core.explain.places import read_places, weighed

quick = settings(max_examples=40, deadline=None)


def tried(model, x, true=None, **other):
    return counterfactuals(model, read_point(model, x, model.centroids_, true), **other)


@quick
@given(problems())
def test_parts_add_up_to_the_influence(problem):
    model, X, _ = problem
    for x in X[:5]:
        reading = read_point(model, x, model.centroids_)
        np.testing.assert_allclose(reading.influence, model.influence(x[None])[0], rtol=1e-9)
        assert reading.predicted == model.predict(x[None])[0]
        assert reading.centroid_distance.argmin() == reading.nearest[0]
        if reading.runner_up is not None:
            assert reading.runner_up != reading.line
            assert reading.lead >= 0


@quick
@given(problems())
def test_the_least_change_of_w_flips_and_a_smaller_one_does_not(problem):
    model, X, _ = problem
    for x in X[:6]:
        reading = read_point(model, x, model.centroids_)
        assume(len(reading.line_classes) > 1)
        found = tried(model, x)

        def wins(c, w, labels=reading.soft_labels):
            """Whether a class has the most at these w, or ties with what has, but for rounding."""
            scores = weighed(np.broadcast_to(labels, (np.size(w), *labels.shape)), np.atleast_1d(w))
            rounding = 1e-12 * max(1.0, np.abs(labels[np.isfinite(labels)]).max())
            return bool((scores[:, c] >= scores.max(axis=1) - rounding).all())

        first = next(item for item in found if item.kind in ("w", "same"))
        if first.predicted is None:
            assert wins(reading.predicted, np.linspace(0, 1, 501))
            continue
        low, high = first.interval
        reach = distance_of_w(reading.w, first.interval)
        turn, step = (low, 1.0) if low > reading.w else (high, -1.0)
        assert reach == pytest.approx(abs(turn - reading.w), abs=1e-9)
        assert first.predicted != reading.predicted
        assert wins(first.predicted, turn + 1e-9 * step)
        middle = (low + high) / 2
        assert high - low < 1e-6 or not wins(reading.predicted, middle)
        if reach > 1e-7:
            smaller = reading.w + np.linspace(-1, 1, 301) * (reach - 1e-8)
            assert wins(reading.predicted, smaller[(smaller >= 0) & (smaller <= 1)])


@quick
@given(problems(methods=(ConstraintSLPClassifier(), DeepSLPClassifier())))
def test_other_lines_predict_as_a_model_that_has_only_them(problem):
    model, X, _ = problem
    for x in X[:4]:
        for item in tried(model, x):
            if item.kind != "lines":
                continue
            for number in item.lines:
                d = np.linalg.norm(x - model.prototypes_[number], axis=1)
                labels = (
                    model.soft_labels_[number]
                    if hasattr(model, "soft_labels_")
                    else model.coef_[number] @ x + model.intercept_[number]
                )
                assert (
                    item.predicted == (labels / np.maximum(d, 1e-12)[:, None]).sum(axis=0).argmax()
                )


def test_the_papers_counter_example():
    X = np.array([[-10.0, 0], [5, 0], [15, 0]])
    model = ConstraintSLPClassifier().fit(X, ["A", "B", "C"])
    x = np.array([-6.0, 9.5])  # nearer to A than to B, and predicted to be B
    found = tried(model, x, 0, other=DeepSLPClassifier().fit(X, ["A", "B", "C"]))
    assert model.predict(x[None])[0] == "B"
    first, *_ = found
    assert first.interval == (pytest.approx(0.7), 1)  # 21 w = 49 (1 − w)
    assert first.predicted == 0
    kinds = sorted(item.kind for item in found)
    assert kinds == ["method", "nearest", "projected", "w", "w"]


def test_an_example_on_a_breakpoint_needs_no_other_w():
    model = ConstraintSLPClassifier().fit([[0.0, 0], [4, 0]], ["A", "B"])
    x = np.array([2.0, 1.0])
    reading = read_point(model, x, model.centroids_)
    item = next(item for item in tried(model, x) if item.kind == "w")
    assert item.predicted != reading.predicted
    assert distance_of_w(reading.w, item.interval) == pytest.approx(0, abs=1e-9)


def test_what_corrects_an_error_comes_first_also_from_behind_another_interval():
    """Between w and the true class's interval lies a third one: the nearest change is no remedy."""
    X = np.array([[-10.0, 0], [5, 0], [15, 0]])
    model = ConstraintSLPClassifier().fit(X, ["A", "B", "C"])
    x = np.array([-9.0, 0.5])
    assert model.predict(x[None])[0] == "A"
    items = tried(model, x, 2)
    w = [item for item in items if item.kind == "w"]
    assert items[0] is w[0]
    assert [item.predicted for item in w] == [2, 1]  # C, then B, which is nearer
    assert w[0].interval[1] == w[1].interval[0] == pytest.approx(11 / 55)
    assert w[1].interval[1] == pytest.approx(0.7)


def test_near_ties_of_one_shot_tables_have_counterfactuals():
    """Of a class that only ties where two bands meet, no band is found."""
    X = np.array([[0.0, 1, 0], [0, 1, -1], [1, -1, 0], [0, 1, 0]])
    model = DeepSLPClassifier().fit(X, list("ABCD"))
    for x in X:
        assert tried(model, x, 0)


def test_distances_along_the_line_have_the_floor_of_the_method():
    """A model with distances along the line and the same heads has the w that is reported."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 3)), np.repeat([0, 1, 2], 4)
    model = DeepSLPClassifier(n_lines=1, epochs=1).fit(X, y)
    along = DeepSLPClassifier(n_lines=1, epochs=1, distance="along_line").fit(X, y)
    beyond = model.prototypes_[0, 1] + 2 * (model.prototypes_[0, 1] - model.prototypes_[0, 0])
    (w,) = read_places(model, beyond[None])["along"]
    assert w == pytest.approx(along.place(beyond[None]).w)
    assert w > 1e-3  # it stands at the floor, not on the prototype
