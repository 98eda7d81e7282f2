"""What would flip an answer does flip it, and nothing smaller does."""

import numpy as np
import pytest
from explain_problems import problems
from hypothesis import assume, given, settings

from slp_core import (
    ConstraintSLPClassifier,
    DeepSLPClassifier,
    LogisticRegressionClassifier,
    SLPError,
)
from slp_core.explain import counterfactuals, read_point
from slp_core.explain.voting import weighed

quick = settings(max_examples=40, deadline=None)


@quick
@given(problems())
def test_votes_add_up_to_the_influence(problem):
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
    model, X, true = problem
    for x, c in zip(X[:6], true, strict=False):
        reading = read_point(model, x, model.centroids_)
        assume(len(reading.line_classes) > 1)
        found = counterfactuals(model, x, true=int(c))

        def at(w, labels=reading.soft_labels):
            return int(weighed(labels[None], np.array([w])).argmax())

        if found.turn is None:
            assert {at(w) for w in np.linspace(0, 1, 501)} == {reading.predicted}
            continue
        step = np.sign(found.turn - reading.w) or 1.0
        flipped = next(item.answer for item in found.items if item.kind == "w")
        assert at(found.turn + 1e-9 * step) == flipped != reading.predicted
        reach = abs(found.turn - reading.w)
        if reach > 1e-7:
            smaller = reading.w + np.linspace(-1, 1, 301) * (reach - 1e-8)
            assert {at(w) for w in smaller[(smaller >= 0) & (smaller <= 1)]} == {reading.predicted}


@quick
@given(problems(methods=(ConstraintSLPClassifier(), DeepSLPClassifier())))
def test_other_lines_answer_as_a_model_that_has_only_them(problem):
    model, X, _ = problem
    for x in X[:4]:
        for item in counterfactuals(model, x).items:
            if item.kind != "line":
                continue
            number = int(item.text.split()[1]) - 1
            d = np.linalg.norm(x - model.prototypes_[number], axis=1)
            labels = (
                model.soft_labels_[number]
                if hasattr(model, "soft_labels_")
                else model.coef_[number] @ x + model.intercept_[number]
            )
            assert item.answer == (labels / np.maximum(d, 1e-12)[:, None]).sum(axis=0).argmax()


def test_the_example_in_words():
    X = np.array([[-10.0, 0], [5, 0], [15, 0]])
    model = ConstraintSLPClassifier().fit(X, ["A", "B", "C"])
    # Nearer to A than to B, and seen from far away: the paper's counter-example.
    x = np.array([-6.0, 9.5])
    found = counterfactuals(model, x, other=DeepSLPClassifier().fit(X, ["A", "B", "C"]), true=0)
    assert model.predict(x[None])[0] == "B"
    text = found.sentence()
    assert "With w above 0.700" in text  # 21 w = 49 (1 − w)
    assert "line 1 would answer “A”, rightly" in text
    assert "The nearest centroid is that of “A”, rightly." in text
    assert [item.kind for item in found.items] == ["w", "along", "other", "nearest"]


def test_a_point_on_a_breakpoint_is_told_of_the_tie():
    model = ConstraintSLPClassifier().fit([[0.0, 0], [4, 0]], ["A", "B"])
    found = counterfactuals(model, np.array([2.0, 1]))
    assert found.turn == 0.5
    assert "At w = 0.500 “A” and “B” tie: on one side of it line 1 would answer “B”." in (
        found.sentence()
    )


def test_a_method_without_lines_has_no_votes():
    model = LogisticRegressionClassifier().fit(np.eye(4), [0, 0, 1, 1])
    with pytest.raises(SLPError, match="has no lines"):
        counterfactuals(model, np.zeros(4))
