"""A line's examples with either kind of distance, against models that use that kind."""

import numpy as np
import pytest
from explain_problems import problems
from hypothesis import given, settings

from slp_core import ConstraintSLPClassifier, DeepSLPClassifier
from slp_core.explain.bands import winning_bands
from slp_core.explain.causes import read_causes
from slp_core.explain.profile import half_planes, line_profile
from slp_core.explain.text import half_plane_text


def planes_of(model, X, true, number=0):
    profile = line_profile(model, number, read_causes(model, X, true).examples)
    return profile.examples.index, half_planes(profile, model.distance == "along_line")


@settings(max_examples=30, deadline=None)
@given(problems(methods=(ConstraintSLPClassifier(), ConstraintSLPClassifier(n_lines=1))))
def test_each_plane_is_what_a_model_with_its_distances_predicts(problem):
    model, X, true = problem
    other = ConstraintSLPClassifier(n_lines=model.n_lines, distance="along_line")
    other.lines_, other.classes_ = model.lines_, model.classes_
    vars(other).update({k: v for k, v in vars(model).items() if k not in vars(other)})
    for asked, its in ((model, [False, True]), (other, [True, False])):
        rows, planes = planes_of(asked, X, true)
        assert list(planes) == its
        for along_line, plane in planes.items():
            same_distances, w = other if along_line else model, plane.examples["w"].to_numpy()
            np.testing.assert_allclose(w, same_distances.place(X).w[rows], atol=1e-9)
            predicted = same_distances.predict_proba(X).argmax(axis=1)[rows]
            turns = np.array(winning_bands(*model.soft_labels_[0]).edges)
            clear = np.abs(w[:, None] - turns).min(axis=1) > 1e-9
            assert (plane.examples["predicted"][clear] == predicted[clear]).all()
            correct = (plane.examples["predicted"] == true[rows]).sum()
            assert half_plane_text(plane) == f"Line 1: {correct} of {len(rows)} correct."


@pytest.mark.parametrize(("distance", "n"), [("euclidean", 2), ("along_line", 1)])
def test_local_soft_labels_predict_elsewhere_only_along_the_line(distance, n):
    rng = np.random.default_rng(0)
    X, true = rng.normal(size=(24, 6)), np.repeat([0, 1], 12)
    model = DeepSLPClassifier(distance=distance, epochs=1).fit(X, true)
    _, planes = planes_of(model, X, true)
    assert len(planes) == n


def test_a_line_of_no_length_has_no_planes():
    model = ConstraintSLPClassifier().fit(np.ones((4, 3)), [0, 0, 1, 1])
    _, planes = planes_of(model, np.ones((2, 3)), np.array([0, 1]))
    assert not planes


def test_without_examples_none_is_correct():
    model = ConstraintSLPClassifier().fit(np.eye(4), [0, 0, 1, 1])
    _, planes = planes_of(model, np.empty((0, 4)), np.empty(0, dtype=int))
    assert [half_plane_text(plane) for plane in planes.values()] == ["Line 1: 0 of 0 correct."] * 2
